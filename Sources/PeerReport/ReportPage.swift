// Writes a report as one HTML file that loads nothing.
import FoundationEssentials
import PeerList
import PeerRecording
import PeerText

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

    /// The maximum number of hours in the plain table of arrivals and departures: those of 31 days.
    private static let plainHours = 744

    let report: Report
    /// Messages about what could not be read.
    let notices: [String]

    package init(_ report: Report, notices: [String]) {
        (self.report, self.notices) = (report, notices)
    }

    package var text: String {
        let script = """
            <script type="application/json" id="report">\(data)</script>
            <script>\(ReportScript.text)</script>

            """
        let isEmpty = report.deviceCount == 0
        return """
            \(Self.start)\(head)<body>
            <header>
            \(heading)</header>
            <main>
            \(isEmpty ? "<p>No device was seen in this time.</p>\n" : tables)</main>
            <footer><p>Made by \(Version.line).</p></footer>
            \(isEmpty ? "" : script)</body>
            </html>

            """
    }

    // MARK: Head

    private var head: String {
        """
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src '\(ReportStyle.hash)'; script-src '\(ReportScript.hash)'; base-uri 'none'; \
        form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>Who was on the network, \(period)</title>
        <style>\(ReportStyle.text)</style>
        </head>

        """
    }

    private var period: String {
        let (first, last) = (moment(report.span.lowerBound), moment(report.span.upperBound))
        let end = first.day == last.day ? "\(last.clock)" : "\(last.day), \(last.clock)"
        return "\(first.day), \(first.clock) to \(end)"
    }

    private var heading: String {
        // Where there is a script, it adds sections for newcomers and silent devices.
        let figures: [(number: Int, title: String, section: String?)] = [
            (report.deviceCount, "device", "devices"),
            (report.greatestCount, "most at one time", nil),
            (report.arrivals, "arrival", "changes"), (report.departures, "departure", "changes"),
            (report.newcomers.count, "newcomer", "devices"),
            (report.unanswered.count, "did not answer", "devices"),
        ]
        let items = figures.map { number, title, section in
            let text = title + (number == 1 || title.contains(" ") ? "" : "s")
            let link = section.map { "<a href=\"#\($0)\">\(text)</a>" } ?? text
            return "<div><dt>\(report.deviceCount > 0 ? link : text)</dt><dd>\(number)</dd></div>\n"
        }
        let observers =
            report.observers.isEmpty ? "" : " Seen from \(shown(report.observers))."
        let remarks = remarks.map { "<li>\(escaped($0))</li>\n" }.joined()
        return """
            <h1>Who was on the network</h1>
            <p>\(period), local time (\(zone)).\(observers)</p>
            \(remarks.isEmpty ? "" : "<ul class=\"remarks\">\n\(remarks)</ul>\n")<dl class="figures">
            \(items.joined())</dl>
            \(steady == nil ? "" : Self.choice)
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
        let notices = notices.map { printable($0) }
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
        let description = [
            facts.description, facts.isSelf ? "observer" : "", facts.voucherText ?? "",
        ]
        .filter { !$0.isEmpty }.joined(separator: ", ")
        let longest = silences.map(\.length).max() ?? 0
        let types = facts.types.sorted()
        let services = types.prefix(6).map(serviceTitle) + more(types.count - 6)
        return [
            shown(facts.name)
                + (description.isEmpty ? "" : "<small>\(shown(description))</small>"),
            shown(facts.host ?? "–"), shown(facts.addresses), shown(services),
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
