// The lookup of where a service is, kept open to hear of changes.
import CAvahi

/// A running lookup of one service: its SRV, TXT and address records.
@safe final class AvahiServiceResolver: Lookup {
    private let object: AvahiObject<ResolveEvent>

    init(
        _ instance: ServiceInstance, on client: AvahiClient, path: LookupPath,
        receive: @escaping @Sendable (ResolveEvent) -> Void
    ) throws(AvahiError) {
        object = try unsafe client.make(CallbackTarget(receive)) { client, context in
            unsafe avahi_service_resolver_new(
                client, path.interfaceNumber, path.familyNumber, instance.name, instance.type,
                instance.domain,
                LookupPath.anyFamily, AvahiLookupFlags(0), serviceResolved, context)
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
        return unsafe CallbackTarget.deliver(ResolveEvent.timedOut, to: context)
    }
    let resolution = unsafe Resolution(
        host: unescaped(text(host)), port: port, txt: TXTRecord(strings: strings(txt)),
        address: hostAddress(address, on: NetworkInterface(index: interface)))
    let isCached = flags.rawValue & AVAHI_LOOKUP_RESULT_CACHED.rawValue != 0
    unsafe CallbackTarget.deliver(
        ResolveEvent.found(resolution, isCached: isCached), to: context)
}
