// What the doctor says, in words: no wider than the terminal, and nothing by colour alone.
import PeerList
import PeerRecording
import TerminalList

/// Writes reports for people.
enum DoctorText {
    /// How wide lines are where no terminal is narrower; a line to be read is not longer.
    static let usualWidth = 80
    /// How narrow they become at the most; narrower terminals break them.
    private static let leastWidth = 40
    private static let margin = 9

    /// How wide lines are on a descriptor.
    static func width(on descriptor: Int32) -> Int {
        let columns = FrameSize(ofWindow: descriptor)?.columns ?? usualWidth
        return max(leastWidth, min(usualWidth, columns))
    }

    /// A check: its outcome and title, below it what was found and what to do.
    static func text(of report: CheckReport, width: Int = usualWidth) -> String {
        let outcome = report.outcome.rawValue
        let room = width - margin
        let lead = outcome + spaces(margin - outcome.count)
        // What needs no more than one line gets no more.
        if report.findings.count == 1, let only = report.findings.first, only.advice == nil,
            case let line = "\(lead)\(report.check.title): \(printable(only.text))",
            columns(line) <= width
        {
            return line + "\n"
        }
        let isMixed = Set(report.findings.map(\.outcome)).count > 1
        let lines = report.findings.flatMap { finding in
            let isMarked = isMixed && finding.outcome != .ok
            let mark = isMarked ? "\(finding.outcome.rawValue): " : ""
            let advice = finding.advice.map { wrapped($0, room: room - 3) } ?? []
            return wrapped(mark + finding.text, room: room).map { spaces(margin) + $0 }
                + advice.enumerated().map { place, line in
                    spaces(margin) + (place == 0 ? "-> " : spaces(3)) + line
                }
        }
        let head = wrapped(report.check.title, room: room).enumerated().map { place, line in
            (place == 0 ? lead : spaces(margin)) + line
        }
        return (head + lines).map { $0 + "\n" }.joined()
    }

    /// The closing line.
    static func summary(of reports: [CheckReport], width: Int = usualWidth) -> String {
        let problems = counted(reports.count(of: .problem), "problem")
        let warnings = counted(reports.count(of: .warning), "warning")
        let open = reports.count(of: .unknown)
        let found =
            problems == nil && warnings == nil
            ? "Nothing is wrong" : [problems, warnings].compactMap { $0 }.joined(separator: ", ")
        let rest = open == 0 ? "" : "; \(open) of \(reports.count) checks could not tell"
        return wrapped(found + rest + ".", room: width).map { $0 + "\n" }.joined()
    }

    /// All of it as one line of JSON.
    static func json(_ reports: [CheckReport], host: String?, at time: Timestamp) -> String {
        var text = JSONWriter()
        text.object { line in
            line.member("version", 1)
            line.member("time", time.description)
            line.member("host", host)
            let worst = reports.map(\.outcome).max() ?? .unknown
            line.member("outcome", worst.rawValue)
            line.array("checks") { checks in
                for report in reports {
                    checks.object { write(report, to: &$0) }
                }
            }
        }
        return String(decoding: text.bytes, as: UTF8.self) + "\n"
    }

    private static func write(_ report: CheckReport, to object: inout JSONObjectWriter) {
        object.member("name", report.check.rawValue)
        object.member("title", report.check.title)
        object.member("outcome", report.outcome.rawValue)
        object.array("findings") { findings in
            for finding in report.findings {
                findings.object { object in
                    object.member("outcome", finding.outcome.rawValue)
                    object.member("text", finding.text)
                    object.member("advice", finding.advice)
                    for fact in finding.facts { write(fact, to: &object) }
                }
            }
        }
    }

    private static func write(_ fact: Finding.Fact, to object: inout JSONObjectWriter) {
        switch fact.value {
        case .text(let text): object.member(fact.key, text)
        case .number(let number): object.member(fact.key, number)
        case .texts(let texts): object.member(fact.key, texts)
        case .objects(let objects):
            object.array(fact.key) { array in
                for facts in objects {
                    array.object { for fact in facts { write(fact, to: &$0) } }
                }
            }
        }
    }

    private static func counted(_ count: Int, _ noun: String) -> String? {
        count == 0 ? nil : "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

/// Names with commas between them and "and" before the last: `a, b and c`.
func listed(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
}

extension AddressFamily {
    /// What people call it.
    var title: String { self == .ipv4 ? "IPv4" : "IPv6" }
}
