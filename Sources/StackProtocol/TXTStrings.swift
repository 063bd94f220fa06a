// The data of a TXT record, taken apart.

/// The strings of a TXT record's data, each of which has its length in a byte before it (RFC 6763,
/// section 6.1); what follows a length that is too long is left out.
public func strings(ofTXTData data: [UInt8]) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    var rest = data[...]
    while let length = rest.popFirst(), rest.count >= length {
        strings.append(Array(rest.prefix(Int(length))))
        rest = rest.dropFirst(Int(length))
    }
    return strings
}
