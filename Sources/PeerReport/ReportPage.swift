// Writes a report as one HTML file that loads nothing.
import FoundationEssentials
import PeerList
import PeerText

/// The HTML file of a report.
///
/// Text of other machines is escaped and appears as text alone. The content security policy admits the
/// page's own style and script, by their hashes, and nothing else. The tables are complete without the
/// script, which adds the zoom, the filter and the sorting.
package struct ReportPage {
    /// The beginning of every report, by which an earlier one is recognised.
    package static let start = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="peerlist report">

        """

    /// The maximum number of days in the tables of days.
    private static let dayLimit = 31

    let report: Report
    /// Messages about what could not be read.
    let notices: [String]

    /// The numbers of the devices that are shown in the time line.
    private let numbers: [UUID: Int]

    package init(_ report: Report, notices: [String]) {
        (self.report, self.notices) = (report, notices)
        numbers = Dictionary(
            uniqueKeysWithValues: report.devices.enumerated().map { ($1.id, $0) })
    }

    package var text: String {
        let content =
            report.deviceCount == 0
            ? "<p>No device was seen in this time.</p>\n"
            : [
                ReportTimeLine(page: self).text, days, hours, newcomers, unanswered, kinds,
                services, devices,
            ].joined()
        return """
            \(Self.start)\(head)<body>
            <header>
            \(heading)</header>
            <main>
            \(content)</main>
            <footer><p>Made by \(Version.line).</p></footer>
            <script>\(ReportScript.text)</script>
            </body>
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
        let numbers: [(number: Int, one: String, many: String)] = [
            (report.deviceCount, "device", "devices"),
            (report.greatestCount, "most at one time", "most at one time"),
            (report.arrivals, "arrival", "arrivals"),
            (report.departures, "departure", "departures"),
            (report.newcomers.count, "newcomer", "newcomers"),
            (report.unanswered.count, "did not answer", "did not answer"),
        ]
        let items = numbers.map { number, one, many in
            "<div><dt>\(number == 1 ? one : many)</dt><dd>\(number)</dd></div>\n"
        }.joined()
        let observers =
            report.observers.isEmpty ? "" : " Seen from \(HTML.shown(report.observers))."
        return """
            <h1>Who was on the network</h1>
            <p>\(period), local time (\(zone)).\(observers)</p>
            \(remarks)<dl class="figures">
            \(items)</dl>
            <p class="filter" hidden><label>Filter devices <input type="search" id="filter" \
            autocomplete="off" placeholder="name, kind, host, address"></label> \
            <output for="filter"></output></p>

            """
    }

    /// The offset from UTC such as `UTC+1`, or those at the start and the end.
    private var zone: String {
        let names = [report.span.lowerBound, report.span.upperBound].map { time in
            let minutes = report.offset(time) / 60
            let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
            let sign = minutes < 0 ? "−" : "+"
            return minutes == 0 ? "UTC" : "UTC\(sign)\(hours)\(rest == 0 ? "" : ":\(two(rest))")"
        }
        return names[0] == names[1] ? names[0] : "\(names[0]), then \(names[1])"
    }

    private var remarks: String {
        var remarks = notices.map { HTML.escaped(printable($0)) }
        let gaps = report.coverage.count - 1
        if gaps > 0 {
            let span = report.span.upperBound.microseconds - report.span.lowerBound.microseconds
            remarks.append(
                "\(gaps == 1 ? "One gap" : "\(gaps) gaps") in the recording, "
                    + "\(duration(span - report.coverage.length)) in all: it is not known what "
                    + "happened then.")
        }
        guard !remarks.isEmpty else { return "" }
        let items = remarks.map { "<li>\($0)</li>\n" }.joined()
        return "<ul class=\"remarks\">\n\(items)</ul>\n"
    }

    // MARK: Tables

    private var days: String {
        let days = report.days.suffix(Self.dayLimit)
        let rows = report.devices.enumerated().map { index, device in
            var present = device.present[...]
            let cells = days.map { day -> String in
                present = present.drop { $0.end <= day.start }
                let parts = present.prefix { $0.start < day.end }
                guard let first = parts.first, let last = parts.last else { return "" }
                let start = first.start <= day.start ? "00:00" : moment(first.start).clock
                let end = last.end >= day.end ? "24:00" : moment(last.end).clock
                return "\(start)–\(end)"
                    + (parts.count == 1 ? "" : " <small>×\(parts.count)</small>")
            }
            return HTMLTable.Row(device: index, cells: [HTML.shown(device.facts.name)] + cells)
        }
        return HTML.section(
            "days", "First and last seen each day",
            remarks: ["×3: in three parts, with pauses."] + omittedDevices
                + omission(days.count, report.days.count, "days, the latest"),
            HTMLTable(
                name: "days", heading: "days", columns: ["Device"] + days.map(title), rows: rows
            ).text)
    }

    private var hours: String {
        let days = report.days.suffix(Self.dayLimit)
        guard report.arrivals + report.departures > 0 else {
            return HTML.section(
                "hours", "Arrivals and departures per hour", "Nothing arrived or left.")
        }
        func cell(_ hour: Report.Hour) -> String {
            let arrivals = hour.arrivals > 0 ? "<ins>+\(hour.arrivals)</ins>" : ""
            let departures = hour.departures > 0 ? "<del>−\(hour.departures)</del>" : ""
            return [arrivals, departures].filter { !$0.isEmpty }.joined(separator: " ")
        }
        let rows = days.map { day in
            HTMLTable.Row(
                cells: [title(day)] + day.hours.map(cell)
                    + [cell(day.hours.reduce(Report.Hour(), +))])
        }
        return HTML.section(
            "hours", "Arrivals and departures per hour",
            remarks: ["+ arrivals, − departures, in the hour that begins at the full hour."]
                + omission(days.count, report.days.count, "days, the latest"),
            HTMLTable(
                name: "hours", heading: "hours",
                columns: ["Day"] + (0..<24).map { two($0) } + ["All"], rows: rows
            ).text)
    }

    private var newcomers: String {
        let (shown, count) = report.newcomers
        let rows = shown.map { device in
            row(
                device,
                [
                    time(device.facts.newSince), HTML.shown(device.facts.host ?? "–"),
                    HTML.shown(device.facts.addresses), HTML.shown(serviceNames(device)),
                ])
        }
        return HTML.section(
            "newcomers", "Newcomers",
            remarks: omission(shown.count, count, "newcomers, the latest"),
            count == 0
                ? "<p>No device was seen for the first time ever. "
                    + "Recordings made with <code>--no-ledger</code> do not tell.</p>"
                : HTMLTable(
                    heading: "newcomers",
                    columns: ["Device", "First seen", "Host", "Addresses", "Services"], rows: rows
                ).text)
    }

    private var unanswered: String {
        let (shown, count) = report.unanswered
        let rows = shown.map { device in
            let silences = device.log.unanswered
            return row(
                device,
                [
                    "\(device.silences)", length(silences.length),
                    length(silences.map(\.length).max() ?? 0), time(silences.last?.start),
                ])
        }
        return HTML.section(
            "unanswered", "Fell silent",
            remarks: count == 0
                ? []
                : ["Announced, but did not answer when asked; most often first."]
                    + omission(shown.count, count, "devices"),
            count == 0
                ? "<p>Every device answered whenever it was asked.</p>"
                : HTMLTable(
                    heading: "unanswered",
                    columns: ["Device", "Times", "In all", "Longest", "Last"],
                    numbers: [1, 2, 3], rows: rows
                ).text)
    }

    private var kinds: String {
        let rows = report.kinds.map { kind in
            let names = kind.types.map { type, count in
                (KnownServiceType.of(type)?.title ?? type) + (count == 1 ? "" : " ×\(count)")
            }
            let more = kind.typeCount - names.count
            return HTMLTable.Row(
                cells: [
                    title(kind.kind), "\(kind.count)",
                    HTML.shown(names + (more > 0 ? ["and \(more) more"] : [])),
                ])
        }
        return HTML.section(
            "kinds", "Services by kind of device",
            HTMLTable(
                heading: "kinds", columns: ["Kind", "Devices", "Services, with their devices"],
                numbers: [1], rows: rows
            ).text)
    }

    private var services: String {
        let (shown, count) = report.services
        let rows = shown.map { service in
            HTMLTable.Row(
                cells: [
                    HTML.shown(KnownServiceType.of(service.type)?.title ?? service.type),
                    "<code>\(HTML.shown(service.type))</code>", "\(service.count)",
                    service.kinds.map { kind, count in
                        title(kind) + (count == 1 ? "" : " ×\(count)")
                    }.joined(separator: ", "),
                ])
        }
        return HTML.section(
            "services", "Services",
            remarks: omission(shown.count, count, "types of services"),
            HTMLTable(
                heading: "services", columns: ["Service", "Type", "Devices", "Kinds of devices"],
                numbers: [2], rows: rows
            ).text)
    }

    private var devices: String {
        let rows = report.devices.map { device in
            row(
                device,
                [
                    HTML.shown(device.facts.host ?? "–"), HTML.shown(device.facts.addresses),
                    time(device.log.there.first?.start), time(device.log.there.last?.end),
                    "<code>\(device.id.uuidString.lowercased())</code>",
                ])
        }
        return HTML.section(
            "devices", "Devices", remarks: omittedDevices,
            HTMLTable(
                heading: "devices",
                columns: ["Device", "Host", "Addresses", "From", "Until", "Identifier"], rows: rows
            ).text)
    }

    // MARK: Parts

    var omittedDevices: [String] {
        omission(report.devices.count, report.deviceCount, "devices, those that were there longest")
    }

    private func omission(_ shown: Int, _ all: Int, _ noun: String) -> [String] {
        shown < all ? ["Shown are \(shown) of \(all) \(noun)."] : []
    }

    private func row(_ device: Report.Device, _ cells: [String]) -> HTMLTable.Row {
        HTMLTable.Row(device: numbers[device.id], cells: [name(device)] + cells)
    }

    /// The name of a device, and below it what it is.
    func name(_ device: Report.Device) -> String {
        let description = [device.facts.description, device.facts.isSelf ? "observer" : ""]
            .filter { !$0.isEmpty }.joined(separator: ", ")
        return HTML.shown(device.facts.name)
            + (description.isEmpty ? "" : "<small>\(HTML.shown(description))</small>")
    }

    private func serviceNames(_ device: Report.Device) -> [String] {
        let types = device.facts.types.sorted()
        let more = types.count - 6
        return types.prefix(6).map { KnownServiceType.of($0)?.title ?? $0 }
            + (more > 0 ? ["and \(more) more"] : [])
    }

    private func title(_ kind: DeviceKind?) -> String { kind?.title ?? "unknown" }

    // MARK: Times

    /// The part of the recorded time in which a device was present.
    func percent(_ device: Report.Device) -> String {
        let covered = report.coverage.length
        guard covered > 0 else { return "–" }
        let percent = Double(device.present.length) / Double(covered) * 100
        // Only a device that was always there has 100 %.
        let rounded = percent >= 100 ? 100 : min(99, Int(percent.rounded()))
        return rounded == 0 && percent > 0 ? "<1 %" : "\(rounded) %"
    }

    private func length(_ microseconds: Int64) -> String {
        HTML.cell(microseconds, duration(microseconds))
    }

    private func duration(_ microseconds: Int64) -> String {
        let seconds = microseconds / 1_000_000
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min" : "\(seconds) s"
    }

    func moment(_ time: Timestamp) -> (day: String, clock: Substring) {
        let local = LocalTime(time, offset: report.offset(time))
        return (local.day, local.clock.prefix(5))
    }

    private func time(_ time: Timestamp?) -> String {
        time.map(moment).map { "<time>\($0.day) \($0.clock)</time>" } ?? "–"
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Such as `Sat 11-21`.
    func title(_ day: Report.Day) -> String {
        let start = Timestamp(microseconds: day.number * 86_400_000_000)
        let weekday = Self.weekdays[Int(floorDivide(day.number, 7).remainder)]
        return "\(weekday) \(LocalTime(start, offset: 0).day.suffix(5))"
    }

    private func two(_ number: some BinaryInteger) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
