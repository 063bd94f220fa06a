// Writes a file of expectations from what is there, or from what was ever there.
import FoundationEssentials
package import PeerLedger
package import PeerModel
import PeerText

/// The text of a file in which everything is expected that is there, to be edited.
package struct WrittenExpectations {
    private var names: Set<String> = []
    package private(set) var text: String
    /// The number of devices that are left out, because the file would be larger than one that is read.
    package private(set) var omittedCount = 0

    /// The number of devices in it.
    package var count: Int { names.count }

    /// Writes the devices of a list. Devices that leave with their owners may be away.
    package init(of sections: [ListSection]) {
        self.init("The devices that were there when 'peerlist expect --write' was run.")
        let peers = sections.flatMap(\.items).map(\.peer).filter { $0.isResolved && !$0.isSelf }
        for peer in peers {
            let isLasting = ![.hostName, .service].contains(peer.identity.source)
            let isMobile = peer.kind == .phone || peer.kind == .tablet
            let types = Set(peer.services.map(\.type)).sorted().compactMap(Self.word)
            let details =
                [peer.kind?.title, peer.addresses.first].compactMap(\.self)
                + (types.isEmpty ? [] : ["services = \(types.joined(separator: ", "))"])
            add(
                peer.displayName, peer.id, host: isLasting ? nil : peer.host,
                isMobile ? "sometimes" : "always", details)
        }
    }

    /// Writes the devices of the ledger, which may all be away.
    package init(of ledger: DeviceLedger) {
        self.init("The devices that were ever seen by the lists of this user.")
        let devices = ledger.current.sorted {
            ($0.value.title, $0.key) < ($1.value.title, $1.key)
        }
        for (id, device) in devices {
            add(device.title, id, host: nil, "sometimes", [device.kind].compactMap(\.self))
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

    /// Adds a section of a device, under a name and with a criterion that are read as they are written.
    private mutating func add(
        _ title: String, _ id: UUID, host: String?, _ presence: String, _ details: [String]
    ) {
        let identifier = id.uuidString.lowercased()
        let heading = Self.heading(title)
        let digits = identifier.prefix(8)
        let name = [heading, "\(heading) \(digits)", "\(digits)", identifier]
            .first { !names.contains($0) && Self.isRead($0) }
        guard let name else { return omittedCount += 1 }
        let host = host.flatMap { Self.isRead(name, host: $0) ? "host = \($0)" : nil }
        let comments = details.map { "# \(printable($0))\n" }.joined()
        let section =
            "\n[device \(name)]\n\(comments)\(host ?? "id = \(identifier)")\npresent = \(presence)\n"
        guard names.count < ExpectationFile.expectationLimit,
            text.utf8.count + section.utf8.count <= ExpectationFile.sizeLimit
        else { return omittedCount += 1 }
        names.insert(name)
        text += section
    }

    /// Whether a section of a name, and a host name as its criterion, are read as they are written.
    private static func isRead(_ name: String, host: String? = nil) -> Bool {
        let criterion = host.map { "host = \($0)\n" } ?? ""
        let (file, errors) = ExpectationFile.parse(Array("[device \(name)]\n\(criterion)".utf8))
        guard errors.isEmpty, let read = file.expectations.first, file.expectations.count == 1
        else { return false }
        return read.name == name
            && (host == nil || read.criteria == host.map { [.host(FoldedWord($0))] })
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
