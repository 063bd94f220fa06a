// A browse for the records of one type under a name.
import CAvahi

/// A running browse for the records of one type under a name.
@safe final class AvahiRecordBrowser: Lookup {
    private let object: AvahiObject

    /// Browses for records under a name, as libavahi writes it.
    init(
        _ type: UInt16, of name: String, on client: AvahiClient, path: LookupPath,
        receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) {
        object = try unsafe client.make(receive) { client, context in
            unsafe avahi_record_browser_new(
                client, path.interfaceNumber, path.familyNumber, name, UInt16(AVAHI_DNS_CLASS_IN),
                type, AvahiLookupFlags(0), recordBrowsed, context)
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
    let reported: LookupEvent? =
        switch event {
        case AVAHI_BROWSER_NEW: .recordAppeared(data: bytes, path)
        case AVAHI_BROWSER_REMOVE: .recordDisappeared(data: bytes, path)
        case AVAHI_BROWSER_CACHE_EXHAUSTED: .cacheExhausted
        case AVAHI_BROWSER_FAILURE: .failed(.failure)
        default: nil
        }
    if let reported { unsafe CallbackTarget.deliver(reported, to: context) }
}
