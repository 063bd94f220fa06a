// A browse for the service types that are announced.
import CAvahi

/// A running browse for service types (RFC 6763, section 9).
@safe final class AvahiServiceTypeBrowser {
    /// What the browse reports.
    enum Event: Sendable, Hashable {
        /// A type is announced on some path.
        case appeared(type: String, domain: String)
        /// What there was to see has been seen, for now.
        case settled
        /// The browse failed and reports no more.
        case failed
    }

    private let object: AvahiObject<Event>

    init(
        on client: AvahiClient, path: AvahiPath, domain: String?,
        receive: @escaping @Sendable (Event) -> Void
    ) throws(AvahiError) {
        object = try unsafe client.make(CallbackTarget(receive)) { client, context in
            unsafe avahi_service_type_browser_new(
                client, path.interface, path.family, domain, AvahiLookupFlags(0), typeBrowsed,
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
    let reported: AvahiServiceTypeBrowser.Event? =
        switch event {
        case AVAHI_BROWSER_NEW: unsafe .appeared(type: text(type), domain: text(domain))
        case AVAHI_BROWSER_ALL_FOR_NOW: .settled
        case AVAHI_BROWSER_FAILURE: .failed
        // A REMOVE is ignored on purpose: one device's goodbye withdraws a type that others still offer.
        default: nil
        }
    if let reported { unsafe CallbackTarget.deliver(reported, to: context) }
}
