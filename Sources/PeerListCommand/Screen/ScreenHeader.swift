// What stands above the list: where we look, how many are there, and what is wrong.
import PeerList
import TerminalList

/// What is known for the lines above the list, and for the words in place of an empty one.
struct ScreenHeader {
    /// Who looks, and what the list is limited to; `nil` until the session has begun.
    var run: LineHeader?
    /// The recording that is shown, if it is one, what is wrong with it, and whether the list is not known here.
    var recording: (name: String, warning: String?, isLost: Bool)?

    /// What is wrong, oldest first; of a kind the latest only.
    private var warnings: [(code: Notice.Code, message: String)] = []

    /// Takes a notice; one that says that all is well again takes its warning away.
    mutating func note(_ notice: Notice) {
        switch notice.code {
        case .backendBack:
            warnings.removeAll { $0.code == .backendLost }
            if notice.backend == .daemon { warnings.removeAll { $0.code == .notConfined } }
        case .objectRoom: warnings.removeAll { $0.code == .objectLimit }
        case .cacheRoom: warnings.removeAll { $0.code == .cacheLimit }
        case .outputBack: warnings.removeAll { [.diskFull, .outputFailed].contains($0.code) }
        default:
            warnings.removeAll { $0.code == notice.code }
            warnings.append((notice.code, notice.message))
        }
    }

    /// Takes all warnings away.
    mutating func forgetWarnings() { warnings = [] }

    /// The lines above the list.
    func lines(_ counts: RowList.Counts, _ choices: RowChoices) -> ListHeader {
        let messages = warnings.map(\.message) + [recording?.warning].compactMap { $0 }
        let more = messages.count > 1 ? " (and \(counted(messages.count - 1, "more notice")))" : ""
        return ListHeader(
            (["peerlist"] + subject + scope).joined(separator: "  "),
            status: (amounts(counts, choices.grouping) + hidden(counts, choices))
                .joined(separator: ", "),
            warning: messages.last.map { $0 + more })
    }

    /// How many are shown, and of how many where that is not all.
    private func amounts(_ counts: RowList.Counts, _ grouping: Grouping) -> [String] {
        func amount(_ shown: Int, _ all: Int, _ word: String) -> String {
            shown == all ? counted(all, word) : "\(shown) of \(counted(all, word))"
        }
        let services = amount(counts.shown.services, counts.all.services, "service")
        if grouping == .type { return [services] }
        return [amount(counts.shown.devices, counts.all.devices, "peer"), services]
    }

    /// What is chosen so that not all are shown.
    private func hidden(_ counts: RowList.Counts, _ choices: RowChoices) -> [String] {
        var words: [String] = []
        if !choices.search.isEmpty { words.append("/\(choices.search)") }
        if !choices.hiddenTypes.isEmpty {
            words.append("\(counted(choices.hiddenTypes.count, "type")) off")
        }
        if choices.showsDeparted { words.append("\(counts.departed) departed") }
        return words
    }

    /// What is said where there is nobody.
    func emptyMessage(_ counts: RowList.Counts, _ choices: RowChoices) -> [String] {
        if !choices.search.isEmpty, counts.hiddenBySearch > 0 {
            return ["Nobody matches \"\(choices.search)\".", "Esc ends the search."]
        }
        if counts.servicesHiddenByType > 0 {
            return [
                "All that is here is of types that are switched off.", "Press t to choose types.",
            ]
        }
        return emptyMessage
    }

    private var emptyMessage: [String] {
        if let recording {
            if recording.isLost {
                return ["Lines are missing here: the list is known again from the next begin on."]
            }
            return [
                run == nil ? "Nothing has been recorded yet." : "Nobody was seen at this moment."
            ]
        }
        if warnings.contains(where: { $0.code == .backendLost }) {
            return ["Waiting for \(isEmbedded ? "the embedded stack" : "avahi-daemon")."]
        }
        return [
            run?.filter == LineHeader.Filter()
                ? "Nobody has been seen yet." : "Nobody that fits the filter has been seen yet.",
            """
            Peers appear by themselves as they announce services by multicast DNS. To see this \
            machine here, and in the list of others, run peerlist --announce.
            """,
            "If it stays empty: is UDP port 5353 open, and does the network pass multicast?",
        ]
    }

    private var isEmbedded: Bool { run?.backend == Backend.embedded.rawValue }

    private var scope: [String] {
        guard let run else { return [] }
        let scope =
            [run.filter.interface ?? "all interfaces"]
            + (isEmbedded ? ["without avahi-daemon"] : [])
            + [run.filter.family.map { $0 == .ipv4 ? "IPv4" : "IPv6" }, run.filter.domain]
            .compactMap { $0 } + run.filter.types
        return [scope.joined(separator: " ")]
    }

    /// The recording and who looked, where it is one.
    private var subject: [String] {
        recording.map { ["replay \($0.name)"] + (run.map { [$0.observerHost] } ?? []) } ?? []
    }

    private func counted(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}
