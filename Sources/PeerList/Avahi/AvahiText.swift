// libavahi's strings, string lists, and addresses as Swift values.
import CAvahi

/// A C string that may be missing, as libavahi hands them to callbacks.
func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
}

/// A domain or host name without the escapes (`\.`, `\\`, `\032`) that libavahi writes.
func unescaped(_ name: String) -> String {
    guard name.utf8.contains(0x5c) else { return name }
    var labels: [String] = []
    unsafe name.withCString { start in
        var rest: UnsafePointer<CChar>? = unsafe start
        var label = [CChar](repeating: 0, count: Int(AVAHI_LABEL_MAX))
        while unsafe avahi_unescape_label(&rest, &label, label.count) != nil, label[0] != 0 {
            let bytes = label.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            labels.append(String(decoding: bytes, as: UTF8.self))
        }
    }
    return labels.isEmpty ? name : labels.joined(separator: ".")
}

/// The full name of a service as libavahi writes it, with escapes; `nil` where it is no name of DNS.
func escapedName(of instance: ServiceInstance) -> String? {
    var name = [CChar](repeating: 0, count: Int(AVAHI_DOMAIN_NAME_MAX))
    let status = unsafe avahi_service_name_join(
        &name, name.count, instance.name, instance.type, instance.domain)
    guard status == AVAHI_OK else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// The service name to try after one that is taken: `name`, `name #2`, `name #3`, …
func alternativeName(to name: String) -> String {
    guard let next = unsafe avahi_alternative_service_name(name) else { return name }
    defer { unsafe avahi_free(next) }
    return unsafe String(cString: next)
}

/// The strings of a TXT record as they came, in the order of libavahi's list.
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

/// An address as a callback hands it over, and the interface that it was seen on.
func hostAddress(
    _ address: UnsafePointer<AvahiAddress>?, on interface: NetworkInterface
) -> HostAddress? {
    guard let address = unsafe address else { return nil }
    let isIPv6 = unsafe address.pointee.proto == Int32(AVAHI_PROTO_INET6)
    let bytes = unsafe withUnsafeBytes(of: address.pointee.data) {
        unsafe Array($0.prefix(isIPv6 ? 16 : 4))
    }
    var text = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
    unsafe avahi_address_snprint(&text, text.count, address)
    let characters = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return HostAddress(
        bytes: bytes, text: String(decoding: characters, as: UTF8.self), interface: interface.name)
}

/// An address from the data of an A (4 bytes) or AAAA (16 bytes) record; `nil` where it is neither.
func hostAddress(recordData bytes: [UInt8], on interface: NetworkInterface) -> HostAddress? {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    var address = AvahiAddress()
    address.proto = Int32(bytes.count == 4 ? AVAHI_PROTO_INET : AVAHI_PROTO_INET6)
    unsafe withUnsafeMutableBytes(of: &address.data) { unsafe $0.copyBytes(from: bytes) }
    return unsafe hostAddress(&address, on: interface)
}
