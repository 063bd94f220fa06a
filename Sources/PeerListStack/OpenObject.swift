// A lookup of libavahi-core that was opened for the list, and the callbacks of lookups.
import CAvahiCore
import StackProtocol

/// A C object, which is the context of its callbacks, and the number of its events.
@safe final class OpenObject {
    private let id: UInt32
    private let pipe: EventPipe
    /// Frees the C object, which ends its callbacks.
    private(set) var close: () -> Void = {}

    /// Opens an object, which must be kept until it is closed; `create` gets the `userdata`.
    init?(
        _ id: UInt32, _ pipe: EventPipe, free: @escaping (OpaquePointer) -> Void,
        create: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) {
        self.id = id
        self.pipe = pipe
        let handle = unsafe create(Unmanaged.passUnretained(self).toOpaque())
        guard let handle = unsafe handle else { return nil }
        close = { unsafe free(handle) }
    }

    /// Returns the object in a callback's `userdata`.
    static func from(_ context: UnsafeMutableRawPointer?) -> OpenObject? {
        unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    func send(_ event: (UInt32) -> StackEvent) { pipe.send(event(id)) }

    /// Sends the event of a browser that is not about a single result.
    fileprivate func send(_ event: AvahiBrowserEvent) {
        switch event {
        case AVAHI_BROWSER_ALL_FOR_NOW: send { .settled($0) }
        case AVAHI_BROWSER_FAILURE: send { .failed($0, code: Int32(AVAHI_ERR_FAILURE)) }
        default: break
        }
    }
}

let typeBrowsed: AvahiSServiceTypeBrowserCallback = {
    _, _, _, event, type, domain, _, context in
    guard let object = unsafe OpenObject.from(context) else { return }
    // A removal is ignored, because the goodbye of one device removes a type that other devices may
    // still announce.
    guard event == AVAHI_BROWSER_NEW else { return object.send(event) }
    let (type, domain) = unsafe (text(type), text(domain))
    object.send { .type($0, type: type, domain: domain) }
}

let serviceBrowsed: AvahiSServiceBrowserCallback = {
    _, interface, family, event, name, type, domain, _, context in
    guard let object = unsafe OpenObject.from(context) else { return }
    let instance = unsafe ServiceInstance(name: text(name), type: text(type), domain: text(domain))
    let path = StackPath(interface: interface, family: family)
    switch event {
    case AVAHI_BROWSER_NEW: object.send { .appeared($0, instance, path) }
    case AVAHI_BROWSER_REMOVE: object.send { .disappeared($0, instance, path) }
    default: object.send(event)
    }
}

let serviceResolved: AvahiSServiceResolverCallback = {
    _, interface, _, event, _, _, _, host, address, port, txt, flags, context in
    guard let object = unsafe OpenObject.from(context) else { return }
    guard event == AVAHI_RESOLVER_FOUND else { return object.send { .timedOut($0) } }
    let isCached = flags.rawValue & AVAHI_LOOKUP_RESULT_CACHED.rawValue != 0
    object.send {
        unsafe .resolved(
            $0, interface: interface, host: text(host), port: port, address: bytes(of: address),
            txt: data(of: txt), isCached: isCached)
    }
}

let recordBrowsed: AvahiSRecordBrowserCallback = {
    _, interface, family, event, record, _, context in
    guard let object = unsafe OpenObject.from(context) else { return }
    switch event {
    case AVAHI_BROWSER_NEW, AVAHI_BROWSER_REMOVE:
        var buffer = [UInt8](repeating: 0, count: FrameLimits.record)
        // Negative if the data does not fit.
        let count = unsafe avahi_rdata_serialize(record, &buffer, buffer.count)
        let data = Array(buffer.prefix(max(0, count)))
        let path = StackPath(interface: interface, family: family)
        object.send { .record($0, data: data, path, isThere: event == AVAHI_BROWSER_NEW) }
    case AVAHI_BROWSER_CACHE_EXHAUSTED: object.send { .cacheExhausted($0) }
    default: break
    }
}

/// Copies a C string; empty if it is missing.
func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
}

/// Returns the bytes of an address in network order; none if it is missing.
private func bytes(of address: UnsafePointer<AvahiAddress>?) -> [UInt8] {
    guard let address = unsafe address else { return [] }
    let isIPv6 = unsafe address.pointee.proto == Int32(AVAHI_PROTO_INET6)
    return unsafe withUnsafeBytes(of: address.pointee.data) {
        unsafe Array($0.prefix(isIPv6 ? 16 : 4))
    }
}

/// Returns the data of a received record, with its strings in the announced order.
///
/// libavahi's released versions keep the strings of a record in reverse, and this reverses them again.
private func data(of txt: UnsafeMutablePointer<AvahiStringList>?) -> [UInt8] {
    var data = [UInt8](repeating: 0, count: unsafe avahi_string_list_serialize(txt, nil, 0))
    let count = unsafe avahi_string_list_serialize(txt, &data, data.count)
    return Array(data.prefix(count))
}
