// A browse for the services of one type.
import CAvahi

/// A running browse for the services of one type (RFC 6763, section 4).
@safe final class AvahiServiceBrowser: Lookup {
    private let object: AvahiObject

    init(
        type: String, domain: String?, on client: AvahiClient, path: LookupPath,
        receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) {
        object = try unsafe client.make(receive) { client, context in
            unsafe avahi_service_browser_new(
                client, path.interfaceNumber, path.familyNumber, type,
                domain, AvahiLookupFlags(0), serviceBrowsed, context)
        }
    }

    /// Ends the browse; a second call does nothing.
    func close() { unsafe object.close { unsafe avahi_service_browser_free($0) } }
}

/// Called on the event loop: copy, deliver, return.
private func serviceBrowsed(
    browser: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiBrowserEvent, name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?,
    domain: UnsafePointer<CChar>?, flags: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
    let path = LinkPath(interface: interface, protocol: family)
    let instance = unsafe ServiceInstance(
        name: text(name), type: text(type), domain: text(domain))
    let reported: LookupEvent? =
        switch event {
        case AVAHI_BROWSER_NEW: .serviceAppeared(instance, path)
        case AVAHI_BROWSER_REMOVE: .serviceDisappeared(instance, path)
        case AVAHI_BROWSER_ALL_FOR_NOW: .settled
        case AVAHI_BROWSER_FAILURE: .failed(.failure)
        default: nil
        }
    if let reported { unsafe CallbackTarget.deliver(reported, to: context) }
}
