// The page of a report as text: its policy, its tags, and what it is made of without scripts.
import FoundationEssentials
import Glibc
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerReport

@Suite(.timeLimit(.minutes(10))) struct ReportPageTests {
    private let folder: RecordingFolder

    init() throws { folder = try RecordingFolder() }

    private func page(
        _ lines: [String], offset: @escaping @Sendable (Timestamp) -> Int64 = { _ in 3600 }
    ) async throws -> String {
        let path = try folder.file("\(UUID())", lines)
        let presence = try await RecordedPresence.read(path)
        let made = Report([presence], offset: offset)
        let report = try #require(made)
        return ReportPage(report, notices: []).text
    }

    /// A page about devices with these names, in every place where others determine a text.
    private func page(names: [String]) async throws -> String {
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
        return try await page(script.lines)
    }

    private func tags(_ page: String) -> [Substring] {
        page.matches(of: /<[^>]*>/).map(\.output)
    }

    /// The numbers from which the script draws.
    private struct Drawn: Decodable {
        struct Device: Decodable {
            let present: [[Int]]
            let unanswered: [[Int]]
            let unknown: [[Int]]
        }
        let zones: [[Int]]
        let gaps: [[Int]]
        let gapCount: Int
        let changes: [[Int]]
        let pause: String?
        let devices: [Device]
    }

    private func data(_ page: String) throws -> Substring {
        let element = /<script type="application\/json" id="report">(.*)<\/script>\n<script>/
        return try #require(page.firstMatch(of: element)?.output.1)
    }

    private func drawn(_ page: String) throws -> Drawn {
        try JSONDecoder().decode(Drawn.self, from: Data(try data(page).utf8))
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
        let page = try await page(House.lines())
        let isAdmitted = page.contains("-src '\(hash)'") && page.contains(">\(text)</")
        #expect(isAdmitted)
    }

    @Test func `the policy comes first, and the page names nothing to load`() async throws {
        let page = try await page(House.lines())
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
        #expect(
            tags.filter { $0.hasPrefix("<script") } == [
                "<script type=\"application/json\" id=\"report\">", "<script>",
            ])
    }

    @Test func `hostile texts change no tag of the page`() async throws {
        let hostile = try await page(names: HostileText.all)
        let harmless = try await page(names: HostileText.all.indices.map { "peer\($0)" })
        #expect(Set(tags(hostile)) == Set(tags(harmless)))
        // Names sort differently, so the order differs, and the number does not.
        #expect(tags(hostile).count == tags(harmless).count)
        #expect(hostile.utf8.count < harmless.utf8.count + 200_000)
        let forbidden = hostile.unicodeScalars.filter {
            $0 != "\n" && $0.properties.generalCategory == .control || $0 == "\u{202e}"
        }
        #expect(forbidden.isEmpty)
        // Texts are in elements alone: what the script reads as data is the same for all names.
        #expect(try data(hostile).contains(/[^-0-9a-zA-Z":,{}\[\] ]/) == false)
        #expect(try data(hostile).count { $0 == "\"" } == data(harmless).count { $0 == "\"" })
    }

    /// The ratios are those of WCAG 2.2: 4.5 for text, 3 for what is drawn.
    @Test func `texts and time lines contrast with what is behind them, in light and dark`() throws
    {
        func luminance(_ color: Substring) throws -> Double {
            let number = try #require(Int(color, radix: 16))
            let parts = [number >> 16, number >> 8 & 0xff, number & 0xff].map { part in
                let value = Double(part) / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let blocks = ReportStyle.text.matches(of: /--page: (?s:.*?)}/).map(\.output)
        #expect(blocks.count == 2)
        for block in blocks {
            let colors = Dictionary(
                uniqueKeysWithValues: try block.matches(of: /--([a-z]+): #([0-9a-f]{6})/).map {
                    ($0.output.1, try luminance($0.output.2))
                })
            func expect(_ names: [Substring], on behind: Substring, _ least: Double) throws {
                let ground = try #require(colors[behind])
                for name in names {
                    let color = try #require(colors[name])
                    let ratio = (max(color, ground) + 0.05) / (min(color, ground) + 0.05)
                    #expect(ratio >= least, "\(name) on \(behind)")
                }
            }
            let texts: [Substring] = ["text", "faint", "arrival", "departure", "accent"]
            try expect(texts, on: "page", 4.5)
            try expect(["text", "faint"], on: "track", 4.5)
            try expect(["present", "unanswered", "unknown", "gap"], on: "track", 3)
        }
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
            let path = try folder.file("page.html", text: try await page(lines))
            let finished = try await FinishedProcess(["python3", "-c", program, path])
            #expect(finished.output == "well-formed", "\(finished.errors)")
        }
    }

    @Test func `without the script, tables state who was there when`() async throws {
        let page = try await page(House.lines())
        for text in [
            "2026-11-21, 09:30 to 09:35, local time (UTC+1)", "<bdi>anna.local</bdi>",
            "<bdi>tv.local</bdi>", "<td><time>2026-11-21 09:30</time></td>",
            "<code><bdi>_googlecast._tcp</bdi></code>", ">1 min</data>",
            "<tr><th scope=\"row\"><time>2026-11-21 09:00</time></th>",
        ] {
            let isThere = page.contains(text)
            #expect(isThere, "\(text)")
        }
    }

    @Test func `a device that comes and goes all the time is counted whole and drawn in part`()
        async throws
    {
        var script = RecordedScript()
        script.begin(0)
        for count in 1...400 {
            script.change(Double(count) * 100, [Peer.device("tv")])
            // Every fourth pause is long.
            script.change(Double(count) * 100 + (count % 4 == 0 ? 5 : 90), .departed, [])
        }
        let path = try folder.file("flapping", script.lines)
        let presence = try await RecordedPresence.read(path)
        let report = try #require(Report([presence], limits: .init(intervals: 100)))
        #expect(report.arrivals == 400 && report.departures == 400)
        let drawn = try drawn(ReportPage(report, notices: []).text)
        #expect(drawn.devices.map(\.present.count) == [100])
        #expect(drawn.pause == "10 s")
    }

    @Test func `of many gaps the longest are drawn`() async throws {
        var script = RecordedScript()
        var time = 0.0
        for count in 0...20 {
            script.begin(time, [Peer.device("tv")])
            script.end(time + 100)
            time += count % 4 == 1 ? 2000 : 1000
        }
        let path = try folder.file("gaps", script.lines)
        let presence = try await RecordedPresence.read(path)
        let report = try #require(Report([presence], limits: .init(gaps: 5)))
        let page = ReportPage(report, notices: []).text
        let drawn = try drawn(page)
        #expect(drawn.gaps.map { $0[1] - $0[0] } == [1900, 1900, 1900, 1900, 1900])
        #expect(drawn.gapCount == 20)
        #expect(page.contains("20 gaps in the recording"))
    }

    @Test func `the page states the offsets of local time, also when they change`() async throws {
        var script = RecordedScript()
        script.begin(0, [Peer.device("tv")])
        script.end(3 * 86_400)
        let change = House.time(86_400 + 1800)  // 09:00 UTC
        let page = try await page(script.lines, offset: { $0 < change ? -12_600 : -16_200 })
        let isStated = page.contains("local time (UTC−3:30, then UTC−4:30)")
        #expect(isStated)
        #expect(try drawn(page).zones == [[0, -12600], [88200, -16200]])
    }

    @Test func `a list that stays empty gives a page that says so`() async throws {
        let page = try await page(Array(House.lines()[..<1]))
        #expect(page.contains("<p>No device was seen in this time.</p>"))
        #expect(!page.contains("<table") && !page.contains("<script"))
    }
}
