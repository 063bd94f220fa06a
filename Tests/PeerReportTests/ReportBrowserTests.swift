// Opens reports in Chromium: that they are fast, work, and run nothing that strangers announced.
import Foundation
import LabSupport
import PeerExpect
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerReport

private let chromium = "/usr/bin/chromium"
private let pdftotext = "/usr/bin/pdftotext"

/// A page around the report measures the time until it is shown, uses it, and prints what it finds.
@Suite(
    .timeLimit(.minutes(10)), .serialized,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: chromium),
        "Chromium is not installed; as root, run 'Scripts/ensure-packages browser'"))
struct ReportBrowserTests {
    private let folder: RecordingFolder

    init() throws { folder = try RecordingFolder() }

    /// Writes the page of a recording; `PEERLIST_REPORTS` names a directory in which it is kept to be looked at.
    @discardableResult
    private func makePage(
        _ name: String, _ lines: [String],
        offset: @escaping @Sendable (Timestamp) -> Int64 = { _ in 3600 }
    ) async throws -> String {
        let path = try folder.file("\(name).jsonl", lines)
        let presence = try await RecordedPresence.read(path)
        let made = Report([presence], offset: offset)
        let report = try #require(made)
        let text = ReportPage(report, notices: []).text
        _ = try folder.file("report.html", text: text)
        if let directory = ProcessInfo.processInfo.environment["PEERLIST_REPORTS"] {
            try TextFile.write(text, to: "\(directory)/\(name).html")
        }
        return text
    }

    private func chromium(_ words: [String], page: String) async throws -> String {
        let sandbox = geteuid() == 0 ? ["--no-sandbox"] : []
        let finished = try await FinishedProcess(
            [
                PeerReportTests.chromium, "--headless=new", "--disable-gpu",
                "--no-first-run", "--disable-background-networking", "--disable-component-update",
                "--disable-dev-shm-usage", "--user-data-dir=\(folder.path)profile",
                "--allow-file-access-from-files", "--window-size=1280,800",
            ] + sandbox + words + ["file://\(folder.path)\(page)"], within: .seconds(120))
        #expect(finished.status == 0, "\(finished.errors.suffix(1000))")
        return finished.output
    }

    /// Loads the report in a frame, runs a script with its `page` and `view`, and returns what it prints.
    ///
    /// It is printed at the end of some seconds of virtual time, in which anything that was announced
    /// could run; without these, at once, and `time` is the real one.
    ///
    /// Attributes of the frame can forbid scripts in it, and options of Chromium are passed on. The report is
    /// expected to be drawn by its script, or to consist of plain tables.
    private func use(
        _ script: String, virtualSeconds: Int = 3, frame: String = "", options: [String] = [],
        isDrawn: Bool = true
    ) async throws -> [Substring] {
        let show = "document.body.textContent = `{{${lines.join('\\n')}}}`"
        let end = virtualSeconds == 0 ? show : "setTimeout(() => \(show), \(virtualSeconds * 900))"
        _ = try folder.file(
            "frame.html",
            text: """
                <!DOCTYPE html><meta charset="utf-8">
                <meta name="color-scheme" content="light dark"><body><script>
                const begin = performance.now(), lines = [];
                const print = text => lines.push(text);
                addEventListener('message', ({ data }) => { if (data === 'owned') print(data); });
                function use(frame) {
                  const view = frame.contentWindow, page = frame.contentDocument;
                  page.body.offsetHeight;
                  const time = Math.round(performance.now() - begin);
                  const all = selector => [...page.querySelectorAll(selector)];
                  const visible = selector => all(selector).filter(row => !row.hidden).length;
                  print(`drawn ${page.querySelector('.timeline') !== null}`);
                  try { \(script) } catch (error) { print(`error ${error}`); }
                  \(end);
                }
                </script>
                <iframe src="report.html" width="1200" height="800" \(frame) onload="use(this)">
                </iframe>
                """)
        let words = virtualSeconds == 0 ? [] : ["--virtual-time-budget=\(virtualSeconds * 1000)"]
        let dump = try await chromium(["--dump-dom"] + words + options, page: "frame.html")
        let body = try #require(dump.firstMatch(of: /\{\{((?s).*)\}\}/)?.output.1)
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "drawn \(isDrawn)", "\(body)")
        #expect(lines.allSatisfy { !$0.hasPrefix("error") && $0 != "owned" }, "\(body)")
        return Array(lines.dropFirst())
    }

    @Test func `a week of 50 devices weighs under 2 MB and opens`() async throws {
        let page = try await makePage("week-50", RecordedWeek.lines(devices: 50))
        #expect(page.utf8.count < 2_000_000, "\(page.utf8.count) bytes")
        // Alone on the machine it takes less than a second; other tests use the processors too.
        let lines = try await use("print(`${time}`)", virtualSeconds: 0)
        #expect(try #require(Int(lines[0])) < 60_000)
    }

    @Test func `days are zoomed, devices filtered and columns sorted`() async throws {
        try await makePage("week-8", RecordedWeek.lines(devices: 8))
        let lines = try await use(
            """
            const bar = () => page.querySelector('.timeline tbody .bar').getAttribute('viewBox');
            const [back, forth] = all('.zoom button');
            const ticks = () => all('.axis .tick').map(tick => tick.textContent);
            print(bar());
            print(`${ticks().length > 4} ${ticks()[0].slice(0, 3)}`);
            forth.click();
            print(`${bar()} ${ticks().some(tick => tick === '12:00')}`);
            print(page.querySelector('.zoom select').selectedOptions[0].textContent);
            forth.click(); back.click(); back.click();
            print(`${bar()} ${back.disabled}`);

            const filter = page.getElementById('filter');
            const name = page.querySelector('.timeline tbody th bdi').textContent;
            const before = visible('tbody tr');
            filter.value = name.toUpperCase();
            filter.dispatchEvent(new Event('input'));
            print(`${visible('.timeline tbody tr:not(.group)')} ${visible('tbody tr') < before}`);
            print(page.querySelector('output').textContent);
            filter.value = '';
            filter.dispatchEvent(new Event('input'));
            print(`${visible('tbody tr') === before}`);

            const head = all('.timeline thead th').find(head => head.textContent === 'Present');
            const values = () => all('.timeline tbody:not(.steady) data').map(data => Number(data.value));
            const sorted = (list, sign) =>
              list.every((value, index) => !index || sign * (value - list[index - 1]) >= 0);
            head.querySelector('button').click();
            print(`${sorted(values(), -1)} ${head.getAttribute('aria-sort')}`);
            head.querySelector('button').click();
            print(`${sorted(values(), 1)} ${head.getAttribute('aria-sort')}`);
            """)
        #expect(
            lines == [
                "0 0 604800 10", "true Sun", "0 0 52200 10 true", "Sat 11-21", "0 0 52200 10 true",
                "1 true", "1 of 8", "true", "true descending", "true ascending",
            ])
    }

    @Test func `texts of strangers are shown and run nothing`() async throws {
        var script = RecordedScript()
        let peers = HostileText.all.enumerated().map { index, text in
            let text = text.replacing(
                "document.documentElement.id='owned'",
                with: "document.documentElement.id='owned',top.postMessage('owned','*')")
            let peer = Peer.device("h\(index)", host: "\(text)\(index)", "_x\(text)._tcp")
                .with(\.model, text).with(\.isNew, true).with(\.addresses, [text])
            return peer.with(\.name, text)
        }
        script.begin(0, observer: HostileText.all[1])
        script.change(100, peers)
        script.change(200, .presence, peers.map { $0.with(\.presence, .unanswered) })
        script.change(300, .departed, [])
        try await makePage("hostile", script.lines)
        let lines = try await use(
            """
            const foreign = all('img, iframe, object, a:not([href^="#"])').length;
            print(`${all('script').length} ${all('style').length} ${foreign}`);
            print(`${page.documentElement.id}|${all('svg').length}`);
            print(`${all('.timeline tbody tr').length}`);
            print(`${all('bdi').some(name => name.textContent.startsWith('<img src=x onerror='))}`);
            const names = all('*').flatMap(element => element.getAttributeNames());
            print(`${names.some(name => name.startsWith('on'))}`);
            // The policy refuses what is added later, too.
            const added = page.createElement('script');
            added.textContent = "top.postMessage('owned','*')";
            page.body.append(added);
            const image = page.createElement('img');
            image.setAttribute('onerror', "top.postMessage('owned','*')");
            image.src = 'x';
            page.body.append(image);
            print(`${page.querySelector('script:last-of-type') === added}`);
            """)
        // A bar for each device, the legend and the definitions; so short a recording has no chart.
        let svgs = HostileText.all.count + 5
        #expect(
            lines == ["2 1 0", "|\(svgs)", "\(HostileText.all.count)", "true", "false", "true"])
    }

    /// Summer time ends a day after the start, at 05:00 local time.
    @Test func `days and hours are those of local time, also when its offset changes`() async throws
    {
        let change = House.time(86_400)
        var script = RecordedScript()
        script.begin(0, [Peer.device("tv")])  // 05:00
        script.change(72_000, .departed, [])  // 01:00
        script.change(85_800, [Peer.device("tv")])  // 04:50 in summer time
        script.change(87_000, .departed, [])  // 04:10 in winter time
        script.change(100_000, [Peer.device("tv")])  // 07:46
        script.end(3 * 86_400)
        try await makePage("clock", script.lines, offset: { $0 < change ? -12_600 : -16_200 })
        let lines = try await use(
            """
            const later = all('.zoom button')[1];
            while (!later.disabled) {
              later.click();
              print(page.querySelector('.timeline tbody .bar').getAttribute('viewBox'));
            }
            const texts = row => [...row.cells].map(cell => cell.textContent.trim());
            print(texts(page.querySelector('#days tbody tr')).join('|'));
            print(texts(all('#changes tbody tr')[1]).join('|'));
            """)
        #expect(
            lines == [
                "0 0 68400 10", "68400 0 90000 10", "158400 0 86400 10", "244800 0 14400 10",
                "tv|05:00–24:00|00:00–24:00 ×3|00:00–24:00|00:00–04:00",
                "Sun 11-22||−1|||+1−1|||+1|||||||||||||||||+2−2",
            ])
    }

    @Test func `the axis of a year has months`() async throws {
        var script = RecordedScript()
        script.begin(0, [Peer.device("tv")])
        script.end(365 * 86_400)
        try await makePage("year", script.lines)
        let lines = try await use(
            "print(all('.axis .tick').map(tick => tick.textContent).join(' '))")
        #expect(lines == ["Dec 2027 Feb Mar Apr May Jun Jul Aug Sep Oct"])
    }

    @Test(arguments: [2, 7, 40, 365]) func `labels of the axis do not overlap on a phone`(days: Int)
        async throws
    {
        var script = RecordedScript()
        script.begin(0, [Peer.device("tv")])
        script.end(Double(days) * 86_400)
        try await makePage("phone-\(days)", script.lines)
        let lines = try await use(
            """
            frame.width = 380;
            page.body.offsetHeight;
            page.querySelector('.zoom select').dispatchEvent(new Event('change'));
            const boxes = all('.axis .tick').map(tick => tick.getBoundingClientRect());
            print(`${boxes.length >= 2}`);
            print(`${boxes.every((box, index) => !index || boxes[index - 1].right <= box.left)}`);
            """)
        #expect(lines == ["true", "true"])
    }

    @Test(arguments: ["", "sandbox=\"allow-same-origin\""])
    func `what neither came nor went is hidden on request, and figures lead to sections`(
        frame: String
    )
        async throws
    {
        var script = RecordedScript()
        let steady = [Peer.device("tv"), Peer.device("nas")]
        script.begin(0, steady)
        script.change(100, steady + [Peer.device("mac")])
        script.end(200)
        try await makePage("steady", script.lines)
        let lines = try await use(
            """
            const shown = () => all('#devices tbody tr').filter(row => row.offsetHeight > 0).length;
            const before = shown();
            page.getElementById('changed').checked = true;
            print(`${before} ${shown() + visible('#devices .steady tr') === before}`);
            print(`${shown() > 0 && shown() < before}`);
            const links = all('.figures a').map(link => link.getAttribute('href'));
            print(`${links.length} ${links.every(link => page.querySelector(`section${link}`))}`);
            """, frame: frame, isDrawn: frame.isEmpty)
        #expect(lines == ["4 true", "true", "5 true"])
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: pdftotext),
            "pdftotext is not installed; as root, run 'Scripts/ensure-packages browser'"))
    func `on paper each page of a table has the titles of its columns`() async throws {
        try await makePage("week-50", RecordedWeek.lines(devices: 50))
        let file = "\(folder.path)report.pdf"
        _ = try await chromium(
            ["--print-to-pdf=\(file)", "--no-pdf-header-footer"], page: "report.html")
        let text = try await FinishedProcess([pdftotext, "-layout", file, "-"]).output
        let pages = text.split(separator: "\u{c}")
        for column in ["Arrivals", "Identifier"] {
            #expect(pages.count { $0.contains("   \(column)\n") } >= 2, "\(column)")
        }
        #expect(!text.contains("Filter devices"))
    }

    @Test func `without scripts the tables are there, and nothing that needs scripts`() async throws
    {
        try await makePage("week-8", RecordedWeek.lines(devices: 8))
        let lines = try await use(
            """
            const shown = all('main section table').filter(table => table.offsetHeight > 20);
            print(`${all('main section').length} ${all('main section table').length} ${shown.length}`);
            print(`${visible('#devices tbody tr:not(.group)')} ${visible('table tbody tr') > 50}`);
            print(all('button, input, select, svg').length);
            """, frame: "sandbox=\"allow-same-origin\"", isDrawn: false)
        #expect(lines == ["4 4 4", "8 true", "0"])
    }

    /// The numbers are those of Chromium for the preference of the system.
    @Test(arguments: [(0, "true dark light"), (1, "false light dark")])
    func `the page follows the dark mode of the system`(preference: Int, colors: String)
        async throws
    {
        try await makePage("week-3", RecordedWeek.lines(devices: 3))
        let lines = try await use(
            """
            const style = view.getComputedStyle(page.body);
            const shade = color => color.match(/[0-9]+/g).slice(0, 3).every(part => part < 64)
              ? 'dark' : color.match(/[0-9]+/g).slice(0, 3).every(part => part > 191)
              ? 'light' : color;
            const isDark = view.matchMedia('(prefers-color-scheme: dark)').matches;
            print(`${isDark} ${shade(style.backgroundColor)} ${shade(style.color)}`);
            """, options: ["--blink-settings=preferredColorScheme=\(preference)"])
        #expect(lines == [Substring(colors)])
    }

    /// Writes a page for the wall, of the same devices as `RecordedWeek`.
    private func makeWatchedPage(_ name: String, devices: Int) async throws {
        let path = try folder.file("\(name).jsonl", RecordedWeek.lines(devices: devices))
        let past = try await RecordedPresence.read(path)
        let made = Report([past]) { _ in 3600 }
        let end = try #require(made).span.upperBound
        let peers = (0..<devices).map { number in
            Peer.device("peer \(number)", "_ipp._tcp", "_http._tcp")
                .with(\.presence, number % 5 == 3 ? .unanswered : .present)
                .with(\.addresses, ["10.99.0.\(number)"])
        }
        let page = "\(folder.path)report.html"
        let expected = "[device boiler]\nhost = boiler.local\nfor = 1m\n"
        let report = WatchedReport(
            path: page, past: [past], expecting: ExpectationFile.parse(Array(expected.utf8)).file
        ) { _ in 3600 }
        var list = ListScript()
        let update = list.change(.arrived, at: end, to: peers.sections(.device))
        var account = Happenings()
        account.apply(update.items)
        let later = Timestamp(microseconds: end.microseconds + 600_000_000)
        for (time, event) in [
            (end, .began(House.header(.device))), (end, .updated(update.items, .event(update))),
            (later, .happened(account.removeDue(at: later))), (end, .fill(.over(end))),
            (later, .tick),
        ] as [(Timestamp, OutputEvent)] {
            report.handle(event, at: time) { [] }
        }
        if let directory = ProcessInfo.processInfo.environment["PEERLIST_REPORTS"] {
            try TextFile.write(try TextFile.read(page), to: "\(directory)/\(name).html")
        }
    }

    @Test func `a page for the wall loads itself again, and keeps what was chosen in it`()
        async throws
    {
        try await makeWatchedPage("wall-12", devices: 12)
        let lines = try await use(
            """
            const filter = page.getElementById('filter');
            const rows = () => all('#now tbody tr').filter(row => row.offsetHeight > 0).length;
            if (!window.isAgain) {
              window.isAgain = true;
              print(`${rows()} ${page.getElementById('stale').offsetHeight}`);
              filter.value = '10.99.0.5';
              filter.dispatchEvent(new Event('input'));
              all('.zoom button')[1].click();
              view.scrollTo(0, 120);
            } else {
              const day = page.querySelector('.zoom select').selectedIndex;
              print(`${rows()} ${filter.value} ${day}`);
              print(`${view.scrollY}`);
            }
            """, virtualSeconds: 50)
        #expect(lines == ["12 0", "drawn true", "1 10.99.0.5 1", "120"])
    }

    @Test func `a page for the wall fits a phone, and says when it was not rewritten for minutes`()
        async throws
    {
        try await makeWatchedPage("wall-50", devices: 50)
        let lines = try await use(
            """
            frame.width = 400;
            if (!window.isAgain) {
              window.isAgain = true;
              print(`${page.documentElement.scrollWidth <= 400}`);
              const dots = all('#now .state');
              print(`${dots.length} ${page.querySelectorAll('#now .unanswered').length}`);
            }
            setTimeout(() => print(`old ${page.getElementById('stale').offsetHeight > 0}`), 20000);
            """, virtualSeconds: 240)
        #expect(lines.prefix(2) == ["true", "50 10"])
        #expect(lines.contains("old true"), "\(lines)")
    }

    @Test(arguments: [0, 1, 3]) func `small lists make pages that work`(count: Int) async throws {
        try await makePage("devices-\(count)", RecordedWeek.lines(devices: count))
        let lines = try await use(
            "print(`${all('.timeline tbody tr').length} ${visible('.filter')}`)",
            isDrawn: count > 0)
        #expect(lines == ["\(count) \(count > 1 ? 1 : 0)"])
    }
}
