// Writes a report as one HTML file that loads nothing.
import FoundationEssentials
import Glibc
import PeerExpect
import PeerModel
import PeerRecording
package import PeerSystem
import PeerText

/// The state of a page that is kept up to date.
package struct PageState: Sendable {
    /// The time of the list that it shows.
    let time: Timestamp
    /// The observers of a fleet that are away.
    var away: [String] = []
    /// The faults of what is expected, in the order of their beginnings; `nil` if nothing is, or if it is not known
    /// yet.
    var faults: [Fault]?
    /// The expectations of which too little is known.
    var unknown: [Undecided] = []
    /// Whether it is not written again.
    var isLast = false

    /// The maximum number of observers that are named as away.
    private static let awayLimit = 20

    /// The sentences above the list.
    var remarks: [String] {
        let more = away.count - Self.awayLimit
        return (isLast ? ["peerlist has ended; the list is as it was then."] : [])
            + away.prefix(Self.awayLimit).map {
                "The observer \($0) is away: what it alone sees is not known."
            } + (more > 0 ? ["\(more) more observers are away."] : [])
    }
}

/// The HTML file of a report.
///
/// Text of other machines is escaped and appears as text alone, in plain tables that need no script. The
/// script copies their cells, and draws the times, which are JSON. The content security policy admits the
/// page's own style and script, by their hashes, and nothing else.
package struct ReportPage {
    /// The beginning of every report, by which an earlier one is recognised.
    package static let start = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="peerlist report">

        """

    /// The maximum number of hours in the plain table of arrivals and departures: 31 days.
    private static let plainHours = 744

    let report: Report
    /// Messages about what could not be read.
    let notices: [String]
    /// The state of a page that is kept up to date; `nil` for a report on recordings.
    let state: PageState?

    package init(_ report: Report, notices: [String], state: PageState? = nil) {
        (self.report, self.notices, self.state) = (report, notices, state)
    }

    /// Refuses to replace a file that is no earlier page.
    package static func check(_ entry: borrowing FileEntry) throws(FileRefusal) {
        guard let status = entry.status else { return }
        if status.kind == S_IFDIR { throw FileRefusal(entry.path, code: EISDIR) }
        guard status.kind == S_IFREG, status.st_size > 0 else { return }
        let descriptor = try entry.open(O_RDONLY)
        defer { close(descriptor) }
        let wanted = Array(Self.start.utf8)
        var found = [UInt8](repeating: 0, count: wanted.count)
        guard unsafe read(descriptor, &found, found.count) == wanted.count, found == wanted else {
            throw FileRefusal(
                entry.path,
                "exists and is not a report, so it is not replaced; write another name, or remove it"
            )
        }
    }

    package var text: String {
        let script = """
            <script type="application/json" id="report">\(data)</script>
            <script>\(ReportScript.text)</script>

            """
        let isEmpty = report.deviceCount == 0
        let attributes = state.map {
            " data-written=\"\($0.time.seconds)\"\($0.isLast ? " data-ended=\"1\"" : "")"
        }
        let watching = state == nil ? "" : "<script>\(WatchedReportScript.text)</script>\n"
        return """
            \(Self.start)\(head)<body\(attributes ?? "")>
            <header>
            \(heading)</header>
            \(state == nil ? "" : faultSection + presentSection)\
            <main>
            \(isEmpty ? "<p>No device was seen in this time.</p>\n" : tables)</main>
            <footer><p>Made by \(Version.line).</p></footer>
            \(isEmpty ? "" : script)\(watching)</body>
            </html>

            """
    }

    // MARK: Head

    private var isWatched: Bool { state != nil }

    /// Without scripts the page is loaded again too, but forgets what was chosen in it.
    private var watchedHead: String {
        """
        <style>\(WatchedReportStyle.text)</style>
        <noscript><meta http-equiv="refresh" content="60"></noscript>

        """
    }

    private var head: String {
        """
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src '\(ReportStyle.hash)'\(isWatched ? " '\(WatchedReportStyle.hash)'" : ""); \
        script-src '\(ReportScript.hash)'\
        \(isWatched ? " '\(WatchedReportScript.hash)'; connect-src 'self'" : ""); base-uri 'none'; \
        form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>\(isWatched ? "Who is on the network" : "Who was on the network, \(period)")</title>
        <style>\(ReportStyle.text)</style>
        \(isWatched ? watchedHead : "")</head>

        """
    }

    private var period: String {
        let (first, last) = (moment(report.span.lowerBound), moment(report.span.upperBound))
        let end = first.day == last.day ? "\(last.clock)" : "\(last.day), \(last.clock)"
        return "\(first.day), \(first.clock) to \(end)"
    }

    private var heading: String {
        // Where there is a script, it adds sections for newcomers and silent devices.
        var figures: [(number: Int, title: String, section: String?)] = [
            (report.deviceCount, "device", "devices"),
            (report.greatestCount, "most at one time", nil),
            (report.arrivals, "arrival", "changes"), (report.departures, "departure", "changes"),
            (report.newcomers.count, "newcomer", "devices"),
            (report.unanswered.count, "did not answer", "devices"),
        ]
        if isWatched { figures.insert((report.present.count, "here now", nil), at: 0) }
        let items = figures.map { number, title, section in
            let text = title + (number == 1 || title.contains(" ") ? "" : "s")
            let link = section.map { "<a href=\"#\($0)\">\(text)</a>" } ?? text
            return "<div><dt>\(report.deviceCount > 0 ? link : text)</dt><dd>\(number)</dd></div>\n"
        }
        let observers =
            report.observers.isEmpty ? "" : " Seen from \(shown(report.observers))."
        let remarks = remarks.map { "<li>\(escaped($0))</li>\n" }.joined()
        let title = """
            <h1>Who was on the network</h1>
            <p>\(period), local time (\(zone)).\(observers)</p>

            """
        return """
            \(state.map { stateHeading($0, observers) } ?? title)\
            \(remarks.isEmpty ? "" : "<ul class=\"remarks\">\n\(remarks)</ul>\n")<dl class="figures">
            \(items.joined())</dl>
            \(steady == nil ? "" : Self.choice)
            """
    }

    /// The heading of a watched page; the script shows its remark if the page is old.
    private func stateHeading(_ state: PageState, _ observers: String) -> String {
        """
        <h1>Who is on the network</h1>
        <p>As of \(time(state.time)), local time (\(zone)).\(observers) Below, since \
        \(time(report.span.lowerBound)).</p>
        <p id="stale" class="remarks" role="status" hidden>This page is as of \(time(state.time)) and was \
        not rewritten since: peerlist does not run, or the page cannot be loaded.</p>

        """
    }

    /// The style hides what neither came nor went, so that this needs no script.
    private static let choice = """
        <p class="choice"><label><input type="checkbox" id="changed"> \
        Only what came, went or fell silent</label></p>

        """

    /// The index of the first device that neither came nor went, if others did.
    private var steady: Int? {
        guard let index = report.devices.firstIndex(where: { !$0.hasChanged }), index > 0 else {
            return nil
        }
        return index
    }

    /// The offset from UTC such as `UTC+1`, or those at the start and the end.
    private var zone: String {
        let names = [report.span.lowerBound, report.span.upperBound].map { time in
            let minutes = report.offset(time) / 60
            let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
            let sign = minutes < 0 ? "−" : "+"
            let restText = rest == 0 ? "" : rest < 10 ? ":0\(rest)" : ":\(rest)"
            return minutes == 0 ? "UTC" : "UTC\(sign)\(hours)\(restText)"
        }
        return names[0] == names[1] ? names[0] : "\(names[0]), then \(names[1])"
    }

    private var remarks: [String] {
        var notices = notices.map { printable($0) }
        if let state { notices = state.remarks + notices }
        let gaps = report.coverage.count - 1
        guard gaps > 0 else { return notices }
        let span = report.span.upperBound.microseconds - report.span.lowerBound.microseconds
        return notices + [
            "\(gaps == 1 ? "One gap" : "\(gaps) gaps") in the recording, "
                + "\(duration(span - report.coverage.length)) in all: it is not known what "
                + "happened then."
        ]
    }

    // MARK: Tables

    /// The maximum number of faults in their table.
    private static let faultLimit = 100

    /// The faults of what is expected.
    private var faultSection: String {
        guard let faults = state?.faults, let unknown = state?.unknown else { return "" }
        guard !faults.isEmpty || !unknown.isEmpty else {
            return """
                <section id="faults" aria-label="Expectations">
                <p>Everything is as expected.</p>
                </section>

                """
        }
        let newest = faults.suffix(Self.faultLimit).reversed()
        let shownUnknown = unknown.prefix(Self.faultLimit)
        return table(
            "faults", faults.isEmpty ? "Not known to be as expected" : "Not as expected",
            omission(newest.count, faults.count, "faults, the latest")
                + omission(shownUnknown.count, unknown.count, "expectations that are not known"),
            ["Expectation", "What is wrong or not known", "Since"],
            newest.map { fault in
                [
                    shown(fault.expectation ?? "–"), shown(printable(fault.text)),
                    recent(fault.since),
                ]
            }
                + shownUnknown.map { unknown in
                    [shown(unknown.expectation ?? "–"), shown(printable(unknown.text)), "–"]
                })
    }

    /// The devices that are listed now.
    private var presentSection: String {
        let present = report.present
        guard present.count > 0 else {
            return """
                <section id="now" aria-label="Now">
                <h2>Now</h2>
                <p>No device is listed.</p>
                </section>

                """
        }
        return table(
            "now", "Now", omission(present.shown.count, present.count, "devices"),
            ["Device", "State", "Here since", "Addresses", "Services"],
            present.shown.map { present in
                let facts = present.device.facts
                return [
                    title(of: facts), stateCell(present),
                    present.since.map(recent) ?? "before \(recent(report.span.lowerBound))",
                    shown(facts.addresses), shown(titles(ofTypes: facts.offered)),
                ]
            })
    }

    private func stateCell(_ present: Report.Present) -> String {
        let text =
            switch present.presence {
            case .present: "present"
            case .unanswered: "does not answer"
            case .proxied: "does not answer itself"
            case .resolving: "resolving"
            case .unknown: "not known"
            }
        let since = present.silence.map { " <small>since \(recent($0))</small>" } ?? ""
        let look = present.presence.isSilent ? Presence.unanswered : present.presence
        return "<span class=\"state \(look.rawValue)\">\(text)</span>\(since)"
    }

    /// Returns a time without its day if that is the day of the page.
    private func recent(_ time: Timestamp) -> String {
        let (day, clock) = moment(time)
        guard let state, moment(state.time).day == day else { return self.time(time) }
        return "<time>\(clock)</time>"
    }

    private func titles(ofTypes types: [String]) -> [String] {
        types.prefix(6).map(serviceTitle) + more(types.count - 6)
    }

    /// The name of a device, with what it is.
    private func title(of facts: DeviceFacts) -> String {
        let description = [
            facts.description, facts.isSelf ? "observer" : "", facts.voucherText ?? "",
        ]
        .filter { !$0.isEmpty }.joined(separator: ", ")
        return shown(facts.name)
            + (description.isEmpty ? "" : "<small>\(shown(description))</small>")
    }

    private var tables: String {
        let hours = report.hours.suffix(Self.plainHours)
        return table(
            "devices", "Devices",
            omission(
                report.devices.count, report.deviceCount,
                "devices, those that were there longest, newcomers and silent ones"),
            [
                "Device", "Host", "Addresses", "Services", "From", "Until", "#Present",
                "#Arrivals", "First seen ever", "#Times silent", "#Silent in all", "#Longest",
                "Last silence", "Identifier",
            ], report.devices.map(cells), steady: steady)
            + table(
                "changes", "Arrivals and departures per hour",
                omission(hours.count, report.hours.count, "hours, the latest"),
                ["Hour", "#Arrivals", "#Departures"],
                hours.map { [time($0.start), "\($0.arrivals)", "\($0.departures)"] })
            + table(
                "kinds", "Services by kind of device", "",
                ["Kind", "#Devices", "Services, with their devices"],
                report.kinds.map { kind in
                    let types = kind.types.map { counted(serviceTitle($0.type), $0.count) }
                    let more = more(kind.typeCount - types.count)
                    return [title(kind.kind), "\(kind.count)", shown(types + more)]
                })
            + table(
                "services", "Services",
                omission(
                    report.services.shown.count, report.services.count, "types of services"),
                ["Service", "Type", "#Devices", "Kinds of devices"],
                report.services.shown.map { service in
                    [
                        shown(serviceTitle(service.type)),
                        "<code>\(shown(service.type))</code>", "\(service.count)",
                        shown(service.kinds.map { counted(title($0.kind), $0.count) }),
                    ]
                })
    }

    /// The cells of a device in the order of the columns.
    private func cells(_ device: Report.Device) -> [String] {
        let (facts, log, silences) = (device.facts, device.log, device.log.unanswered)
        let longest = silences.map(\.length).max() ?? 0
        return [
            title(of: facts),
            shown(facts.host ?? "–"), shown(facts.addresses),
            shown(titles(ofTypes: facts.types.sorted())),
            time(log.there.first?.start), time(log.there.last?.end),
            sorted(device.present.length, escaped(percent(device))), "\(device.arrivals)",
            time(facts.newSince), "\(device.silences)",
            sorted(silences.length, duration(silences.length)),
            sorted(longest, duration(longest)),
            time(silences.last?.start), "<code>\(device.id.uuidString.lowercased())</code>",
        ]
    }

    /// Returns a table whose first column names the rows; `#` begins the titles of columns of numbers. The rows
    /// from the index `steady` on are a part with a heading.
    private func table(
        _ id: String, _ title: String, _ remark: String, _ columns: [String], _ rows: [[String]],
        steady: Int? = nil
    ) -> String {
        let kinds = columns.map { $0.hasPrefix("#") ? " class=\"number\"" : "" }
        let heads = zip(columns, kinds).map { title, kind in
            "<th scope=\"col\"\(kind)>\(title.trimmingPrefix("#"))</th>"
        }
        var body = rows.map { row in
            "<tr><th scope=\"row\">\(row[0])</th>"
                + zip(row, kinds).dropFirst().map { "<td\($1)>\($0)</td>" }.joined() + "</tr>\n"
        }
        if let steady {
            body[steady] = """
                </tbody>
                <tbody class="steady">
                <tr class="group"><th scope="rowgroup" colspan="\(columns.count)">\
                Neither came nor went (\(rows.count - steady))</th></tr>
                \(body[steady])
                """
        }
        return """
            <section id="\(id)" aria-label="\(title)">
            <h2>\(title)</h2>
            \(remark.isEmpty ? "" : "<p class=\"remark\">\(remark)</p>\n")\
            <div class="scroll" tabindex="0" role="group" aria-label="\(title)"><table>
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>
            \(body.joined())</tbody>
            </table></div>
            </section>

            """
    }

    private func omission(_ shown: Int, _ all: Int, _ noun: String) -> String {
        shown < all ? "Shown are \(shown) of \(all) \(noun)." : ""
    }

    // MARK: Data

    /// The times as JSON, in seconds since the start of the report, without any text of others.
    private var data: String {
        let numbers = Dictionary(
            uniqueKeysWithValues: report.devices.enumerated().map { ($1.id, $0) })
        let pause = report.omittedPause
        func pairs(_ intervals: [Interval]) -> [[Int]] {
            intervals.map { [seconds($0.start), seconds($0.end)] }
        }
        var writer = JSONWriter()
        writer.object { page in
            page.member("start", Int(report.span.lowerBound.seconds))
            page.member("length", max(1, seconds(report.span.upperBound)))
            page.member("zones", report.zones.map { [seconds($0.start), Int($0.offset)] })
            page.member("gaps", pairs(report.gaps))
            page.member("gapCount", report.coverage.count - 1)
            page.member(
                "changes", report.hours.map { [seconds($0.start), $0.arrivals, $0.departures] })
            page.member("newcomers", report.newcomers.shown.compactMap { numbers[$0.id] })
            page.member("newcomerCount", report.newcomers.count)
            page.member("silent", report.unanswered.shown.compactMap { numbers[$0.id] })
            page.member("silentCount", report.unanswered.count)
            page.member("pause", pause < 0 ? nil : duration(pause))
            page.array("devices") { devices in
                for device in report.devices {
                    devices.object { lines in
                        for (name, line) in device.lines {
                            lines.member(name, pairs(line.omitting(pauses: pause)))
                        }
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Texts

    private func serviceTitle(_ type: String) -> String {
        KnownServiceType.of(type)?.title ?? type
    }

    private func title(_ kind: DeviceKind?) -> String { kind?.title ?? "unknown" }

    private func more(_ count: Int) -> [String] { count > 0 ? ["and \(count) more"] : [] }

    private func counted(_ title: String, _ count: Int) -> String {
        count == 1 ? title : "\(title) ×\(count)"
    }

    /// The part of the recorded time in which a device was present.
    private func percent(_ device: Report.Device) -> String {
        let covered = report.coverage.length
        guard covered > 0 else { return "–" }
        let percent = Double(device.present.length) / Double(covered) * 100
        // Only a device that was always there has 100 %.
        let rounded = percent >= 100 ? 100 : min(99, Int(percent.rounded()))
        return rounded == 0 && percent > 0 ? "<1 %" : "\(rounded) %"
    }

    private func duration(_ microseconds: Int64) -> String {
        let seconds = microseconds / 1_000_000
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min" : "\(seconds) s"
    }

    /// The time since the start of the report, in seconds.
    private func seconds(_ time: Timestamp) -> Int {
        Int(time.seconds - report.span.lowerBound.seconds)
    }

    private func moment(_ time: Timestamp) -> (day: String, clock: Substring) {
        let local = LocalTime(time, offset: report.offset(time))
        return (local.day, local.clock.prefix(5))
    }

    private func time(_ time: Timestamp?) -> String {
        time.map(moment).map { "<time>\($0.day) \($0.clock)</time>" } ?? "–"
    }
}

/// Returns text as HTML that shows it in an element.
private func escaped(_ text: String) -> String {
    let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
    return text.unicodeScalars.map { entities[$0] ?? String($0) }.joined()
}

/// Returns text of others, isolated so that its writing direction does not affect the text around it.
private func shown(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }

/// Returns texts of others separated by commas, or a dash.
private func shown(_ texts: [String]) -> String {
    texts.isEmpty ? "–" : texts.map { shown($0) }.joined(separator: ", ")
}

/// Returns a text that is sorted by a number.
private func sorted(_ value: Int64, _ text: String) -> String {
    "<data value=\"\(value)\">\(text)</data>"
}
