// A browse for the services of one type.
import CAvahi

/// A running browse for the services of one type (RFC 6763, section 4).
@safe final class AvahiServiceBrowser {
    /// What the browse reports.
    enum Event: Sendable, Hashable {
        /// A service is announced on a path; the daemon may have known it, and all about it, already.
        case appeared(Instance, AvahiPath, isKnown: Bool)
        /// A service is no longer announced on a path.
        case disappeared(Instance, AvahiPath)
        /// What there was to see has been seen, for now.
        case settled
        /// The browse failed and reports no more.
        case failed
    }

    /// The names of a service as libavahi writes them: the type and the domain may hold escapes.
    struct Instance: Sendable, Hashable {
        var name: String
        var type: String
        var domain: String
    }

    private let object: AvahiObject<Event>

    init(
        type: String, domain: String, on client: AvahiClient, path: AvahiPath,
        receive: @escaping @Sendable (Event) -> Void
    ) throws(AvahiError) {
        object = try unsafe client.make(CallbackTarget(receive)) { client, context in
            unsafe avahi_service_browser_new(
                client, path.interface, path.family, type, domain.isEmpty ? nil : domain,
                AvahiLookupFlags(0), serviceBrowsed, context)
        }
    }

    /// Ends the browse; a second call does nothing.
    func close() { unsafe object.close { unsafe avahi_service_browser_free($0) } }
}

private let known =
    AVAHI_LOOKUP_RESULT_CACHED.rawValue | AVAHI_LOOKUP_RESULT_LOCAL.rawValue

/// Called on the event loop: copy, deliver, return.
private func serviceBrowsed(
    browser: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiBrowserEvent, name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?,
    domain: UnsafePointer<CChar>?, flags: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
    let path = AvahiPath(interface: interface, family: family)
    let instance = unsafe AvahiServiceBrowser.Instance(
        name: text(name), type: text(type), domain: text(domain))
    let reported: AvahiServiceBrowser.Event? =
        switch event {
        case AVAHI_BROWSER_NEW: .appeared(instance, path, isKnown: flags.rawValue & known != 0)
        case AVAHI_BROWSER_REMOVE: .disappeared(instance, path)
        case AVAHI_BROWSER_ALL_FOR_NOW: .settled
        case AVAHI_BROWSER_FAILURE: .failed
        default: nil
        }
    if let reported { unsafe CallbackTarget.deliver(reported, to: context) }
}
