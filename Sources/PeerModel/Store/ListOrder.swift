// Keeps the rows in order while they come and go, so that making a snapshot needs no sorting.
import DiffCore
package import FoundationEssentials
import Glibc

/// The sort key of a row in its section: bytes in lexicographic order that end with the row's identifier. It does
/// not depend on a locale, so it is the same on every observer.
package struct SortKey: Hashable, Comparable, Sendable {
    private let bytes: [UInt8]

    private init(_ key: consuming [UInt8], _ id: UUID) {
        unsafe withUnsafeBytes(of: id.uuid) { unsafe key.append(contentsOf: $0) }
        bytes = key
    }

    package init(_ item: ListItem, by order: SortOrder) {
        switch order {
        case .name: self.init(name: item.name, id: item.id)
        case .address: self.init(address: item.peer.addresses.first, id: item.id)
        case .seen:
            let time = UInt64(bitPattern: item.peer.firstSeen.microseconds).bigEndian
            self.init(unsafe withUnsafeBytes(of: time) { unsafe Array($0) }, item.id)
        case .type:
            let type = item.service?.type ?? item.peer.services.first?.type
            self.init(type: type, name: item.name, id: item.id)
        case .kind: self.init(kind: item.peer.kind, name: item.name, id: item.id)
        }
    }

    /// Creates a key by name: without regard to case, numbers by their value.
    package init(name: String, id: UUID) { self.init(Self.natural(name) + [0], id) }

    /// Creates a key by service type and then by name; a row without a type is last.
    package init(type: String?, name: String, id: UUID) {
        let type = type.map { Array($0.lowercased().utf8) } ?? [0xFF]
        self.init(type + [0] + Self.natural(name) + [0], id)
    }

    /// Creates a key by the title of a kind and then by name; a row of no known kind is last.
    package init(kind: DeviceKind?, name: String, id: UUID) {
        self.init(type: kind?.title, name: name, id: id)
    }

    /// Creates a key by address: IPv4 before IPv6 before none, by number.
    package init(address: String?, id: UUID) { self.init(Self.bytes(ofAddress: address), id) }

    package static func < (left: SortKey, right: SortKey) -> Bool {
        let (left, right) = (left.bytes, right.bytes)
        let order = unsafe memcmp(left, right, min(left.count, right.count))
        return order < 0 || order == 0 && left.count < right.count
    }

    /// Returns a text in lower case, with each number preceded by the number of its digits, so that numbers sort by
    /// value.
    private static func natural(_ text: String) -> [UInt8] {
        let bytes = Array(text.lowercased().utf8)
        let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte }
        var key: [UInt8] = []
        key.reserveCapacity(bytes.count + 24)
        var rest = bytes[...]
        while let byte = rest.first {
            guard isDigit(byte) else {
                key.append(rest.removeFirst())
                continue
            }
            let digits = rest.prefix(while: isDigit)
            rest = rest[digits.endIndex...]
            let number = digits.drop { $0 == 0x30 }
            key += [0x30, UInt8(clamping: number.count)]
            key += number
        }
        return key
    }

    /// Returns the family, number and scope of an address; a text that is not an address sorts last.
    private static func bytes(ofAddress text: String?) -> [UInt8] {
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

/// The sections in order, each with its rows in order.
package struct ListOrder: Sendable {
    private struct Section: Sendable {
        let id: String
        var keys: [SortKey] = []
        var items: [UUID] = []

        /// Returns the position of the row with a key; `nil` if there is none.
        func position(of key: SortKey) -> Int? {
            let position = keys.partitionIndex { $0 >= key }
            return position < keys.count && keys[position] == key ? position : nil
        }

        /// Removes and inserts rows; the ranges of rows between them are moved as a whole.
        mutating func apply(_ edits: [Edit]) {
            var (keys, items): ([SortKey], [UUID]) = ([], [])
            keys.reserveCapacity(self.keys.count + edits.count)
            items.reserveCapacity(self.keys.count + edits.count)
            var kept = 0
            for edit in edits.sorted(by: { $0.key < $1.key }) {
                let position = max(kept, self.keys.partitionIndex { $0 >= edit.key })
                keys += self.keys[kept..<position]
                items += self.items[kept..<position]
                kept = position
                if let item = edit.inserted {
                    keys.append(edit.key)
                    items.append(item)
                } else if position < self.keys.count, self.keys[position] == edit.key {
                    kept += 1
                }
            }
            keys += self.keys[kept...]
            items += self.items[kept...]
            (self.keys, self.items) = (keys, items)
        }
    }

    /// The insertion of a row, or the removal of the row with a key.
    private struct Edit {
        let key: SortKey
        var inserted: UUID?
    }

    /// The section and the key of a row.
    package typealias Place = (item: UUID, section: String, key: SortKey)

    private var sections: [Section] = []

    package init() {}

    /// Creates the order of many rows at once; of rows with equal identifiers, the first counts.
    ///
    /// - Complexity: O(*n* log *n*) comparisons; inserting one by one would also move O(*n*²) bytes.
    package init(_ rows: [Place]) {
        var items: Set<UUID> = []
        update(removing: [], placing: rows.filter { items.insert($0.item).inserted })
    }

    /// The sections that are not empty, each with its rows.
    package var rows: [(section: String, items: [UUID])] { sections.map { ($0.id, $0.items) } }

    /// Inserts a row that is not present.
    ///
    /// - Complexity: O(log *n*) comparisons, and O(*n*) bytes moved.
    package mutating func insert(_ row: Place) {
        let index = indexOfSection(row.section)
        let position = sections[index].keys.partitionIndex { $0 >= row.key }
        sections[index].keys.insert(row.key, at: position)
        sections[index].items.insert(row.item, at: position)
    }

    /// Removes a row if it is present, and its section with the last row.
    package mutating func remove(_ row: Place) {
        guard let index = sections.firstIndex(where: { $0.id == row.section }),
            let position = sections[index].position(of: row.key)
        else { return }
        sections[index].keys.remove(at: position)
        sections[index].items.remove(at: position)
        if sections[index].items.isEmpty { sections.remove(at: index) }
    }

    /// The maximum number of rows that are moved one by one.
    private static let fewRows = 64

    /// Removes and inserts rows; a row that moves is both removed and inserted.
    ///
    /// - Complexity: O(*m* log *n*) comparisons for *m* rows. O(*n*) bytes are moved for each of few rows, or once for
    ///   many rows.
    package mutating func update(
        removing removed: [Place], placing rows: [Place]
    ) {
        guard removed.count + rows.count > Self.fewRows else {
            for row in removed { remove(row) }
            for row in rows { insert(row) }
            return
        }
        var edits: [String: [Edit]] = [:]
        for row in removed { edits[row.section, default: []].append(Edit(key: row.key)) }
        for row in rows {
            edits[row.section, default: []].append(Edit(key: row.key, inserted: row.item))
        }
        for (id, edits) in edits { sections[indexOfSection(id)].apply(edits) }
        sections.removeAll(where: \.items.isEmpty)
    }

    package func snapshot() -> PeerListSnapshot {
        var snapshot = PeerListSnapshot()
        snapshot.appendSections(sections.map(\.id))
        for section in sections { snapshot.appendItems(section.items, toSection: section.id) }
        return snapshot
    }

    /// Returns the index of a section, inserting it if necessary: `local` first, then by name.
    private mutating func indexOfSection(_ id: String) -> Int {
        let rank = { (id: String) in (id == "local" ? 0 : 1, id) }
        let index = sections.firstIndex { rank($0.id) >= rank(id) } ?? sections.count
        if index == sections.count || sections[index].id != id {
            sections.insert(Section(id: id), at: index)
        }
        return index
    }
}
