// What libavahi-core calls back: copy, tell, return.
import CAvahiCore
import StackProtocol

/// A C string that may be missing.
private func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
}

func typeBrowsed(
    browser: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiBrowserEvent, type: UnsafePointer<CChar>?, domain: UnsafePointer<CChar>?,
    flags: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
    guard let object = unsafe OpenObject.from(context) else { return }
    switch event {
    case AVAHI_BROWSER_NEW:
        let (type, domain) = unsafe (text(type), text(domain))
        object.tell { .type($0, type: type, domain: domain) }
    case AVAHI_BROWSER_ALL_FOR_NOW: object.tell { .settled($0) }
    case AVAHI_BROWSER_FAILURE: object.tell { .failed($0, code: Int32(AVAHI_ERR_FAILURE)) }
    // A REMOVE is ignored on purpose: one device's goodbye withdraws a type that others still offer.
    default: break
    }
}

func serviceBrowsed(
    browser: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiBrowserEvent, name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?,
    domain: UnsafePointer<CChar>?, flags: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
    guard let object = unsafe OpenObject.from(context) else { return }
    let instance = unsafe StackInstance(name: text(name), type: text(type), domain: text(domain))
    let path = StackPath(interface: interface, family: family)
    switch event {
    case AVAHI_BROWSER_NEW:
        object.tell { .appeared($0, instance, path) }
    case AVAHI_BROWSER_REMOVE: object.tell { .disappeared($0, instance, path) }
    case AVAHI_BROWSER_ALL_FOR_NOW: object.tell { .settled($0) }
    case AVAHI_BROWSER_FAILURE: object.tell { .failed($0, code: Int32(AVAHI_ERR_FAILURE)) }
    default: break
    }
}

func serviceResolved(
    resolver: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiResolverEvent, name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?,
    domain: UnsafePointer<CChar>?, host: UnsafePointer<CChar>?,
    address: UnsafePointer<AvahiAddress>?, port: UInt16,
    txt: UnsafeMutablePointer<AvahiStringList>?, flags: AvahiLookupResultFlags,
    context: UnsafeMutableRawPointer?
) {
    guard let object = unsafe OpenObject.from(context) else { return }
    guard event == AVAHI_RESOLVER_FOUND else { return object.tell { .timedOut($0) } }
    let resolution = unsafe StackResolution(
        interface: interface, host: text(host), port: port, address: bytes(of: address),
        txt: TXTData.data(txt),
        isCached: flags.rawValue & AVAHI_LOOKUP_RESULT_CACHED.rawValue != 0)
    object.tell { .resolved($0, resolution) }
}

func recordBrowsed(
    browser: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiBrowserEvent, record: UnsafeMutablePointer<AvahiRecord>?,
    flags: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
    guard let object = unsafe OpenObject.from(context) else { return }
    switch event {
    case AVAHI_BROWSER_NEW, AVAHI_BROWSER_REMOVE:
        var data = [UInt8](repeating: 0, count: 16)
        let count = unsafe avahi_rdata_serialize(record, &data, data.count)
        let isAddress = count == 4 || count == 16
        let isThere = event == AVAHI_BROWSER_NEW
        let path = StackPath(interface: interface, family: family)
        object.tell {
            .record($0, data: isAddress ? Array(data.prefix(count)) : [], path, isThere: isThere)
        }
    case AVAHI_BROWSER_CACHE_EXHAUSTED: object.tell { .cacheExhausted($0) }
    default: break
    }
}

/// The bytes of an address in network order; none where there is no address.
private func bytes(of address: UnsafePointer<AvahiAddress>?) -> [UInt8] {
    guard let address = unsafe address else { return [] }
    let isIPv6 = unsafe address.pointee.proto == Int32(AVAHI_PROTO_INET6)
    return unsafe withUnsafeBytes(of: address.pointee.data) {
        unsafe Array($0.prefix(isIPv6 ? 16 : 4))
    }
}
