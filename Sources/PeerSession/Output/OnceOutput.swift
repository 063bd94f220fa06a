// Writes the list once, when a one-shot session ends.
package import FoundationEssentials
import PeerHappenings
package import PeerModel
package import PeerRecording
import PeerText

package final class OnceOutput: ListOutput {
    package enum Form: Sendable {
        /// JSON lines: a `begin` that holds the whole list, the notices, and the `end`.
        case lines
        /// The text that the function returns; notices go to standard error.
        case text(@Sendable (List) -> String)
    }

    /// The list at the end of the session.
    package struct List: Sendable {
        package let header: LineHeader
        package let sections: [ListSection]
        /// The observers of a fleet, and whether they are online; `nil` for the list of this machine.
        package let observers: [ObserverName: Bool]?
        /// The answers of the devices that were asked at their addresses.
        package let answers: [UUID: [AddressAnswer]]
    }

    private let writer: LineWriter
    private let form: Form
    private var header: LineHeader?
    private var notices: [Notice] = []
    private var observers: [ObserverName: Bool] = [:]
    private var answers: [UUID: [AddressAnswer]] = [:]
    /// The size of the list that was written, in bytes.
    private var size = 0

    /// Creates an output to a writer without a limit.
    package init(_ writer: LineWriter, _ form: Form) { (self.writer, self.form) = (writer, form) }

    package var isGrouped: Bool { true }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .began(let header), .handedOver(let header): self.header = header
        case .noticed(let notice): notices.append(notice)
        case .ended(let reason):
            guard var header else { return }
            header.fill = .over
            switch form {
            case .lines:
                var encoder = LineEncoder()
                encoder.begin(header, sections: list(), at: time) { piece in
                    size += piece.count
                    writer.write(piece)
                }
                for notice in notices { writer.write(encoder.notice(notice)) }
                writer.write(encoder.end(reason, at: time))
            case .text(let text):
                for notice in notices { complain(notice.message) }
                // An interrupted session writes no text.
                guard reason == .finished else { return }
                let ending = List(
                    header: header, sections: list(),
                    observers: header.isFleet ? observers : nil, answers: answers)
                let bytes = Array(text(ending).utf8)
                size = bytes.count
                writer.write(bytes)
            }
        case .answered(let id, let addresses): answers[id] = addresses
        case .sources(let sources): observers = sources.observers ?? [:]
        case .lost, .fill, .updated, .happened, .sighted, .tick, .reopened: break
        }
    }

    /// Waits until the list is written, with another second for each MiB.
    package func close(within limit: Duration) async -> LineFailure? {
        await writer.close(within: limit + .seconds(size >> 20))
    }
}

/// The message of a one-shot command that finds nothing, with advice.
package struct NothingFound: Equatable {
    let message: String
    /// Advice, starting with the most likely cause.
    let advice: [String]

    package init(_ filter: LineHeader.Filter, isFleet: Bool = false) {
        let types = filter.types.map(DiscoveryProtocol.text).joined(separator: ", ")
        let kinds = filter.kinds.map(\.title).joined(separator: " or ")
        let noDevice = "no \(kinds.isEmpty ? "device" : kinds)"
        message =
            types.isEmpty
            ? (kinds.isEmpty ? "no devices found" : noDevice + " found")
            : "\(noDevice) offers \(types)"
        advice =
            [
                types.isEmpty ? nil : "leave out --type to list devices with other services",
                kinds.isEmpty
                    ? nil : "leave out --kind to list devices of other kinds and of no known kind",
                filter.vouched.isEmpty
                    ? nil : "leave out --vouched to list devices whoever answers for them",
                filter.interface.map { "leave out --interface \($0) to browse on all interfaces" },
                filter.family.map {
                    "leave out \($0 == .ipv4 ? "-4" : "-6") to browse over IPv4 and IPv6"
                },
                filter.domain.map { "leave out --domain \($0) to browse the default domain" },
            ].compactMap(\.self) + (isFleet ? Self.fleetAdvice : Self.linkAdvice)
    }

    private static let linkAdvice = [
        "wait longer: --timeout 15",
        "let UDP port 5353 pass the firewalls, here and on the other machines",
        "on Wi-Fi, check whether the access point blocks multicast between its clients",
        "find the cause: peerlist doctor",
    ]

    private static let fleetAdvice = [
        "start observers: peerlist --publish URL, with the same broker and prefix",
        "check that the broker allows this user to read the topics of the observers",
        "find the cause: peerlist doctor --broker URL",
    ]

    package func report() {
        let lines = advice.map { "\n  - \(printable($0))" }.joined()
        writeError("\(printable(message)); try this:\(lines)")
    }
}
