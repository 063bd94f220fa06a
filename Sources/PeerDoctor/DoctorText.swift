// Formats the results of `peerlist doctor`, as text that fits the terminal or as JSON.
import PeerModel
import PeerRecording
import PeerText
import TerminalText

enum DoctorText {
    static let maximumWidth = 80
    /// The width below which lines are not wrapped any narrower.
    private static let minimumWidth = 40
    private static let margin = 9

    static func width(on descriptor: Int32) -> Int {
        let columns = FrameSize(ofWindow: descriptor)?.columns ?? maximumWidth
        return max(minimumWidth, min(maximumWidth, columns))
    }

    /// Returns the text of a check: outcome and title, then what was found and what to do.
    static func text(of report: CheckReport, width: Int = maximumWidth) -> String {
        let outcome = report.outcome.rawValue
        let room = width - margin
        let head = outcome + spaces(margin - outcome.count)
        if report.findings.count == 1, let only = report.findings.first, only.advice == nil {
            let line = "\(head)\(report.title): \(printable(only.text))"
            if columns(line) <= width { return line + "\n" }
        }
        let isMixed = Set(report.findings.map(\.outcome)).count > 1
        let lines = report.findings.flatMap { finding in
            let mark = isMixed && finding.outcome != .ok ? "\(finding.outcome.rawValue): " : ""
            return wrapped(mark + finding.text, room: room)
                + indented("-> ", wrapped(finding.advice ?? "", room: room - 3))
        }
        return indented(head, wrapped(report.title, room: room) + lines)
            .map { $0 + "\n" }.joined()
    }

    /// Returns the last line: the number of problems and warnings.
    static func summary(of reports: [CheckReport], width: Int = maximumWidth) -> String {
        let counts = [DoctorOutcome.problem, .warning].compactMap { outcome in
            let count = reports.count { $0.outcome == outcome }
            return count == 0 ? nil : counted(count, outcome.rawValue)
        }
        let found = counts.isEmpty ? "No problems found" : counts.joined(separator: ", ")
        let open = reports.count { $0.outcome == .unknown }
        let rest = open == 0 ? "" : "; \(open) of \(reports.count) checks inconclusive"
        return wrapped(found + rest + ".", room: width).map { $0 + "\n" }.joined()
    }

    static func json(_ reports: [CheckReport], host: String?, at time: Timestamp) -> String {
        jsonLine { line in
            line.member("version", 1)
            line.member("time", time.description)
            line.member("host", host)
            line.member("outcome", (reports.map(\.outcome).max() ?? .unknown).rawValue)
            line.array("checks") { checks in
                for report in reports { checks.object { write(report, to: &$0) } }
            }
        }
    }

    private static func write(_ report: CheckReport, to object: inout JSONWriter) {
        object.member("name", report.id)
        object.member("title", report.title)
        object.member("outcome", report.outcome.rawValue)
        object.array("findings") { findings in
            for finding in report.findings {
                findings.object { object in
                    object.member("outcome", finding.outcome.rawValue)
                    object.member("text", finding.text)
                    object.member("advice", finding.advice)
                    for (key, value) in finding.facts { write(key, value, to: &object) }
                }
            }
        }
    }

    private static func write(_ key: String, _ value: Finding.Value, to object: inout JSONWriter) {
        switch value {
        case .text(let text): object.member(key, text)
        case .number(let number): object.member(key, number)
        case .texts(let texts): object.member(key, texts)
        case .senders(let senders):
            object.array(key) { array in
                for sender in senders {
                    array.object {
                        $0.member("address", sender.address)
                        $0.member("name", sender.name)
                        $0.member("packetsPerMinute", sender.packetsPerMinute)
                        $0.member("bytesPerMinute", sender.bytesPerMinute)
                        $0.member("questions", sender.questions)
                        $0.member("answers", sender.answers)
                    }
                }
            }
        case .paths(let paths):
            object.array(key) { array in
                for path in paths {
                    array.object {
                        $0.member("interface", path.interface.name)
                        $0.member("family", path.family.rawValue)
                    }
                }
            }
        }
    }
}

extension DoctorText {
    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    /// Prepends `head` to the first line, and as many spaces to the others.
    private static func indented(_ head: String, _ lines: [String]) -> [String] {
        lines.enumerated().map { ($0 == 0 ? head : spaces(head.count)) + $1 }
    }

    private static func wrapped(_ text: String, room: Int) -> [String] {
        filled(words(printable(text), room), room: room)
    }

    /// Splits a text into words; a command in quotation marks is one word if it fits into a line.
    private static func words(_ text: String, _ room: Int) -> [String] {
        var words: [String] = []
        var isQuoted = false
        for part in text.split(separator: " ") {
            if isQuoted {
                words[words.count - 1] += " \(part)"
                isQuoted = !part.contains("'")
            } else {
                words.append(String(part))
                let opened = part.drop { $0 == "(" }
                isQuoted = opened.first == "'" && !opened.dropFirst().contains("'")
            }
        }
        return words.flatMap { word in
            columns(word) <= room ? [word] : word.split(separator: " ").map(String.init)
        }
    }
}
