// A domain name in wire form, and the service that it names.

/// A domain name of a DNS message: labels of at most 63 bytes, 255 bytes together, not compressed.
///
/// Two names are equal if DNS considers them equal: ASCII letters are compared without their case (RFC 6762, section
/// 16).
package struct DNSName: Sendable {
    /// The maximum length in bytes, with a length byte before each label and the root's at the end.
    package static let sizeLimit = 255

    /// The bytes in wire form, as written.
    package let bytes: [UInt8]

    /// Creates a name from bytes in wire form; `nil` unless these are exactly one name without compression.
    package init?(wire bytes: [UInt8]) {
        guard bytes.count <= Self.sizeLimit else { return nil }
        var index = 0
        while index < bytes.count, 1...63 ~= bytes[index] { index += Int(bytes[index]) + 1 }
        guard index == bytes.count - 1, bytes[index] == 0 else { return nil }
        self.bytes = bytes
    }

    /// Creates a name from labels; `nil` if a label is empty or has more than 63 bytes, or the name has more than 255.
    package init?(_ labels: some Collection<some Collection<UInt8>>) {
        var bytes: [UInt8] = []
        for label in labels {
            guard 1...63 ~= label.count else { return nil }
            bytes.append(UInt8(label.count))
            bytes += label
        }
        guard bytes.count < Self.sizeLimit else { return nil }
        self.bytes = bytes + [0]
    }

    /// Creates a name from text whose labels are separated by dots and contain none.
    package init?(_ text: String) { self.init(text.split(separator: ".").map(\.utf8)) }

    /// The labels, without the root's.
    package var labels: [ArraySlice<UInt8>] {
        var labels: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let count = rest.popFirst(), count > 0 {
            labels.append(rest.prefix(Int(count)))
            rest = rest.dropFirst(Int(count))
        }
        return labels
    }

    /// The labels with dots between them, not escaped; bytes that are not UTF-8 are replaced.
    package var text: String {
        String(decoding: Array(labels.joined(separator: [0x2e])), as: UTF8.self)
    }

    /// The service or the service type of a name (RFC 6763, sections 4.1 and 7.1).
    package struct ServiceParts: Sendable, Hashable {
        /// The instance name, or `nil` for the name of a type.
        package let instance: String?
        /// The subtype of a type's name, such as `_printer`.
        package let subtype: String?
        /// The type, such as `_http._tcp`.
        package let type: String
        /// The domain, such as `local`.
        package let domain: String
    }

    /// The parts of the name if it is a service's or a type's; `nil` for another name, and where a part is not UTF-8.
    package var serviceParts: ServiceParts? {
        let labels = labels
        guard
            let start = labels.indices.dropLast().first(where: { index in
                labels[index].first == 0x5f
                    && ["_tcp", "_udp"].contains {
                        labels[index + 1].map(lowercased) == Array($0.utf8)
                    }
            }), start + 2 < labels.count, start <= 2,
            start < 2 || labels[1].map(lowercased) == Array("_sub".utf8),
            start != 1 || labels[0].map(lowercased) != Array("_sub".utf8),
            let first = String(validating: labels[0], as: UTF8.self),
            let type = text(labels[start...start + 1]), let domain = text(labels[(start + 2)...])
        else { return nil }
        return ServiceParts(
            instance: start == 1 ? first : nil, subtype: start == 2 ? first : nil, type: type,
            domain: domain)
    }

    private func text(_ labels: ArraySlice<ArraySlice<UInt8>>) -> String? {
        String(validating: labels.joined(separator: [0x2e]), as: UTF8.self)
    }
}

extension DNSName: Hashable {
    package static func == (left: DNSName, right: DNSName) -> Bool {
        left.bytes.count == right.bytes.count
            && zip(left.bytes, right.bytes).allSatisfy {
                $0 == $1 || lowercased($0) == lowercased($1)
            }
    }

    package func hash(into hasher: inout Hasher) {
        // All bytes at once, which takes a fraction of the time.
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { lower in
            for (index, byte) in bytes.enumerated() { unsafe lower[index] = lowercased(byte) }
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(lower))
        }
    }
}

extension Hasher {
    /// Adds all bytes of an array at once, which takes a fraction of the time of one after the other.
    package mutating func combine(bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe combine(bytes: $0) }
    }
}

/// Returns a byte in lower case if it is an ASCII letter; a length byte of a label is none.
private func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5a ~= byte ? byte | 0x20 : byte }
