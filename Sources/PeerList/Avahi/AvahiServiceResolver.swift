// Resolves a service, and reports changes while it is open.
import CAvahi

/// A running lookup of one service: its SRV, TXT and address records.
@safe final class AvahiServiceResolver: Lookup {
    private let object: AvahiObject

    init(
        _ instance: ServiceInstance, on client: AvahiClient, path: LookupPath,
        receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) {
        object = try unsafe client.make(receive) { client, context in
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
        return unsafe CallbackTarget.deliver(LookupEvent.timedOut, to: context)
    }
    let resolution = unsafe Resolution(
        host: unescaped(text(host)), port: port, txt: TXTRecord(strings: strings(txt)),
        address: hostAddress(address, interface))
    let isCached = flags.rawValue & AVAHI_LOOKUP_RESULT_CACHED.rawValue != 0
    unsafe CallbackTarget.deliver(
        LookupEvent.resolved(resolution, isCached: isCached), to: context)
}

/// The address of a callback, with the interface on which it was seen.
private func hostAddress(
    _ address: UnsafePointer<AvahiAddress>?, _ interface: AvahiIfIndex
) -> HostAddress? {
    guard let address = unsafe address else { return nil }
    let isIPv6 = unsafe address.pointee.proto == Int32(AVAHI_PROTO_INET6)
    let bytes = unsafe withUnsafeBytes(of: address.pointee.data) {
        unsafe Array($0.prefix(isIPv6 ? 16 : 4))
    }
    return HostAddress(bytes: bytes, interface: NetworkInterface(index: interface).name)
}
