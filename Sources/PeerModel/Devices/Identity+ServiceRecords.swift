// Reads the evidence of a device's identity from the records of a service, and normalizes it.
import FoundationEssentials

extension Identity {
    /// Creates the identity by a place in the records of a service; `nil` if its value is absent or malformed.
    init?(_ identifier: DeviceClues.Identifier, in records: ServiceRecords) {
        guard let (rank, value) = identifier.value(in: records) else { return nil }
        self.init(rank, value: value, at: records.source(identifier.place))
    }
}

extension DeviceClues.Identifier {
    /// The maximum length of an identifier in bytes. Longer identifiers are ignored, because a part of an identifier
    /// identifies nothing.
    private static let lengthLimit = 128

    /// Returns the rank and the normalized value of the evidence in a service, or `nil`.
    fileprivate func value(in records: ServiceRecords) -> (Identity.Rank, String)? {
        guard let text = text(in: records), 4...Self.lengthLimit ~= text.utf8.count,
            text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }),
            text.utf8.contains(where: { !"0:-. ".utf8.contains($0) })
        else { return nil }
        switch self {
        case .announced:
            guard let id = UUID(uuidString: text), id.uuid.6 >> 4 == 5 else { return nil }
            return (.announced, id.uuidString.lowercased())
        case .uuid:
            // A program may announce any of the types that devices of many makers offer.
            return DeviceClues.isCommon(records.type) ? nil : uuid(text).map { (.serialNumber, $0) }
        case .mac, .binaryMAC: return hardwareAddress(text)
        case .installation(_, let program):
            return (.installation, uuid(text) ?? "serial:\(program):\(text)")
        case .device:
            if let uuid = uuid(text) {
                return DeviceClues.isCommon(records.type) ? nil : (.serialNumber, uuid)
            }
            return hardwareAddress(text).flatMap { $0.0 == .hardwareAddress ? $0 : nil }
        case .serial(_, let vendor):
            if text.utf8.contains(where: ":-".utf8.contains), MACAddress(text) != nil {
                return hardwareAddress(text)
            }
            // Without a known maker, a serial number is unique among the devices of a type that one maker has.
            let isOfType = !vendor.isMaker || DeviceClues.isOfOneMaker(records.type)
            guard let vendor = records.text(vendor)?.lowercased() ?? (isOfType ? records.type : nil)
            else { return nil }
            if vendor == records.type, isPlaceholder(text) { return nil }
            return (.serialNumber, uuid(text) ?? "serial:\(vendor):\(text)")
        case .homeKit where !isSixPairs(text): return nil
        case .pairing, .homeKit:
            // The first type of the row stands for all of them.
            let type = records.clues.types.first ?? records.type
            return (.pairing, uuid(text) ?? "pairing:\(type):\(text)")
        }
    }

    /// Whether a text is too short to be the serial number of an unknown maker, or a value that was never set.
    private func isPlaceholder(_ text: String) -> Bool {
        let digits = text.utf8.filter { 0x30...0x39 ~= $0 }
        return text.utf8.count < 5 || digits.isEmpty || Set(text.utf8).count < 3
            || "01234567890123456789".contains(text)
    }

    /// Whether a text is six pairs of hexadecimal digits with colons.
    private func isSixPairs(_ text: String) -> Bool {
        let pairs = text.utf8.split(separator: 0x3A, omittingEmptySubsequences: false)
        return pairs.count == 6 && pairs.allSatisfy { $0.count == 2 && isHexadecimal($0) }
    }

    private func text(in records: ServiceRecords) -> String? {
        if case .binaryMAC = self, let bytes = records.bytes(place), bytes.count == 8 {
            return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        return records.text(place)?.lowercased()
    }

    /// Normalizes a UUID; `nil` for other texts and for the UUIDs of zeros and of ones.
    private func uuid(_ text: String) -> String? {
        let prefix = ["urn:uuid:", "uuid:"].first(where: text.hasPrefix) ?? ""
        let bytes = text.utf8.dropFirst(prefix.utf8.count)
        let digits = bytes.filter { !"-_{}".utf8.contains($0) }
        guard digits.count == 32, isHexadecimal(digits), digits.contains(where: { $0 != digits[0] })
        else { return nil }
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map {
            String(decoding: digits[$0], as: UTF8.self)
        }
        return "uuid:" + parts.joined(separator: "-")
    }

    /// Normalizes a MAC address (12 hexadecimal digits) or an extended address (16).
    ///
    /// An extended address that contains a MAC address around an inserted FFFE counts as the MAC address. Multicast
    /// addresses do not identify devices. Addresses that start with CCCC are invented by AirConnect.
    private func hardwareAddress(_ text: String) -> (Identity.Rank, String)? {
        var digits = String(decoding: text.utf8.filter { !":-. ".utf8.contains($0) }, as: UTF8.self)
        guard [12, 16].contains(digits.utf8.count), isHexadecimal(digits.utf8),
            let first = UInt8(digits.prefix(2), radix: 16), first & 1 == 0
        else { return nil }
        let isUniversal = first & 2 == 0 && !digits.hasPrefix("cccc")
        if isUniversal, digits.utf8.count == 16, digits.dropFirst(6).hasPrefix("fffe") {
            digits = String(digits.prefix(6) + digits.suffix(6))
        }
        return (isUniversal ? .hardwareAddress : .pairing, "mac:\(digits)")
    }
}
