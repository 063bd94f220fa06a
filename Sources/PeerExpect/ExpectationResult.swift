// The result of comparing what is there with what is expected, and its forms for other programs.
package import FoundationEssentials
import PeerHappenings
package import PeerModel
import PeerRecording
package import PeerText

/// A form in which the result is written.
package enum ExpectationFormat: String, CaseIterable, Sendable {
    /// The text of a monitoring plug-in: a line with the state, and one for each fault.
    case plugin
    /// The same, with the exit status of a plug-in.
    case nagios
    case json, junit, prometheus

    /// Whether the result is the text of a monitoring plug-in.
    package var isPlugin: Bool { self == .plugin || self == .nagios }
}

/// The faults at a moment, or in the time of recordings.
package struct ExpectationResult: Equatable, Sendable {
    /// Whether all is as expected; it is not known if nothing is a fault and something is undecided.
    package enum Verdict: String, Sendable {
        case asExpected = "OK"
        case faulty = "CRITICAL"
        case unknown = "UNKNOWN"
    }

    /// The state of an expectation at the end.
    struct Standing: Equatable, Sendable {
        let name: String
        /// Whether it is met; `nil` if that is undecided.
        let isMet: Bool?
        /// The number of its devices that are known to be there.
        let count: Int
        /// The devices that are there, if several match an expected single device; at most ten.
        let several: [Fault.Device]
        /// The sentence about these devices; `nil` without any.
        let note: String?
    }

    /// The start of recordings; `nil` for a moment.
    let start: Timestamp?
    let time: Timestamp
    let presentCount: Int
    package let faults: [Fault]
    /// The expectations that are neither met nor faults, and devices that may be unexpected.
    package private(set) var undecided: [Undecided]
    /// The number of faults that are left out.
    let omittedCount: Int
    let standings: [Standing]
    let reportsNewcomers: Bool

    package init(
        of book: ExpectationBook, faults: [Fault], from start: Timestamp?, at time: Timestamp,
        omittedCount: Int
    ) {
        (self.start, self.time, self.faults) = (start, time, faults)
        self.omittedCount = omittedCount
        presentCount = book.presentCount
        reportsNewcomers = book.file.reportsNewcomers
        undecided = book.undecided
        let broken = Set(book.faults.lazy.compactMap(\.expectation))
        let open = Set(undecided.lazy.compactMap(\.expectation))
        let isReady = book.isReady
        standings = book.file.expectations.enumerated().map { index, expectation in
            let several = book.several(of: index)
            let names = listed(several.map(\.description), limit: 3)
            let note =
                "\(quoted(expectation.name)) is \(several.count) devices: \(names); write the ID of one"
            return Standing(
                name: expectation.name,
                isMet: broken.contains(expectation.name)
                    ? false : isReady && !open.contains(expectation.name) ? true : nil,
                count: book.count(of: index),
                several: several.prefix(Fault.deviceLimit).map { Fault.Device($0.item) },
                note: several.isEmpty ? nil : note)
        }
    }

    /// Judges what is there at a moment: whatever is not as expected is a fault, however long it has been so.
    package init(ofMoment book: inout ExpectationBook, at time: Timestamp) {
        let faults = book.judge()
        self.init(
            of: book, faults: faults, from: nil, at: time, omittedCount: book.omittedCount)
    }

    /// Notes that parts of the recordings cannot be read.
    package mutating func noteDamage() {
        undecided.insert(Undecided("parts of the recordings cannot be read"), at: 0)
    }

    /// Judges the items of a list at a moment; the observers are those of a fleet, and the answers those of devices at their
    /// addresses.
    package init(
        _ file: ExpectationFile, of sections: [ListSection],
        observers: [ObserverName: Bool]? = nil, answers: [UUID: [AddressAnswer]] = [:],
        at time: Timestamp
    ) {
        var book = ExpectationBook(file)
        book.begin()
        if let observers { book.sources.apply(observers) }
        for section in sections { for item in section.items { book.add(item, at: time) } }
        for (id, addresses) in answers { book.setAnswers(addresses, of: id, at: time) }
        book.becomeReady(at: time)
        self.init(ofMoment: &book, at: time)
    }

    package var verdict: Verdict {
        faults.isEmpty ? (undecided.isEmpty ? .asExpected : .unknown) : .faulty
    }

    package func text(
        _ format: ExpectationFormat, localTime: (Timestamp) -> LocalTime = { LocalTime($0) }
    ) -> String {
        switch format {
        case .plugin, .nagios: plugin(localTime)
        case .json: json
        case .junit: junit(localTime)
        case .prometheus: prometheus
        }
    }

    private func count(of kind: Fault.Kind) -> Int { faults.count { $0.kind == kind } }

    private func count(of reason: Undecided.Reason) -> Int {
        undecided.count { $0.reason == reason }
    }

    // MARK: Monitoring plug-ins

    /// Such as `PEERLIST CRITICAL - 1 missing, 1 unexpected | present=12`, a line for each fault, one for each
    /// undecided expectation, and one for each device that several are.
    private func plugin(_ localTime: (Timestamp) -> LocalTime) -> String {
        let counts =
            Fault.Kind.allCases.map { (count(of: $0), $0.rawValue) }
            + [(count(of: .pending), "pending"), (count(of: .unknown), "not known")]
        let summary = counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
        let first =
            switch verdict {
            case .asExpected: "all as expected"
            case .faulty: summary
            case .unknown: summary + "; " + (undecided.first?.text ?? "")
            }
        var lines = [
            "PEERLIST \(verdict.rawValue) - \(Self.withoutBar(first)) | present=\(presentCount)"
        ]
        lines += faults.map { fault in
            let span = start == nil ? "" : " \(fault.span(localTime))"
            return Self.withoutBar("\(fault.kind.rawValue)\(span): \(fault.text)")
        }
        lines += undecided.map { undecided in
            let since = undecided.since.map(localTime)
            let span = since.map { " since \($0.day) \($0.clock), for less than its time" } ?? ""
            let word = undecided.reason.rawValue
            return Self.withoutBar("\(word)\(span): \(undecided.text)")
        }
        lines += standings.compactMap(\.note).map { "several: " + Self.withoutBar($0) }
        if omittedCount > 0 { lines.append("\(counted(omittedCount, "more fault")) left out") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns the text of a plug-in that cannot tell what is there.
    package static func unknown(_ cause: String) -> String {
        "PEERLIST UNKNOWN - \(withoutBar(cause))\n"
    }

    /// Replaces what begins the figures of a plug-in, and what is no text.
    private static func withoutBar(_ text: String) -> String {
        // By scalar, because a bar with a combining mark is one character.
        String(
            String.UnicodeScalarView(printable(text).unicodeScalars.map { $0 == "|" ? "/" : $0 }))
    }

    // MARK: JSON

    private var json: String {
        jsonLine { members in
            members.member("type", "expectations")
            members.member("version", 1)
            if let start { members.member("since", start.description) }
            members.member("time", time.description)
            members.member("asExpected", verdict == .asExpected)
            members.member("present", presentCount)
            for kind in Fault.Kind.allCases { members.member(kind.rawValue, count(of: kind)) }
            for reason in Undecided.Reason.allCases {
                members.member(reason.rawValue, count(of: reason))
            }
            if omittedCount > 0 { members.member("omitted", omittedCount) }
            members.array("expectations") { list in
                for standing in standings {
                    list.object { members in
                        members.member("name", standing.name)
                        members.member("met", standing.isMet == true)
                        members.member("known", standing.isMet != nil)
                        members.member("count", standing.count)
                        guard !standing.several.isEmpty else { return }
                        members.array("devices") { list in
                            for device in standing.several {
                                list.object { device.writeMembers(to: &$0) }
                            }
                        }
                    }
                }
            }
            members.array("faults") { list in
                for fault in faults { list.object { fault.writeMembers(to: &$0) } }
            }
            guard !undecided.isEmpty else { return }
            members.array("undecided") { list in
                for undecided in undecided { list.object { undecided.writeMembers(to: &$0) } }
            }
        }
    }

    // MARK: JUnit

    /// A test case for each expectation, as continuous integration reads it; an undecided one is an error.
    private func junit(_ localTime: (Timestamp) -> LocalTime) -> String {
        let faults = Dictionary(grouping: faults, by: \.expectation)
        let undecided = Dictionary(grouping: undecided, by: \.expectation)
        let hasNewcomerCase = reportsNewcomers || undecided[nil] != nil
        let names: [String?] = standings.map(\.name) + (hasNewcomerCase ? [nil] : [])
        var counts = ["failure": 0, "error": 0]
        let cases = names.map { name -> String in
            let title = Self.xml(name ?? "no unexpected device")
            let start = "  <testcase classname=\"peerlist.expect\" name=\"\(title)\""
            let wrong: (element: String, type: String, texts: [String])
            if let faults = faults[name], let first = faults.first {
                let texts = faults.map { fault in
                    fault.text + (self.start == nil ? "" : " (\(fault.span(localTime)))")
                }
                wrong = ("failure", first.kind.rawValue, texts)
            } else if let open = undecided[name], let first = open.first {
                wrong = ("error", first.reason.rawValue, open.map(\.text))
            } else {
                return start + "/>\n"
            }
            counts[wrong.element, default: 0] += 1
            let text = Self.xml(wrong.texts.joined(separator: "\n"))
            return start + ">\n    <\(wrong.element) type=\"\(wrong.type)\" "
                + "message=\"\(Self.xml(wrong.texts[0]))\">\(text)</\(wrong.element)>\n  </testcase>\n"
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<testsuite name=\"peerlist expect\" tests=\"\(cases.count)\" "
            + "failures=\"\(counts["failure"] ?? 0)\" errors=\"\(counts["error"] ?? 0)\" "
            + "timestamp=\"\(time)\">\n" + cases.joined() + "</testsuite>\n"
    }

    /// Escapes what is markup in XML, or cannot be in it.
    private static func xml(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { printable(String($0)) }.joined(separator: "\n").unicodeScalars.map {
            switch $0 {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: String($0)
            }
        }.joined()
    }

    // MARK: Prometheus

    /// The text format of metrics, for the textfile collector of the node exporter.
    private var prometheus: String {
        func metric(_ name: String, _ help: String, _ values: [(labels: String, value: Int64)])
            -> String
        {
            guard !values.isEmpty else { return "" }
            return "# HELP peerlist_\(name) \(help)\n# TYPE peerlist_\(name) gauge\n"
                + values.map { "peerlist_\(name)\($0.labels) \($0.value)\n" }.joined()
        }
        func label(_ standing: Standing) -> String {
            "{expectation=\"\(Self.escaped(standing.name))\"}"
        }
        let newcomers = faults.count { $0.expectation == nil && $0.until == nil }
        let isKnown =
            reportsNewcomers
            && !undecided.contains { $0.expectation == nil && $0.reason == .unknown }
        return metric(
            "expectation_met", "Whether the expectation is met, if that is known.",
            standings.compactMap { standing in
                standing.isMet.map { (label(standing), $0 ? 1 : 0) }
            })
            + metric(
                "expectation_known", "Whether it is known if the expectation is met.",
                standings.map { (label($0), $0.isMet == nil ? 0 : 1) })
            + metric(
                "expectation_devices", "The number of devices of the expectation that are there.",
                standings.map { (label($0), Int64($0.count)) })
            + metric(
                "present_devices", "The number of devices that are there.",
                [("", Int64(presentCount))])
            + metric(
                "unexpected_devices", "The number of devices that no expectation is about.",
                isKnown ? [("", Int64(newcomers))] : [])
            + metric(
                "expect_timestamp_seconds", "The time at which it was so.",
                [("", time.microseconds / 1_000_000)])
    }

    private static func escaped(_ label: String) -> String {
        label.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined()
    }
}

extension Fault {
    /// Such as `from 2026-11-21 03:17:05 to 03:20:11 (3 minutes)`.
    fileprivate func span(_ localTime: (Timestamp) -> LocalTime) -> String {
        let start = localTime(since)
        guard let until else { return "since \(start.day) \(start.clock)" }
        let end = localTime(until)
        let time = spokenTime(from: since, to: until).map { " (\($0))" } ?? ""
        let day = end.day == start.day ? "" : "\(end.day) "
        return "from \(start.day) \(start.clock) to \(day)\(end.clock)\(time)"
    }

    fileprivate func writeMembers(to members: inout JSONWriter) {
        members.member("fault", kind.rawValue)
        if let expectation { members.member("expectation", expectation) }
        members.member("since", since.description)
        if let until { members.member("until", until.description) }
        members.member("text", text)
        members.array("devices") { list in
            for device in devices { list.object { device.writeMembers(to: &$0) } }
        }
        members.member("deviceCount", deviceCount)
        guard let nearest = candidates.first else { return }
        members.object("nearest") { nearest.writeMembers(to: &$0) }
        members.array("candidates") { list in
            for device in candidates { list.object { device.writeMembers(to: &$0) } }
        }
    }
}

extension Undecided {
    fileprivate func writeMembers(to members: inout JSONWriter) {
        members.member("state", reason.rawValue)
        if let expectation { members.member("expectation", expectation) }
        if let since { members.member("since", since.description) }
        members.member("text", text)
    }
}

extension Fault.Device {
    fileprivate func writeMembers(to members: inout JSONWriter) {
        members.member("id", id.uuidString.lowercased())
        members.member("name", name)
    }
}

extension FaultEvent {
    /// The event as a line of JSON.
    package var line: String { line(droppedCount: 0) }

    /// Returns the event as a line of JSON, with the number of earlier events that were dropped.
    func line(droppedCount: Int) -> String {
        jsonLine { members in
            members.member("type", "fault")
            members.member("version", 1)
            members.member("time", time.description)
            members.member("event", kind.rawValue)
            fault.writeMembers(to: &members)
            if droppedCount > 0 { members.member("dropped", droppedCount) }
        }
    }

    /// The event as a line for people.
    package func sentence(localTime: (Timestamp) -> LocalTime = { LocalTime($0) }) -> String {
        let now = localTime(time)
        let word = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
        return
            "\(now.day) \(now.clock) \(word) \(fault.span(localTime)): \(printable(fault.text))\n"
    }
}
