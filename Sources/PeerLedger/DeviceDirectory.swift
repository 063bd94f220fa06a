// Finds the devices that a user's word stands for: an identifier, a label, a name or a host name.
package import FoundationEssentials
package import PeerModel
import PeerText

/// The devices that a user can name.
package struct DeviceDirectory: Sendable {
    /// A device, and the texts by which a user knows it.
    package struct Entry: Equatable, Sendable {
        package let id: UUID
        package let label: String?
        /// The names, the present one first.
        package let names: [String]
        package let hostName: String?
        package let lastSeen: Timestamp

        package init(_ peer: Peer) {
            (id, label, names, hostName) = (peer.id, peer.label, [peer.name], peer.host)
            lastSeen = peer.lastSeen
        }

        package init(_ id: UUID, _ device: LedgerDevice) {
            (self.id, label, names, hostName) = (id, device.label, device.names, device.host)
            lastSeen = device.lastSeen
        }

        package var title: String { label ?? names.first ?? "" }
        /// The other names of the device, without former ones.
        package var otherNames: [String] {
            var others: [String] = []
            for name in [names.first, hostName].compactMap(\.self) where name != title {
                if !others.contains(name) { others.append(name) }
            }
            return others
        }

        /// The present names: the device's name, its host name, and the host's first label.
        fileprivate var presentNames: [String] {
            let label = hostName.map { String($0.prefix { $0 != "." }) }
            return [names.first, hostName, label].compactMap(\.self)
        }
    }

    /// The devices that a word names.
    package enum Match: Equatable, Sendable {
        case none
        case one(UUID)
        case several([UUID])

        fileprivate init(_ ids: [UUID]) {
            self = ids.isEmpty ? .none : ids.count == 1 ? .one(ids[0]) : .several(ids.sorted())
        }
    }

    /// The maximum size of a name that may be a mistyped word, in bytes.
    private static let nearLimit = 64

    let entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    /// Returns the devices that a word names.
    ///
    /// A label, which the user chose, comes before everything that a device says of itself. A name has no
    /// precedence over four digits of an identifier, so that no stranger takes the place of the device that
    /// the user means: the word then stands for both. Fewer digits, and former names, count if nothing else
    /// matches.
    ///
    /// - Complexity: O(*n*) for *n* devices.
    package func match(_ word: String) -> Match { match(levels(word, digits: 4)) }

    /// Returns the devices that a query stands for as a whole: by an identifier, eight digits of it, a label,
    /// a name or a host name.
    package func match(query: String) -> Match { match(levels(query, digits: 8).prefix(2)) }

    private func match(_ levels: some Sequence<(Entry) -> Bool>) -> Match {
        for isMatch in levels {
            let ids = entries.filter(isMatch).map(\.id)
            if !ids.isEmpty { return Match(ids) }
        }
        return .none
    }

    /// Returns the ways in which a word can name a device; the first way that finds a device counts.
    private func levels(_ word: String, digits: Int) -> [(Entry) -> Bool] {
        guard !word.isEmpty else { return [] }
        let (folded, start) = (FoldedText.folded(word), word.lowercased())
        func isFolded(_ name: String) -> Bool { FoldedText.folded(name) == folded }
        func begins(_ entry: Entry) -> Bool {
            entry.id.uuidString.lowercased().hasPrefix(start)
        }
        return [
            { $0.label == word },
            { entry in
                ([entry.label].compactMap(\.self) + entry.presentNames).contains(where: isFolded)
                    || start.utf8.count >= digits && begins(entry)
            },
            begins,
            { $0.names.contains(where: isFolded) },
        ]
    }

    /// Returns the titles of up to three devices that a word which matches none may have meant: those in
    /// which its words occur, or else the nearest one.
    package func titles(near word: String) -> [String] {
        let needle = SearchNeedle(word)
        let found = entries.filter { entry in
            var text: [UInt8] = []
            FoldedText.append([entry.title] + entry.presentNames, to: &text, limit: .max - 1)
            return !needle.isEmpty
                && needle.words.allSatisfy {
                    SearchNeedle.first($0, in: text, text.indices) != nil
                }
        }.map(\.title)
        guard found.isEmpty else { return Array(Set(found).sorted().prefix(3)) }
        let names = entries.lazy.map(\.title).filter { $0.utf8.count <= Self.nearLimit }
        return nearestName(to: word, among: names).map { [$0] } ?? []
    }

    /// A word for each device that stands for it alone: its title, or else its identifier. An option begins
    /// with a hyphen, and so does no word.
    package var words: [(word: String, entry: Entry)] {
        var owners: [[UInt8]: Int] = [:]
        for entry in entries {
            let texts = Set((entry.presentNames + [entry.title]).map(FoldedText.folded))
            for text in texts { owners[text, default: 0] += 1 }
        }
        return entries.map { entry in
            let title = entry.title
            let isWord =
                owners[FoldedText.folded(title)] == 1 && !title.isEmpty && !title.hasPrefix("-")
                && printable(title) == title && !Self.isHexadecimal(title)
            return (isWord ? title : entry.id.uuidString.lowercased(), entry)
        }
    }

    /// Whether a title may be the beginning of an identifier too.
    private static func isHexadecimal(_ title: String) -> Bool {
        title.allSatisfy { $0 == "-" || $0.isHexDigit }
    }
}

extension DeviceLedger {
    /// The devices with their present identifiers.
    package var directory: DeviceDirectory { DeviceDirectory(current.map { .init($0, $1) }) }
}
