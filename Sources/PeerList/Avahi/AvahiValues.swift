// Values of libavahi as Swift values: errors, interfaces, families, strings, string lists.
import CAvahi
package import StackProtocol

extension StackError {
    /// The error of a libavahi call, `AVAHI_ERR_…`.
    init(code: Int32) {
        let text = unsafe avahi_strerror(code)
        let kind: Kind =
            switch code {
            case Int32(AVAHI_ERR_TOO_MANY_OBJECTS): .tooManyObjects
            case Int32(AVAHI_ERR_COLLISION): .collision
            // A client that has lost its connection refuses new lookups as a bad state.
            case Int32(AVAHI_ERR_DISCONNECTED), Int32(AVAHI_ERR_NO_DAEMON),
                Int32(AVAHI_ERR_DBUS_ERROR), Int32(AVAHI_ERR_BAD_STATE):
                .stackGone
            default: .other
            }
        self.init(
            kind: kind,
            description: unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)")
    }

    package static let tooManyObjects = StackError(code: Int32(AVAHI_ERR_TOO_MANY_OBJECTS))
    package static let disconnected = StackError(code: Int32(AVAHI_ERR_DISCONNECTED))
    /// DNS cannot carry a name.
    package static let invalidName = StackError(code: Int32(AVAHI_ERR_INVALID_SERVICE_NAME))
    /// DNS cannot carry a TXT record.
    static let invalidRecord = StackError(code: Int32(AVAHI_ERR_INVALID_RECORD))
    /// The library with which the daemon is asked is not installed.
    static let clientMissing = StackError(
        kind: .other, description: "libavahi-client is not installed")
    /// A lookup failed for an unknown reason.
    package static let failure = StackError(code: Int32(AVAHI_ERR_FAILURE))
}

extension LookupPath {
    var interfaceNumber: AvahiIfIndex { interface?.index ?? Int32(AVAHI_IF_UNSPEC) }

    var familyNumber: AvahiProtocol {
        switch family {
        case .ipv4: Int32(AVAHI_PROTO_INET)
        case .ipv6: Int32(AVAHI_PROTO_INET6)
        case nil: Int32(AVAHI_PROTO_UNSPEC)
        }
    }
}

extension NetworkPath {
    /// Creates the path of a callback; IPv4 if the callback has no family. The name of the interface is left out,
    /// because it would take a system call at each event.
    init(index: AvahiIfIndex, protocol family: AvahiProtocol) {
        self.init(
            interface: NetworkInterface(index: index, name: ""),
            family: family == Int32(AVAHI_PROTO_INET6) ? .ipv6 : .ipv4)
    }
}

/// Returns a C string of a callback; empty if it is missing.
func copiedText(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
}

/// Returns a domain or host name without the escapes (`\.`, `\\`, `\032`) that libavahi writes.
package func unescaped(_ name: String) -> String {
    guard name.utf8.contains(0x5c) else { return name }
    var labels: [String] = []
    unsafe name.withCString { start in
        var rest: UnsafePointer<CChar>? = unsafe start
        var label = [CChar](repeating: 0, count: Int(AVAHI_LABEL_MAX))
        while unsafe avahi_unescape_label(&rest, &label, label.count) != nil, label[0] != 0 {
            labels.append(String(beforeNUL: label))
        }
    }
    return labels.isEmpty ? name : labels.joined(separator: ".")
}

extension ServiceInstance {
    /// The instance of a service whose type and domain need no escapes.
    init(_ key: ServiceKey) { self.init(name: key.name, type: key.type, domain: key.domain) }

    /// The service, without escapes.
    package var key: ServiceKey {
        ServiceKey(name: name, type: unescaped(type), domain: unescaped(domain))
    }

    /// Returns the full name, with escapes.
    ///
    /// - Throws: ``StackError/invalidName`` if DNS cannot carry it.
    func escapedName() throws(StackError) -> String {
        var full = [CChar](repeating: 0, count: Int(AVAHI_DOMAIN_NAME_MAX))
        let status = unsafe avahi_service_name_join(&full, full.count, name, type, domain)
        guard status == AVAHI_OK else { throw .invalidName }
        return String(beforeNUL: full)
    }
}

/// Returns the service name to try after a name that is taken: `name`, `name #2`, `name #3`, …
package func alternativeName(to name: String) -> String {
    guard let next = unsafe avahi_alternative_service_name(name) else { return name }
    defer { unsafe avahi_free(next) }
    return unsafe String(cString: next)
}

/// Returns the strings of a TXT record, in the order of libavahi's list.
func strings(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    var next = unsafe list
    while let node = unsafe next {
        let bytes = unsafe UnsafeBufferPointer(
            start: avahi_string_list_get_text(node), count: avahi_string_list_get_size(node))
        unsafe strings.append(Array(bytes))
        unsafe next = avahi_string_list_get_next(node)
    }
    return strings
}
