// The lines around the list: title, counts, warnings, activity, and the message of an empty list.
import PeerHappenings
import PeerModel
import PeerRecording
import PeerText
import TerminalList

/// The state of the lines above the list, and of the message of an empty one.
struct ScreenHeader {
    /// The observer and the filter; `nil` until the session has begun.
    var run: LineHeader?
    /// The name of the recording, its damage, and whether the list is unknown at this position.
    var recording: (name: String, warning: String?, isLost: Bool)?
    /// The interfaces on which is listened, with their first addresses; `nil` if unknown, as in a
    /// recording.
    var network: String?
    var isRecording = false
    /// Whether the list is shown to choose rows for another program.
    var isPicking = false
    /// Whether the recording is the demo.
    var isDemo = false

    /// The current warnings, oldest first; of each code and source the latest.
    private var warnings: [Notice] = []

    /// The time after which what was not found is probably not there.
    private static let search = Duration.seconds(3)
    /// The time after which the message of an empty list recommends the doctor.
    private static let patience = Duration.seconds(10)

    /// Adds a notice's warning, or removes the warnings that it resolves.
    mutating func note(_ notice: Notice) {
        let resolved: [Notice.Code]? =
            switch notice.code {
            case .linkBack, .linkExpired: [.linkLost]
            case .backendBack: [.backendLost] + (notice.backend == .daemon ? [.notConfined] : [])
            case .objectRoom: [.objectLimit]
            case .cacheRoom: [.cacheLimit]
            case .brokerBack: [.brokerLost, .brokerRefused]
            case .outputBack: [.diskFull, .outputFailed]
            default: nil
            }
        warnings.removeAll {
            (resolved ?? [notice.code]).contains($0.code) && $0.isOfSameSource(as: notice)
        }
        if resolved == nil { warnings.append(notice) }
    }

    mutating func removeWarnings() { warnings = [] }

    func lines(_ counts: RowList.Counts, _ choices: RowChoices, _ charset: Charset) -> ListHeader {
        let messages = warnings.map(Self.text) + [recording?.warning].compactMap { $0 }
        let more = messages.count > 1 ? " (and \(counted(messages.count - 1, "more notice")))" : ""
        let sign = charset == .ascii ? "*" : "●"
        return ListHeader(
            title, badge: isRecording ? .init("\(sign) rec", style: Style(tone: .bad)) : nil,
            status: status(counts, choices).joined(separator: ", "),
            warning: messages.last.map { $0 + more })
    }

    private static func text(_ warning: Notice) -> String {
        guard warning.code == .linkLost else { return warning.message }
        let time = LocalTime(warning.time).clock.prefix(5)
        return "\(warning.event) since \(time); the list is as it was"
    }

    /// The name and the observer of the recording, the interfaces, the filter, and the backend.
    private var title: String {
        let filter = run?.filter
        let types = filter?.types.map(DiscoveryProtocol.text).joined(separator: " ") ?? ""
        let kinds = filter?.kinds.map(\.title).joined(separator: ", ") ?? ""
        let vouched = filter?.vouched.map(\.rawValue).joined(separator: ", ") ?? ""
        let parts: [String?] = [
            isPicking ? "peerlist pick" : isFleet ? "peerlist fleet" : "peerlist",
            recording.map {
                isDemo ? "a demo; 'peerlist' lists your network" : "replay \($0.name)"
            },
            recording == nil || isDemo ? nil : run?.observerHost,
            network?.isEmpty != false || run == nil ? filter?.interface : network,
            filter?.family.map { $0 == .ipv4 ? "IPv4" : "IPv6" }, filter?.domain,
            types.isEmpty ? nil : "only \(types)", kinds.isEmpty ? nil : "only kind \(kinds)",
            vouched.isEmpty ? nil : "only vouched \(vouched)",
            isEmbedded && recording == nil ? "own mDNS stack" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: "  ")
    }

    private var isFleet: Bool { run?.isFleet == true }

    private var isEmbedded: Bool { run?.backend == Backend.embedded.rawValue }

    /// Returns the numbers of visible rows, and of all if some are hidden, and what hides them.
    private func status(_ counts: RowList.Counts, _ choices: RowChoices) -> [String] {
        func amount(_ shown: Int, _ all: Int, _ word: String) -> String {
            shown == all ? counted(all, word) : "\(shown) of \(counted(all, word))"
        }
        var texts = [amount(counts.shown.services, counts.all.services, "service")]
        if choices.grouping == .device {
            texts.insert(amount(counts.shown.devices, counts.all.devices, "peer"), at: 0)
            if counts.silent > 0 { texts.insert("\(counts.silent) silent", at: 1) }
        }
        if isFleet {
            texts.append(observers(counts))
            if counts.hiddenObservers > 0 { texts.append("\(counts.hiddenObservers) off") }
            let shown = counts.observers - counts.hiddenObservers
            if choices.showsMatrix, shown > Observers.columnLimit {
                texts.append("columns for \(Observers.columnLimit)")
            }
        }
        // The prompt shows what is being typed.
        if !choices.search.isEmpty, !isPicking { texts.append("/\(choices.search)") }
        if !choices.hiddenTypes.isEmpty { texts.append(choices.hiddenTypes.summary) }
        if choices.showsDeparted || counts.departed > 0 {
            texts.append("\(counts.departed) departed")
        }
        return texts
    }

    private func observers(_ counts: RowList.Counts) -> String {
        let away = counts.awayObservers > 0 ? " (\(counts.awayObservers) away)" : ""
        return counted(counts.observers, "observer") + away
    }

    /// Returns the paragraphs of the message of an empty list, some time after the first frame; `departed` says
    /// what has left it.
    func emptyMessage(
        _ counts: RowList.Counts, _ choices: RowChoices, departed: String? = nil,
        waited: Duration
    ) -> [String] {
        if !choices.search.isEmpty, counts.hiddenBySearch > 0 || departed != nil {
            let isLooking = recording == nil && waited < Self.search
            return [
                isLooking
                    ? "Still looking: nothing matches \"\(choices.search)\" yet."
                    : "Nothing matches \"\(choices.search)\".",
                isPicking ? "Ctrl-U shows all." : "Esc ends the search.",
            ]
        }
        if counts.servicesHiddenByType > 0 {
            return [
                "All services here are of types that are switched off.",
                "Press t to choose types.",
            ]
        }
        if counts.hiddenByObserver > 0 {
            return [
                "All devices here are seen only by observers that are switched off.",
                "Press O to choose observers.",
            ]
        }
        if let recording {
            if recording.isLost {
                return ["Lines are missing here: the list is known again from the next begin on."]
            }
            if let departed { return [departed] }
            return [
                run == nil ? "Nothing has been recorded yet." : "The list was empty at this moment."
            ]
        }
        if warnings.contains(where: { $0.code == .backendLost }) {
            return ["Waiting for \(isEmbedded ? "the embedded stack" : "avahi-daemon")."]
        }
        if let departed { return [departed] }
        if isFleet {
            if let trouble = warnings.last(where: {
                [.brokerLost, .brokerRefused].contains($0.code)
            }) {
                return [sentence(trouble.message), "It is tried again and again."]
            }
            return [
                run?.filter == LineHeader.Filter()
                    ? "No observer has published a device yet."
                    : "No device of the observers matches the filter yet.",
                counts.observers > 0
                    ? "Known so far: \(observers(counts))."
                    : "Start an observer on each network: peerlist --publish URL",
                "Still empty? peerlist doctor --broker URL checks what stands in the way.",
            ]
        }
        let interfaces = network.map { $0.isEmpty ? "no usable interface" : $0 } ?? "all interfaces"
        return [
            run?.filter == LineHeader.Filter()
                ? "Nothing found yet." : "Nothing matches the filter yet.",
            "Listening on \(interfaces) for \(waited.components.seconds) s.",
            waited >= Self.patience
                ? "Still empty? peerlist doctor checks what stands in the way."
                : "Devices appear as they announce services.",
            "To show this machine in the lists of others, run peerlist --announce.",
        ]
    }
}

extension ListHistory {
    /// Returns the line with the arrivals and departures of each minute of the hour before a time; in a
    /// narrow window it has fewer minutes.
    func activityLine(until end: Timestamp, columns: Int, charset: Charset) -> [ListCell.Field] {
        let (arrivals, departures) = perMinute(until: end)
        let arrived = "  last hour  +\(arrivals.reduce(0, +)) "
        let departed = "  -\(departures.reduce(0, +)) "
        let room = (columns - arrived.count - departed.count - 1) / 2
        let greatest = max(1, (arrivals + departures).max() ?? 1)
        func bars(_ counts: [Int], _ tone: Style.Tone) -> ListCell.Field {
            .init(
                Sparkline.text(counts.suffix(max(0, room)), of: greatest, charset: charset),
                style: Style(tone: tone))
        }
        return [
            .init(arrived, style: .muted), bars(arrivals, .good),
            .init(departed, style: .muted), bars(departures, .bad),
        ]
    }
}
