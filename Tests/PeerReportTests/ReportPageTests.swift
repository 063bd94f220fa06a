// The page of a report as text: its policy, its tags, and what it is made of without scripts.
import FoundationEssentials
import LabSupport
import PeerList
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerReport

@Suite(.timeLimit(.minutes(10))) struct ReportPageTests {
    private let folder: RecordingFolder

    init() throws { folder = try RecordingFolder() }

    private func page(
        _ lines: [String], offset: @escaping @Sendable (Timestamp) -> Int64 = { _ in 3600 }
    ) throws -> String {
        let path = try folder.file("\(UUID())", lines)
        let presence = RecordedPresence(try Recording(path: path), named: "a") { _ in }
        let made = Report([presence], offset: offset)
        let report = try #require(made)
        return ReportPage(report, notices: []).text
    }

    /// A page about devices with these names, in every place where others determine a text.
    private func page(names: [String]) throws -> String {
        var script = RecordedScript()
        script.begin(0, observer: names.joined())
        let peers = names.enumerated().map { index, name in
            var peer = Peer.device("h\(index)", host: "\(index)\(name)", "_x\(index)\(name)._tcp")
            (peer.name, peer.model, peer.maker, peer.kind) = (name, name, name, .printer)
            peer.addresses = [name, name]
            peer.services[0].name = name
            return peer.with(\.isNew, true)
        }
        script.change(100, peers)
        script.change(200, .presence, peers.map { $0.with(\.presence, .unanswered) })
        script.change(300, .departed, [])
        return try page(script.lines)
    }

    private func tags(_ page: String) -> [Substring] {
        page.matches(of: /<[^>]*>/).map(\.output)
    }

    @Test(arguments: [
        (ReportStyle.hash, ReportStyle.text), (ReportScript.hash, ReportScript.text),
    ])
    func `the policy has the digests of the style and the script`(hash: String, text: String)
        async throws
    {
        let path = try folder.file("text", text: text)
        let program = """
            import base64, hashlib, sys
            text = open(sys.argv[1], 'rb').read()
            print('sha256-' + base64.b64encode(hashlib.sha256(text).digest()).decode())
            """
        let finished = try await FinishedProcess(["python3", "-c", program, path])
        #expect(finished.output == hash, "write this digest beside the text")
        let page = try page(House.lines())
        let isAdmitted = page.contains("-src '\(hash)'") && page.contains(">\(text)</")
        #expect(isAdmitted)
    }

    @Test func `the policy comes first, and the page names nothing to load`() throws {
        let page = try page(House.lines())
        let tags = tags(page)
        let policy = try #require(tags.firstIndex { $0.contains("Content-Security-Policy") })
        #expect(tags[policy].contains("default-src 'none'; style-src 'sha256-"))
        #expect(tags[..<policy].allSatisfy { !$0.hasPrefix("<style") && !$0.hasPrefix("<script") })
        for tag in tags {
            #expect(
                tag.firstMatch(of: /\s(src|style|on[a-z]+|srcset|data|action)\s*=/) == nil, "\(tag)"
            )
            #expect(tag.firstMatch(of: /href="[^#]/) == nil, "\(tag)")
        }
        #expect(tags.count { $0.hasPrefix("<script") } == 1)
    }

    @Test func `hostile texts change no tag of the page`() throws {
        let hostile = try page(names: HostileText.all)
        let harmless = try page(names: HostileText.all.indices.map { "peer\($0)" })
        #expect(Set(tags(hostile)) == Set(tags(harmless)))
        // Names sort differently, so the order differs, and the number does not.
        #expect(tags(hostile).count == tags(harmless).count)
        #expect(hostile.utf8.count < harmless.utf8.count + 200_000)
        let forbidden = hostile.unicodeScalars.filter {
            $0 != "\n" && $0.properties.generalCategory == .control || $0 == "\u{202e}"
        }
        #expect(forbidden.isEmpty)
    }

    @Test func `every element is closed where it was opened`() async throws {
        let program = """
            import sys
            from html.parser import HTMLParser
            class Checker(HTMLParser):
                open = []
                def handle_starttag(self, tag, attributes):
                    names = [name for name, _ in attributes]
                    assert len(names) == len(set(names)), self.get_starttag_text()
                    if tag not in ('meta', 'input'): self.open.append(tag)
                def handle_endtag(self, tag):
                    assert self.open.pop() == tag, (tag, self.getpos())
            checker = Checker()
            checker.feed(open(sys.argv[1], encoding='utf-8').read())
            checker.close()
            assert not checker.open
            print('well-formed')
            """
        for lines in [House.lines(), RecordedWeek.lines(devices: 3), Array(House.lines()[..<1])] {
            let path = try folder.file("page.html", text: try page(lines))
            let finished = try await FinishedProcess(["python3", "-c", program, path])
            #expect(finished.output == "well-formed", "\(finished.errors)")
        }
    }

    @Test func `without the script, tables state who was there when`() throws {
        let page = try page(House.lines())
        for text in [
            "2026-11-21, 09:30 to 09:35, local time (UTC+1)", "<bdi>anna.local</bdi>",
            "<th scope=\"col\">Sat 11-21</th>", "09:30–09:35 <small>×2</small>",
            "<code><bdi>_googlecast._tcp</bdi></code>", ">1 min<",
            "No device was seen for the first time ever",
        ] {
            let isThere = page.contains(text)
            #expect(isThere, "\(text)")
        }
    }

    @Test func `a device that comes and goes all the time is counted whole and drawn in part`()
        throws
    {
        var script = RecordedScript()
        script.begin(0)
        for count in 1...400 {
            script.change(Double(count) * 100, [Peer.device("tv")])
            // Every fourth pause is long.
            script.change(Double(count) * 100 + (count % 4 == 0 ? 5 : 90), .departed, [])
        }
        let path = try folder.file("flapping", script.lines)
        let presence = RecordedPresence(try Recording(path: path), named: "a") { _ in }
        let report = try #require(Report([presence], limits: .init(intervals: 100)))
        #expect(report.arrivals == 400 && report.departures == 400)
        let page = ReportPage(report, notices: []).text
        let bar = try #require(
            page.firstMatch(of: /<path class="present" d="(M[^"]*)"\/><\/svg><\/td>/))
        #expect(bar.output.1.count { $0 == "z" } == 100)
        let isStated = page.contains(
            "The shortest pauses of devices that come and go most are not drawn")
        #expect(isStated)
    }

    @Test func `of many gaps the longest are drawn`() throws {
        var script = RecordedScript()
        var time = 0.0
        for count in 0...20 {
            script.begin(time, [Peer.device("tv")])
            script.end(time + 100)
            time += count % 4 == 1 ? 2000 : 1000
        }
        let path = try folder.file("gaps", script.lines)
        let presence = RecordedPresence(try Recording(path: path), named: "a") { _ in }
        let report = try #require(Report([presence], limits: .init(gaps: 5)))
        let page = ReportPage(report, notices: []).text
        let gaps = try #require(page.firstMatch(of: /<path class="gap" d="(M[^"]*)"\/><path/))
        #expect(gaps.output.1.matches(of: /h1900v/).count == 5)
        #expect(gaps.output.1.count { $0 == "z" } == 5)
        for text in ["20 gaps in the recording", "The shortest gaps are not drawn."] {
            let isStated = page.contains(text)
            #expect(isStated, "\(text)")
        }
    }

    @Test func `the page states the offsets of local time, also when they change`() throws {
        var script = RecordedScript()
        script.begin(0, [Peer.device("tv")])
        script.end(3 * 86_400)
        let change = House.time(86_400 + 1800)  // 09:00 UTC
        let page = try page(script.lines, offset: { $0 < change ? -12_600 : -16_200 })
        let isStated = page.contains("local time (UTC−3:30, then UTC−4:30)")
        #expect(isStated)
        let zones = page.firstMatch(of: /data-zones="([^"]*)"/)?.output.1
        #expect(zones == "0:-12600 88200:-16200")
        // The day of the change has 25 hours.
        let days = page.matches(of: /<option value="([0-9]+) ([0-9]+)">/).map(\.output)
        #expect(days.map(\.1) == ["0", "0", "68400", "158400", "244800"])
    }

    @Test func `a list that stays empty gives a page that says so`() throws {
        let page = try page(Array(House.lines()[..<1]))
        #expect(page.contains("<p>No device was seen in this time.</p>"))
        #expect(!page.contains("<table"))
    }
}
