// What stands above the list: where we look, how many are there, and what is wrong.
import PeerList
import PeerRecording
import TerminalList

/// What is known for the lines above the list, and for the words in place of an empty one.
struct ScreenHeader {
    /// Who looks, and what the list is limited to; `nil` until the session has begun.
    var run: LineHeader?
    /// The recording that is shown, if it is one, what is wrong with it, and whether the list is not known here.
    var recording: (name: String, warning: String?, isLost: Bool)?

    /// The interfaces that are listened on, each with its first address; `nil` where that is not known,
    /// as in a recording.
    var network: String?
    /// Whether the list is recorded into a file.
    var isRecording = false

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
    func lines(_ counts: RowList.Counts, _ choices: RowChoices, _ charset: Charset) -> ListHeader {
        let messages = warnings.map(\.message) + [recording?.warning].compactMap { $0 }
        let more = messages.count > 1 ? " (and \(counted(messages.count - 1, "more notice")))" : ""
        let sign = charset == .ascii ? "*" : "●"
        return ListHeader(
            (["peerlist"] + subject + scope + stack).joined(separator: "  "),
            badge: isRecording ? .init("\(sign) rec", style: Style(tone: .bad)) : nil,
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

    /// The paragraphs shown in place of an empty list.
    ///
    /// - Parameters:
    ///   - counts: How many rows are hidden, and why.
    ///   - choices: What is chosen.
    ///   - waited: How long the list has been shown.
    /// - Returns: Its paragraphs.
    func emptyMessage(
        _ counts: RowList.Counts, _ choices: RowChoices, waited: Duration
    ) -> [String] {
        if !choices.search.isEmpty, counts.hiddenBySearch > 0 {
            return ["Nothing matches \"\(choices.search)\".", "Esc ends the search."]
        }
        if counts.servicesHiddenByType > 0 {
            return [
                "All services here are of types that are switched off.",
                "Press t to choose types.",
            ]
        }
        return emptyMessage(waited: waited)
    }

    private func emptyMessage(waited: Duration) -> [String] {
        if let recording {
            if recording.isLost {
                return ["Lines are missing here: the list is known again from the next begin on."]
            }
            return [
                run == nil ? "Nothing has been recorded yet." : "The list was empty at this moment."
            ]
        }
        if warnings.contains(where: { $0.code == .backendLost }) {
            return ["Waiting for \(isEmbedded ? "the embedded stack" : "avahi-daemon")."]
        }
        let place = network.map { $0.isEmpty ? "no usable interface" : $0 } ?? "all interfaces"
        let isLate = waited >= Self.patience
        return [
            run?.filter == LineHeader.Filter()
                ? "Nothing found yet." : "Nothing matches the filter yet.",
            "Listening on \(place) for \(waited.components.seconds) s.",
            isLate
                ? "Still empty? peerlist doctor checks what stands in the way."
                : "Devices appear as they announce services.",
            "To show this machine in the lists of others, run peerlist --announce.",
        ]
    }

    /// How long an empty list is nothing to worry about.
    private static let patience = Duration.seconds(10)

    private var isEmbedded: Bool { run?.backend == Backend.embedded.rawValue }

    /// Where is listened, and what for.
    private var scope: [String] {
        guard let run else { return [] }
        let family = run.filter.family.map { $0 == .ipv4 ? "IPv4" : "IPv6" }
        let place = network.flatMap { $0.isEmpty ? nil : $0 } ?? run.filter.interface
        return [place, family, run.filter.domain].compactMap { $0 }
            + (run.filter.types.isEmpty ? [] : ["only " + run.filter.types.joined(separator: " ")])
    }

    /// Which stack is asked, where it is not the usual one.
    private var stack: [String] {
        guard isEmbedded, recording == nil else { return [] }
        return ["own mDNS stack (avahi-daemon is down)"]
    }

    /// The recording and who looked, where it is one.
    private var subject: [String] {
        recording.map { ["replay \($0.name)"] + (run.map { [$0.observerHost] } ?? []) } ?? []
    }

    private func counted(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}
