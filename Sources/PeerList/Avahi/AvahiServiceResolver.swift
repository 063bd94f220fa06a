// The lookup of where a service is, kept open to hear of changes.
import CAvahi

/// A running lookup of one service: its SRV, TXT and address records.
///
/// Left open it goes on reporting: changes of the record, and a time-out when
/// the host falls silent, after which the same object may still find it again.
@safe final class AvahiServiceResolver {
    /// What the lookup reports.
    enum Event: Sendable, Hashable {
        /// An answer: the first, or one that differs from the last; and whether some of it was known before.
        case found(Resolution, isCached: Bool)
        /// No answer within libavahi's time, which is 5 s at first and the records' time to live later.
        case timedOut
    }

    private let object: AvahiObject<Event>

    init(
        _ instance: AvahiServiceBrowser.Instance, on client: AvahiClient, path: AvahiPath,
        receive: @escaping @Sendable (Event) -> Void
    ) throws(AvahiError) {
        object = try unsafe client.make(CallbackTarget(receive)) { client, context in
            unsafe avahi_service_resolver_new(
                client, path.interface, path.family, instance.name, instance.type, instance.domain,
                AvahiPath.anyFamily, AvahiLookupFlags(0), serviceResolved, context)
        }
    }

    /// Ends the lookup; a second call does nothing.
    func close() { unsafe object.close { unsafe avahi_service_resolver_free($0) } }
}

/// Called on the event loop: copy, deliver, return.
private func serviceResolved(
    resolver: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiResolverEvent, name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?,
    domain: UnsafePointer<CChar>?, host: UnsafePointer<CChar>?,
    address: UnsafePointer<AvahiAddress>?, port: UInt16,
    txt: UnsafeMutablePointer<AvahiStringList>?, flags: AvahiLookupResultFlags,
    context: UnsafeMutableRawPointer?
) {
    guard event == AVAHI_RESOLVER_FOUND else {
        return unsafe CallbackTarget.deliver(AvahiServiceResolver.Event.timedOut, to: context)
    }
    let resolution = unsafe Resolution(
        host: unescaped(text(host)), port: port, txt: TXTRecord(strings: strings(txt)),
        address: hostAddress(address, on: NetworkInterface(index: interface)))
    let isCached = flags.rawValue & AVAHI_LOOKUP_RESULT_CACHED.rawValue != 0
    unsafe CallbackTarget.deliver(
        AvahiServiceResolver.Event.found(resolution, isCached: isCached), to: context)
}
