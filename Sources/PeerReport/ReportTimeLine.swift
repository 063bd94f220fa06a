// Draws who was there when, and the arrivals and departures above it.
import PeerList

/// The section of a report with a time line for each device.
struct ReportTimeLine {
    /// The maximum number of days in which arrivals are drawn by hour.
    private static let hourlyDays = 31

    let page: ReportPage

    private var report: Report { page.report }

    /// The maximum number of intervals of each kind in the time line of a device.
    private var limit: Int { max(50, report.limits.intervals / max(1, report.devices.count)) }

    var text: String {
        let isCoarse = report.devices.contains { $0.present.count > limit }
        let remark = "The shortest pauses of devices that come and go most are not drawn."
        let hasMoreGaps = report.coverage.count > report.limits.gaps + 1
        return HTML.section(
            "when", "Who was there when",
            remarks: page.omittedDevices + (isCoarse ? [remark] : [])
                + (hasMoreGaps ? ["The shortest gaps are not drawn."] : []), content)
    }

    private var content: String {
        let rows = report.devices.enumerated().map { index, device in
            let percent = page.percent(device)
            let share = HTML.cell(device.present.length, HTML.escaped(percent))
            return """
                <tr data-device="\(index)"><th scope="row">\(page.name(device))</th>\
                <td>\(bar(device))</td><td class="number">\(share)</td>\
                <td class="number">\(device.arrivals)</td></tr>

                """
        }.joined()
        let (first, last) = (
            page.moment(report.span.lowerBound), page.moment(report.span.upperBound)
        )
        let start = floorDivide(report.span.lowerBound.microseconds, 1_000_000).quotient
        return """
            \(zoom)<p class="legend">\(legend)</p>
            \(background)<table class="timeline sortable" data-start="\(start)" \
            data-length="\(length)" data-zones="\(zones)">
            <thead>
            <tr><th scope="col">Device</th><th scope="col" class="axis"><div>\
            <span>\(first.day), \(first.clock)</span> <span>\(last.day), \(last.clock)</span>\
            </div></th><th scope="col" class="number">Present</th>\
            <th scope="col" class="number">Arrivals</th></tr>
            \(chart)</thead>
            <tbody>
            \(rows)</tbody>
            </table>
            """
    }

    /// The choice of a day, for the script.
    private var zoom: String {
        guard report.days.count > 1 else { return "" }
        let options = report.days.map { day in
            let (from, to) = (max(0, seconds(day.start)), min(length, seconds(day.end)))
            return "<option value=\"\(from) \(to)\">\(page.title(day))</option>\n"
        }.joined()
        return """
            <div class="zoom" role="group" aria-label="Zoom by day" hidden>
            <button type="button" aria-label="The day before">←</button>
            <select aria-label="Day"><option value="0 \(length)">All days</option>
            \(options)</select>
            <button type="button" aria-label="The day after">→</button>
            </div>

            """
    }

    private var legend: String {
        let marks: [(name: String, top: Int, height: Int, title: String)] = [
            ("present", 0, 10, "present"), ("unanswered", 5, 5, "did not answer"),
            ("unknown", 4, 3, "not known"), ("gap", 0, 10, "not recorded"),
        ]
        return marks.map { mark in
            """
            <span><svg viewBox="0 0 20 10" aria-hidden="true"><path class="\(mark.name)" \
            d="M1 \(mark.top)h18v\(mark.height)H1z"/></svg> \(mark.title)</span>
            """
        }.joined(separator: " ")
    }

    // MARK: Drawing

    /// The time since the start of the report, in seconds.
    private func seconds(_ time: Timestamp) -> Int64 {
        floorDivide(time.microseconds - report.span.lowerBound.microseconds, 1_000_000).quotient
    }

    /// The length of the report in seconds, at least one.
    private var length: Int64 { max(1, seconds(report.span.upperBound)) }

    /// Returns a path with a rectangle for each interval.
    private func path(
        _ name: String, _ intervals: [Interval], top: Int = 0, height: Int = 10
    ) -> String {
        guard !intervals.isEmpty else { return "" }
        let shapes = intervals.map { interval in
            let start = seconds(interval.start)
            let width = max(1, seconds(interval.end) - start)
            return "M\(start) \(top)h\(width)v\(height)h-\(width)z"
        }
        return "<path class=\"\(name)\" d=\"\(shapes.joined())\"/>"
    }

    private func bar(_ device: Report.Device) -> String {
        let log = device.log
        return """
            <svg class="bar" viewBox="0 0 \(length) 10" preserveAspectRatio="none" role="img" \
            aria-label="present \(HTML.escaped(page.percent(device))) of the time">\
            <use href="#back"/>\
            \(path("present", device.present.coarsened(to: limit)))\
            \(path("unanswered", log.unanswered.coarsened(to: limit), top: 5, height: 5))\
            \(path("unknown", log.unknown.coarsened(to: limit), top: 4, height: 3))</svg>
            """
    }

    /// The gaps of the recordings and the midnights, which are behind every bar.
    private var background: String {
        let gaps = zip(report.coverage, report.coverage.dropFirst()).map { last, next in
            Interval(start: last.end, end: next.start)
        }
        let drawn = gaps.sorted { $0.length > $1.length }.prefix(report.limits.gaps)
        let midnights = Set(report.days.flatMap { [seconds($0.start), seconds($0.end)] })
        let lines = midnights.filter { $0 > 0 && $0 < length }.sorted()
            .map { "M\($0) 0v10" }.joined()
        return """
            <svg class="defs" aria-hidden="true"><defs><g id="back">\(path("gap", Array(drawn)))\
            <path class="midnight" d="\(lines)"/></g></defs></svg>

            """
    }

    /// The arrivals, upwards, and departures, downwards, per hour, or per day of long reports.
    private var chart: String {
        guard report.arrivals + report.departures > 0 else { return "" }
        let isHourly = report.days.count <= Self.hourlyDays
        let counts =
            isHourly
            ? report.hours : report.days.map { ($0.start, $0.hours.reduce(Report.Hour(), +)) }
        let (unit, width): (_, Int64) = isHourly ? ("hour", 3600) : ("day", 86_400)
        let most = counts.map { max($0.count.arrivals, $0.count.departures) }.max() ?? 0
        func bars(_ name: String, _ number: (Report.Hour) -> Int, sign: Int) -> String {
            let shapes = counts.filter { number($0.count) > 0 }.map { start, count in
                let height = max(2, number(count) * 48 / max(1, most))
                return "M\(seconds(start)) 50h\(width)v\(sign * height)h-\(width)z"
            }
            return "<path class=\"\(name)\" d=\"\(shapes.joined())\"/>"
        }
        return """
            <tr class="chart"><th scope="row"><span class="arrivals">↑ arrivals</span> \
            <span class="departures">↓ departures</span> \
            <small>per \(unit), at most \(most)</small>\
            </th><td><svg class="bar" viewBox="0 0 \(length) 100" preserveAspectRatio="none" \
            role="img" aria-label="arrivals and departures per \(unit)">\
            <path class="middle" d="M0 50h\(length)"/>\(bars("arrivals", \.arrivals, sign: -1))\
            \(bars("departures", \.departures, sign: 1))</svg></td><td class="number"></td>\
            <td class="number"></td></tr>

            """
    }

    /// The offsets from UTC and the times from which they apply, in seconds: `0:3600 432000:7200`.
    private var zones: String {
        var last = report.offset(report.span.lowerBound)
        var zones = ["0:\(last)"]
        for day in report.days where day.end > report.span.lowerBound {
            // Offsets change at a quarter of an hour.
            let quarters = stride(
                from: day.start.microseconds, to: day.end.microseconds, by: 900_000_000)
            for time in quarters.map(Timestamp.init(microseconds:)) {
                let next = report.offset(time)
                guard next != last, time > report.span.lowerBound else { continue }
                zones.append("\(seconds(time)):\(next)")
                last = next
            }
        }
        return zones.joined(separator: " ")
    }
}
