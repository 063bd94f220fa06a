// A browse for the addresses of one host: its A or its AAAA records.
import CAvahi

/// A running browse for the records of one kind under a host's name.
@safe final class AvahiRecordBrowser: Lookup {
    private let object: AvahiObject<AddressEvent>

    /// Browses for a host's addresses of a family.
    init(
        host: String, family: AddressFamily, on client: AvahiClient, path: LookupPath,
        receive: @escaping @Sendable (AddressEvent) -> Void
    ) throws(AvahiError) {
        let type = UInt16(family == .ipv4 ? AVAHI_DNS_TYPE_A : AVAHI_DNS_TYPE_AAAA)
        object = try unsafe client.make(CallbackTarget(receive)) { client, context in
            unsafe avahi_record_browser_new(
                client, path.interfaceNumber, path.familyNumber, host, UInt16(AVAHI_DNS_CLASS_IN),
                type,
                AvahiLookupFlags(0), recordBrowsed, context)
        }
    }

    /// Ends the browse; a second call does nothing.
    func close() { unsafe object.close { unsafe avahi_record_browser_free($0) } }
}

/// Called on the event loop: copy, deliver, return.
private func recordBrowsed(
    browser: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiBrowserEvent, name: UnsafePointer<CChar>?, class: UInt16, type: UInt16,
    data: UnsafeRawPointer?, size: Int, flags: AvahiLookupResultFlags,
    context: UnsafeMutableRawPointer?
) {
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size))
    let path = LinkPath(interface: interface, protocol: family)
    let reported: AddressEvent? =
        switch event {
        case AVAHI_BROWSER_NEW:
            .appeared(data: bytes, interface: path.interface, family: path.family)
        case AVAHI_BROWSER_REMOVE:
            .disappeared(data: bytes, interface: path.interface, family: path.family)
        case AVAHI_BROWSER_CACHE_EXHAUSTED: .cacheExhausted
        default: nil
        }
    if let reported { unsafe CallbackTarget.deliver(reported, to: context) }
}
