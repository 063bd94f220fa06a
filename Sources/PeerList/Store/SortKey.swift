// Bytes whose order is the order of the rows.
package import FoundationEssentials
import Glibc

/// A row's place in its section, as bytes that are compared one by one; equal ones go by the row's id.
///
/// No locale has a say, so every observer has the same order.
package struct SortKey: Hashable, Comparable, Sendable {
    private let bytes: [UInt8]

    private init(_ key: consuming [UInt8], _ id: UUID) {
        unsafe withUnsafeBytes(of: id.uuid) { unsafe key.append(contentsOf: $0) }
        bytes = key
    }

    /// The place of an item in an order.
    init(_ item: ListItem, by order: SortOrder) {
        switch order {
        case .name: self.init(name: item.sortName, id: item.id)
        case .address: self.init(address: item.sortAddress, id: item.id)
        case .seen: self.init(time: item.sortTime, id: item.id)
        }
    }

    /// A place by a name, as ``natural(_:)`` has it.
    package init(name: String, id: UUID) { self.init(Self.natural(name) + [0], id) }

    /// A place by a service type and then by a name; what has no type comes last.
    package init(type: String?, name: String, id: UUID) {
        let type = type.map { Array($0.lowercased().utf8) } ?? [0xFF]
        self.init(type + [0] + Self.natural(name) + [0], id)
    }

    /// A place by an address: IPv4 before IPv6 before none, by number.
    package init(address: String?, id: UUID) { self.init(Self.address(address), id) }

    /// A place by a moment, the earliest first.
    package init(time: Timestamp, id: UUID) { self.init(time.bigEndianBytes, id) }

    /// Whether one stands before the other.
    package static func < (left: SortKey, right: SortKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// A text in lower case, its numbers by their value: a run of digits is led by how many there are.
    static func natural(_ text: String) -> [UInt8] {
        let bytes = Array(text.lowercased().utf8)
        var key: [UInt8] = []
        key.reserveCapacity(bytes.count + 24)
        var place = 0
        while place < bytes.count {
            guard bytes[place].isDigit else {
                key.append(bytes[place])
                place += 1
                continue
            }
            let end = bytes[place...].firstIndex { !$0.isDigit } ?? bytes.count
            while place < end, bytes[place] == 0x30 { place += 1 }
            key.append(0x30)
            key.append(UInt8(clamping: end - place))
            key.append(contentsOf: bytes[place..<end])
            place = end
        }
        return key
    }

    /// The family, the number, the scope; a text that is no address stands behind all that are.
    private static func address(_ text: String?) -> [UInt8] {
        guard let text else { return [3] }
        let number = text.prefix { $0 != "%" }
        let isIPv6 = number.utf8.contains(UInt8(ascii: ":"))
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        guard unsafe inet_pton(isIPv6 ? AF_INET6 : AF_INET, String(number), &bytes) == 1 else {
            return [2] + natural(text) + [0]
        }
        return [isIPv6 ? 1 : 0] + bytes + text.utf8.dropFirst(number.utf8.count) + [0]
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}

extension Timestamp {
    fileprivate var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: microseconds >> (56 - 8 * $0)) }
    }
}

extension ListItem {
    fileprivate var sortName: String {
        switch self {
        case .peer(let peer): peer.name
        case .service(let listing): listing.service.name
        }
    }

    fileprivate var sortAddress: String? {
        switch self {
        case .peer(let peer): peer.addresses.first
        case .service(let listing): listing.peer.addresses.first
        }
    }

    fileprivate var sortTime: Timestamp {
        switch self {
        case .peer(let peer): peer.firstSeen
        case .service(let listing): listing.firstSeen
        }
    }
}
