// A browse for the service types that are announced.
import CAvahi

/// A running browse for service types (RFC 6763, section 9).
@safe final class AvahiServiceTypeBrowser: Lookup {
    private let object: AvahiObject

    init(
        on client: AvahiClient, path: LookupPath, domain: String?,
        receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) {
        object = try unsafe client.make(receive) { client, context in
            unsafe avahi_service_type_browser_new(
                client, path.interfaceNumber, path.familyNumber, domain, AvahiLookupFlags(0),
                typeBrowsed,
                context)
        }
    }

    /// Ends the browse; a second call does nothing.
    func close() { unsafe object.close { unsafe avahi_service_type_browser_free($0) } }
}

/// Called on the event loop: copy, deliver, return.
private func typeBrowsed(
    browser: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiBrowserEvent, type: UnsafePointer<CChar>?, domain: UnsafePointer<CChar>?,
    flags: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
    let reported: LookupEvent? =
        switch event {
        case AVAHI_BROWSER_NEW: unsafe .typeAppeared(text(type), domain: unescaped(text(domain)))
        case AVAHI_BROWSER_ALL_FOR_NOW: .settled
        case AVAHI_BROWSER_FAILURE: .failed(.failure)
        // A REMOVE is ignored on purpose: one device's goodbye withdraws a type that others still offer.
        default: nil
        }
    if let reported { unsafe CallbackTarget.deliver(reported, to: context) }
}
