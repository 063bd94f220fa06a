// Writes a file of expectations from what is there, or from what was ever there.
import FoundationEssentials
package import PeerModel
package import PeerSession
import PeerText

/// The text of a file in which everything is expected that is there, to be edited.
package struct WrittenExpectations {
    private var names: Set<String> = []
    package private(set) var text: String

    /// The number of devices in it.
    package var count: Int { names.count }

    /// Writes the devices of a list. Devices that leave with their owners may be away.
    package init(of sections: [ListSection]) {
        self.init("The devices that were there when 'peerlist expect --write' was run.")
        let peers = sections.flatMap(\.items).map(\.peer).filter { $0.isResolved && !$0.isSelf }
        for peer in peers {
            let isLasting = ![.hostName, .service].contains(peer.identity.source)
            let host = isLasting ? nil : peer.host.flatMap(Self.word)
            let criterion = host.map { "host = \($0)" } ?? "id = \(peer.id.uuidString.lowercased())"
            let isMobile = peer.kind == .phone || peer.kind == .tablet
            let types = Set(peer.services.map(\.type)).sorted().compactMap(Self.word)
            let details =
                [peer.kind?.title, peer.addresses.first].compactMap(\.self)
                + (types.isEmpty ? [] : ["services = \(types.joined(separator: ", "))"])
            add(
                peer.displayName, peer.id, criterion, isMobile ? "sometimes" : "always",
                details.map(printable))
        }
    }

    /// Writes the devices of the ledger, which may all be away.
    package init(of ledger: DeviceLedger) {
        self.init("The devices that were ever seen by the lists of this user.")
        let devices = ledger.current.sorted {
            ($0.value.title, $0.key) < ($1.value.title, $1.key)
        }
        for (id, device) in devices {
            add(
                device.title, id, "id = \(id.uuidString.lowercased())", "sometimes",
                [device.kind].compactMap(\.self).map(printable))
        }
    }

    private init(_ title: String) {
        text = """
            # \(title)
            # Edit it, and compare: peerlist expect FILE. docs/expect.md describes all keys.

            [network]
            newcomers = report


            """
        text.removeLast()
    }

    private mutating func add(
        _ title: String, _ id: UUID, _ criterion: String, _ presence: String, _ details: [String]
    ) {
        guard names.count < ExpectationFile.expectationLimit else { return }
        let digits = id.uuidString.lowercased().prefix(8)
        var name = Self.heading(title)
        if name.isEmpty { name = String(digits) }
        if names.contains(name) { name += " \(digits)" }
        guard names.insert(name).inserted else { return }
        text += "\n[device \(name)]\n"
        text += details.map { "# \($0)\n" }.joined()
        text += "\(criterion)\npresent = \(presence)\n"
    }

    /// Returns a name without what ends a heading or begins a comment, cut to what a heading may have.
    private static func heading(_ title: String) -> String {
        let text = printable(title).map { "[]#".contains($0) ? "-" : String($0) }.joined()
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var name = String(String.UnicodeScalarView(words.unicodeScalars.prefix(60)))
        while name.utf8.count > 200 { name.removeLast() }
        return name.split(separator: " ").joined(separator: " ")
    }

    /// Returns a text that can be a value as it is; `nil` for any other.
    private static func word(_ text: String) -> String? {
        let isWord =
            !text.isEmpty && text.utf8.count <= 255 && printable(text) == text
            && !text.contains { $0.isWhitespace || $0 == "#" || $0 == "," }
        return isWord ? text : nil
    }
}
