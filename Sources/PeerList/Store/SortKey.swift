// Bytes whose order is the order of the rows.
import FoundationEssentials

/// A row's place in its section, as bytes that are compared one by one.
struct SortKey: Hashable, Comparable {
    private let bytes: [UInt8]

    /// The place of an item in an order; equal ones go by their id.
    init(_ item: ListItem, by order: SortOrder) {
        let key: [UInt8] =
            switch order {
            case .name: Self.natural(item.sortName) + [0]
            case .address: Self.address(item.sortAddress)
            case .seen: item.sortTime.bigEndianBytes
            }
        bytes = key + item.id.bytes
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// A text in lower case, its numbers by their value: a run of digits is led by how many there are.
    static func natural(_ text: String) -> [UInt8] {
        var key: [UInt8] = []
        var rest = Array(text.lowercased().utf8)[...]
        while let first = rest.first {
            guard first.isDigit else {
                key.append(first)
                rest.removeFirst()
                continue
            }
            let run = rest.prefix(while: \.isDigit)
            let digits = run.drop { $0 == 0x30 }
            key += [0x30, UInt8(clamping: digits.count)] + digits
            rest.removeFirst(run.count)
        }
        return key
    }

    /// IPv4 before IPv6 before none.
    private static func address(_ text: String?) -> [UInt8] {
        guard let text else { return [2] }
        return text.contains(":") ? [1] + natural(text) : [0] + natural(text)
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

extension UUID {
    fileprivate var bytes: [UInt8] { unsafe withUnsafeBytes(of: uuid) { unsafe Array($0) } }
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
