// What the doctor says, in words: no wider than a terminal of 80 columns, and nothing by colour alone.
import PeerList

/// Writes reports for people.
enum DoctorText {
    static let width = 80
    private static let margin = 9

    /// A check: its outcome and title, below it what was found and what to do.
    static func text(of report: CheckReport) -> String {
        let outcome = report.outcome.rawValue
        let head = outcome + spaces(margin - outcome.count) + report.check.title
        // What needs no more than one line gets no more.
        if report.findings.count == 1, let only = report.findings.first, only.advice == nil,
            case let line = "\(head): \(printable(only.text))", columns(line) <= width
        {
            return line + "\n"
        }
        let isMixed = Set(report.findings.map(\.outcome)).count > 1
        let lines = report.findings.flatMap { finding in
            let isMarked = isMixed && finding.outcome != .ok
            let mark = isMarked ? "\(finding.outcome.rawValue): " : ""
            return wrapped(mark + finding.text, from: margin, first: "")
                + (finding.advice.map { wrapped($0, from: margin + 3, first: "-> ") } ?? [])
        }
        return ([head] + lines).map { $0 + "\n" }.joined()
    }

    /// The closing line.
    static func summary(of reports: [CheckReport]) -> String {
        let problems = counted(reports.count(of: .problem), "problem")
        let warnings = counted(reports.count(of: .warning), "warning")
        let open = reports.count(of: .unknown)
        let found =
            problems == nil && warnings == nil
            ? "Nothing is wrong" : [problems, warnings].compactMap { $0 }.joined(separator: ", ")
        let rest = open == 0 ? "" : "; \(open) of \(reports.count) checks could not tell"
        return found + rest + ".\n"
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
