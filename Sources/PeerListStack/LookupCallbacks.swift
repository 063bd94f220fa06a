// The callbacks of libavahi-core's lookups, which copy their arguments into events.
import CAvahiCore
import StackProtocol

/// Copies a C string; empty if it is missing.
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
        object.send { .type($0, type: type, domain: domain) }
    case AVAHI_BROWSER_ALL_FOR_NOW: object.send { .settled($0) }
    case AVAHI_BROWSER_FAILURE: object.send { .failed($0, code: Int32(AVAHI_ERR_FAILURE)) }
    // A removal is ignored: a device's goodbye removes a type that others may still announce.
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
        object.send { .appeared($0, instance, path) }
    case AVAHI_BROWSER_REMOVE: object.send { .disappeared($0, instance, path) }
    case AVAHI_BROWSER_ALL_FOR_NOW: object.send { .settled($0) }
    case AVAHI_BROWSER_FAILURE: object.send { .failed($0, code: Int32(AVAHI_ERR_FAILURE)) }
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
    guard event == AVAHI_RESOLVER_FOUND else { return object.send { .timedOut($0) } }
    let resolution = unsafe StackResolution(
        interface: interface, host: text(host), port: port, address: bytes(of: address),
        txt: TXTData.data(txt),
        isCached: flags.rawValue & AVAHI_LOOKUP_RESULT_CACHED.rawValue != 0)
    object.send { .resolved($0, resolution) }
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
        object.send {
            .record($0, data: isAddress ? Array(data.prefix(count)) : [], path, isThere: isThere)
        }
    case AVAHI_BROWSER_CACHE_EXHAUSTED: object.send { .cacheExhausted($0) }
    default: break
    }
}

/// Returns the bytes of an address in network order; none if it is missing.
private func bytes(of address: UnsafePointer<AvahiAddress>?) -> [UInt8] {
    guard let address = unsafe address else { return [] }
    let isIPv6 = unsafe address.pointee.proto == Int32(AVAHI_PROTO_INET6)
    return unsafe withUnsafeBytes(of: address.pointee.data) {
        unsafe Array($0.prefix(isIPv6 ? 16 : 4))
    }
}

/// The data of a TXT record: strings, each preceded by a byte for its length (RFC 6763, section 6.1).
private enum TXTData {
    /// Whether libavahi-core reverses the strings of received records, as its released versions do.
    private static let isReversed: Bool = {
        let twoStrings: [UInt8] = [1, 0x61, 1, 0x62]
        var list: UnsafeMutablePointer<AvahiStringList>?
        let status = unsafe avahi_string_list_parse(twoStrings, twoStrings.count, &list)
        defer { unsafe avahi_string_list_free(list) }
        guard status == 0, let list = unsafe list else { return false }
        return unsafe avahi_string_list_get_text(list).pointee == 0x62
    }()

    /// Returns the data of a received record, with its strings in the announced order.
    static func data(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [UInt8] {
        var strings: [[UInt8]] = []
        var next = unsafe list
        while let node = unsafe next {
            let bytes = unsafe UnsafeBufferPointer(
                start: avahi_string_list_get_text(node), count: avahi_string_list_get_size(node))
            unsafe strings.append([UInt8(truncatingIfNeeded: bytes.count)] + bytes.prefix(255))
            unsafe next = avahi_string_list_get_next(node)
        }
        if isReversed { strings.reverse() }
        return Array(strings.joined())
    }
}
