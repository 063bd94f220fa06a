// The facts about a device that outputs show, with their names there, and why an output leaves one out.
import FoundationEssentials
package import PeerModel

// To add a fact that a peer has, add a row. `DeviceFactTests` compares the outputs with the rows.

/// A fact about a device, and the outputs that show it.
package struct DeviceFact: Sendable {
    /// The outputs that show single facts. The JSON lines have all fields of a peer.
    package enum Output: Sendable, CaseIterable {
        case details, csv, prometheus, ansible, hooks, placeholders, search, homeAssistant
    }

    /// The nature of a fact, and how it is read from a device; `nil` if it is not known.
    package enum Reading: Sendable {
        /// A text that the device or the user chooses, and that a program might take for more than a text.
        case chosen(@Sendable (Peer) -> String?)
        /// A word of a closed set, and its title for people.
        case word(@Sendable (Peer) -> String?, title: @Sendable (Peer) -> String?)
        case exact(@Sendable (Peer) -> String?)
        case list(@Sendable (Peer) -> [String])
        /// Each output writes it in a form of its own.
        case own
    }

    /// The name in CSV and, after a prefix, of labels and variables.
    package let key: String
    package let reading: Reading
    /// The title in the details; `nil` if they show it in a form of their own.
    package let title: String?
    package let outputs: Set<Output>
    /// The reason for which the other outputs leave it out.
    package let omission: String?

    private init(
        _ key: String, _ reading: Reading, title: String? = nil,
        in outputs: Set<Output> = Set(Output.allCases), else omission: String? = nil
    ) {
        (self.key, self.reading, self.title) = (key, reading, title)
        (self.outputs, self.omission) = (outputs, omission)
    }

    /// All facts, in the order of the columns of CSV.
    package static let all: [DeviceFact] = {
        let asProperties: Set<Output> = [.details, .csv, .prometheus, .ansible, .hooks, .search]
        return [
            DeviceFact(
                "id", .exact { $0.id.uuidString.lowercased() },
                in: Set(Output.allCases).subtracting([.search]),
                else: "a search finds the evidence from which it was computed"),
            DeviceFact("name", .chosen(\.name)),
            DeviceFact("label", .chosen(\.label)),
            DeviceFact(
                "kind", .word({ $0.kind?.rawValue }, title: { $0.kind?.title }), title: "Kind",
                in: asProperties,
                else: "an action lists its kinds, and a tracker has no member for it"),
            DeviceFact(
                "maker", .chosen(\.maker), title: "Maker",
                in: asProperties.union([.homeAssistant]), else: "a command uses what is reached"),
            DeviceFact(
                "model", .chosen(\.model), title: "Model",
                in: asProperties.union([.homeAssistant]), else: "a command uses what is reached"),
            DeviceFact(
                "host", .exact(\.host), in: asProperties.union([.placeholders]),
                else: "a tracker stays when its device is renamed"),
            DeviceFact(
                "addresses", .list(\.addressesByReach), in: asProperties.union([.placeholders]),
                else: "a tracker stays when its device gets another address"),
            DeviceFact(
                "reach",
                .list { peer in
                    peer.addressesByReach.compactMap { address in
                        peer.reach[address].map { "\(address)=\($0.rawValue)" }
                    }
                },
                in: [.details, .csv, .hooks],
                else: "the others take the addresses in the order in which to try them"),
            DeviceFact(
                "macs", .list(\.macs),
                in: [.details, .csv, .hooks, .placeholders, .homeAssistant],
                else: "targets have addresses, and rows stay as they are when one is learned"),
            DeviceFact(
                "protocols",
                .exact { peer in
                    let names = peer.protocols.map(\.rawValue)
                    return names.isEmpty ? nil : names.joined(separator: " ")
                },
                title: "Found by", in: [.details, .csv, .hooks],
                else: "it tells how the device is known, not what it is"),
            DeviceFact(
                "presence", .exact(\.presence.rawValue), in: [.details, .csv],
                else: "hooks get an event and trackers a state; the others say what a device is"),
            DeviceFact(
                "first_seen", .own, in: [.details, .csv],
                else: "the others say what a device is, and the line of a hook has its times"),
            DeviceFact(
                "last_seen", .own, in: [.details, .csv],
                else: "the others say what a device is, and the line of a hook has its times"),
            DeviceFact(
                "identity", .exact(\.identity.value), in: [.details, .search],
                else: "the identifier stands for it"),
            DeviceFact(
                "interfaces", .list(\.interfaces), in: [.details, .search],
                else: "they are of the machine that looks"),
            DeviceFact(
                "vouched_by", .own, in: [.details, .hooks],
                else: "it tells how the device is known, not what it is"),
        ]
    }()

    /// Returns the facts that an output shows as they are read.
    package static func all(in output: Output) -> [DeviceFact] {
        all.filter { fact in
            if case .own = fact.reading { return false }
            return fact.outputs.contains(output)
        }
    }
}

extension DeviceFact {
    /// Whether the device or the user chooses the text.
    package var isChosen: Bool { if case .chosen = reading { true } else { false } }

    /// Returns the fact of a device if it is a single text.
    package func text(of peer: Peer) -> String? {
        switch reading {
        case .chosen(let read), .word(let read, _), .exact(let read): read(peer)
        case .list, .own: nil
        }
    }

    /// Returns the texts of the fact of a device.
    package func texts(of peer: Peer) -> [String] {
        if case .list(let read) = reading { return read(peer) }
        return text(of: peer).map { [$0] } ?? []
    }

    /// Returns the fact as the details show it to people.
    package func detail(of peer: Peer) -> String? {
        if case .word(_, let title) = reading { title(peer) } else { text(of: peer) }
    }
}
