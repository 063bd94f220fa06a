// Tests of the page of `peerlist report --watch`: when it is written, what it shows, and its bounds.
import FoundationEssentials
import Glibc
import LabSupport
import PeerExpect
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import TestSupport
import Testing

@testable import PeerReport

@Suite(.timeLimit(.minutes(10))) struct WatchedReportTests {
    private let folder: RecordingFolder
    private let path: String

    init() throws {
        folder = try RecordingFolder()
        path = folder.path + "wall.html"
    }

    /// A live list that a test changes step by step; times are seconds after ``House/time(_:)`` 0.
    private final class LiveList {
        let report: WatchedReport
        private var list = ListScript()
        private var account = Happenings()

        init(_ report: WatchedReport) {
            self.report = report
            send(.began(House.header(.device)), at: 0)
            account.fill = .running
            send(.fill(.running), at: 0)
        }

        func send(_ event: OutputEvent, at time: Double) {
            report.handle(event, at: House.time(time)) { [] }
        }

        /// Ends the initial fill, with which all is said that was there.
        func fill(_ time: Double) {
            account.fill = .over(House.time(time))
            send(.fill(account.fill), at: time)
            say(time)
        }

        func change(_ time: Double, _ peers: [Peer]) { change(time, .arrived, peers) }

        func change(_ time: Double, _ cause: PeerListUpdate.Cause, _ peers: [Peer]) {
            say(time)
            let update = list.change(
                cause, reason: .removed, at: House.time(time), to: peers.sections(.device))
            send(.updated(update.items, .event(update)), at: time)
            account.apply(update.items)
        }

        func say(_ time: Double) {
            let events = account.removeDue(at: House.time(time))
            if !events.isEmpty { send(.happened(events), at: time) }
        }

        func end(_ time: Double) {
            say(time)
            send(.ended(.interrupted), at: time)
        }
    }

    private func report(past: [RecordedPresence] = []) -> WatchedReport {
        WatchedReport(path: path, past: past) { _ in 0 }
    }

    private func page() throws -> String { try TextFile.read(path) }

    /// The rows of the table of devices that are listed, as texts of cells.
    private func rows(_ page: String) throws -> [[String]] {
        let table = try #require(page.firstMatch(of: /id="now"(?s:.*?)<\/section>/)?.output)
        return table.split(separator: "<tr>").dropFirst(2).map { row in
            row.split(separator: /<\/t[hd]>/).map {
                String($0.replacing("</small>", with: "").replacing(/<[^>]*>/, with: ""))
            }.filter { $0 != "\n" && !$0.hasPrefix("\n") }
        }
    }

    private func mode() -> mode_t {
        var status = stat()
        unsafe lstat(path, &status)
        return status.st_mode & 0o777
    }

    @Test func `the page has the devices that are listed, and who was there when`() async throws {
        let list = LiveList(report())
        let tv = Peer.device("tv")
        let nas = Peer.device("nas", "_smb._tcp").with(\.firstSeen, House.time(3600))
        list.change(1, [tv])
        #expect(list.report.due == nil, "the list is not complete yet")
        list.fill(5)
        let due = try #require(list.report.due)
        #expect(due <= .now)
        #expect(list.report.due == due, "a time that moves on is never due")
        list.send(.tick, at: 6)
        #expect(try rows(page()).map { $0.prefix(2).joined(separator: "|") } == ["tv|present"])
        #expect(mode() == 0o600)
        let next = try #require(list.report.due)
        #expect(next > .now + .seconds(50) && next < .now + .seconds(60))

        unsafe chmod(path, 0o644)
        list.change(3600, [tv, nas])
        list.change(7200, .presence, [tv.with(\.presence, .unanswered), nas])
        list.say(7300)
        let soon = try #require(list.report.due)
        #expect(soon < .now + .seconds(10))
        list.change(7400, .departed, [tv.with(\.presence, .unanswered), nas])
        list.end(7500)
        let page = try page()
        let start = "before 08:30"
        #expect(
            try rows(page) == [
                ["nas", "present", "09:30", "10.0.0.2", "Windows file sharing"],
                [
                    "tv", "does not answer since 10:30", start, "10.0.0.2",
                    "Secure shell",
                ],
            ], "\(page)")
        #expect(page.contains("As of <time>2026-11-21 10:35</time>, local time (UTC)."))
        #expect(page.contains("<li>peerlist has ended; the list is as it was then.</li>"))
        #expect(page.contains("<dt>here now</dt><dd>2</dd>"))
        #expect(page.contains("<dt><a href=\"#changes\">arrival</a></dt><dd>1</dd>"))
        #expect(mode() == 0o644, "a web server can read it")
        #expect(await list.report.close(within: .seconds(1)) == nil)
    }

    @Test func `the page without devices says so`() throws {
        let list = LiveList(report())
        list.fill(5)
        list.send(.tick, at: 6)
        #expect(try page().contains("<p>No device is listed.</p>"))
    }

    @Test func `a live list has the presences of its recording`() async throws {
        let (tv, nas, mac) = (Peer.device("tv"), Peer.device("nas"), Peer.device("mac"))
        let steps: [(time: Double, cause: PeerListUpdate.Cause, peers: [Peer])] = [
            (100, .arrived, [tv, nas, mac.with(\.firstSeen, House.time(100))]),
            (200, .departed, [nas, mac]),
            (300, .presence, [nas, mac.with(\.presence, .unanswered)]),
            (400, .presence, [nas, mac]),
            (500, .backend, [nas.with(\.presence, .unknown), mac]),
            (600, .presence, [nas, mac]),
            (700, .arrived, [tv.with(\.firstSeen, House.time(700)), nas, mac]),
        ]
        var (script, list) = (RecordedScript(), ListScript())
        var (reader, account) = (PresenceReader(), Happenings())
        func change(_ time: Double, _ cause: PeerListUpdate.Cause, _ peers: [Peer]) {
            let time = House.time(time)
            reader.handle(.happened(account.removeDue(at: time)), at: time)
            let update = list.change(cause, reason: .removed, at: time, to: peers.sections(.device))
            reader.handle(.updated(update.items, .event(update)), at: time)
            account.apply(update.items)
        }
        script.begin(0, [tv, nas])
        reader.handle(.began(House.header(.device)), at: House.time(0))
        account.fill = .over(House.time(0))
        change(0, .arrived, [tv, nas])
        for (time, cause, peers) in steps {
            script.change(time, cause, peers)
            change(time, cause, peers)
        }
        script.end(800)
        reader.handle(.happened(account.removeAll()), at: House.time(800))
        let recorded = try await RecordedPresence.read(folder.file("list.jsonl", script.lines))
        let (live, present) = reader.snapshot(at: House.time(800))
        #expect(live.devices.mapValues(\.log) == recorded.devices.mapValues(\.log))
        #expect(live.coverage == recorded.coverage)
        #expect(Set(present.keys) == [tv.id, nas.id, mac.id])
    }

    @Test func `what recordings tell of the time before is shown, the last days of it`()
        async throws
    {
        let day = 86_400.0
        var script = RecordedScript()
        script.begin(0, [Peer.device("gone"), Peer.device("tv")])
        script.change(100, .departed, [Peer.device("tv")])
        script.change(9 * day, [Peer.device("tv"), Peer.device("guest")])
        script.change(9 * day + 100, .departed, [Peer.device("tv")])
        script.end(10 * day)
        let file = try folder.file("past.jsonl", script.lines)
        let past = try await RecordedPresence.read(file)
        var late = PresenceReader()
        late.handle(.began(House.header(.device)), at: House.time(10 * day + 30))
        let made = Report(
            [past, late.snapshot(at: House.time(12 * day)).presence], present: [:]
        ) { _ in 0 }
        #expect(try #require(made).deviceCount == 3)

        let report = report(past: [past])
        report.handle(.began(House.header(.device)), at: House.time(10 * day + 30)) { [] }
        report.handle(.fill(.none), at: House.time(12 * day)) { [] }
        report.handle(.tick, at: House.time(12 * day)) { [] }
        let page = try page()
        #expect(!page.contains("<bdi>gone</bdi>"), "longer ago than the page shows")
        #expect(page.contains("<bdi>guest</bdi>") && page.contains("<bdi>tv</bdi>"))
        #expect(page.contains("Below, since <time>2026-11-26 08:30</time>."))
        #expect(!page.contains("class=\"remarks\">\n<li>One gap"), "the list went on in a minute")
    }

    @Test func `what ended before a time is forgotten, and what goes on is not`() {
        let list = (1...3).map { Peer.device("peer\($0)") }
        var (script, account, reader) = (ListScript(), Happenings(), PresenceReader())
        reader.handle(.began(House.header(.device)), at: House.time(0))
        func change(_ time: Double, _ peers: [Peer]) {
            reader.handle(.happened(account.removeDue(at: House.time(time))), at: House.time(time))
            let update = script.change(
                .changed, at: House.time(time), to: peers.sections(.device))
            reader.handle(.updated(update.items, .event(update)), at: House.time(time))
            account.apply(update.items)
        }
        change(10, list)
        change(20, Array(list[..<2]))
        change(30, Array(list[..<1]))
        change(100, list)
        change(110, [])
        change(120, Array(list[..<1]))
        change(200, Array(list[..<1]))
        reader.forget(before: House.time(25))
        #expect(reader.presence.devices[list[2].id]?.log.there.count == 1)
        #expect(reader.presence.devices[list[1].id]?.log.there.first?.start == House.time(25))
        reader.forget(before: House.time(150))
        #expect(Set(reader.presence.devices.keys) == [list[0].id])
        let (presence, present) = reader.snapshot(at: House.time(300))
        #expect(present == [list[0].id: .present])
        #expect(presence.coverage.map(\.start) == [House.time(150)])
        #expect(
            presence.devices[list[0].id]?.log.there == [
                Interval(
                    start: House.time(150), end: House.time(300), hasBeginning: false,
                    hasEnding: false)
            ])
    }

    @Test(arguments: [true, false])
    func `what is not as expected comes first, when that is known`(isThere: Bool) throws {
        let text = "[device <b>nas]\nhost = nas.local\nfor = 10s\n"
        let (file, errors) = ExpectationFile.parse(Array(text.utf8))
        #expect(errors.isEmpty)
        let list = LiveList(WatchedReport(path: path, expecting: file) { _ in 0 })
        list.change(1, [Peer.device("tv")] + (isThere ? [Peer.device("nas")] : []))
        list.fill(5)
        list.send(.tick, at: 6)
        #expect(try !page().contains("id=\"faults\""), "it may be found yet")
        list.end(60)
        let page = try page()
        let faults = try #require(page.firstRange(of: "<section id=\"faults\""))
        let now = try #require(page.firstRange(of: "<section id=\"now\""))
        #expect(faults.lowerBound < now.lowerBound)
        let section = page[faults.lowerBound..<now.lowerBound]
        #expect(section.contains("Everything is as expected.") == isThere)
        #expect(section.contains("<bdi>&lt;b&gt;nas</bdi>") == !isThere, "\(section)")
        #expect(!section.contains("<b>"))
    }

    @Test func `what is not known is not as expected`() throws {
        let (file, _) = ExpectationFile.parse(Array("[device nas]\n".utf8))
        let list = LiveList(WatchedReport(path: path, expecting: file) { _ in 0 })
        var nas = Peer.device("nas")
        nas.presence = .unknown
        list.change(1, [nas])
        list.fill(5)
        list.send(.tick, at: 6)
        list.end(60)
        let page = try page()
        #expect(!page.contains("Everything is as expected."))
        #expect(page.contains("Not known to be as expected"))
        #expect(page.contains("is not known: it cannot be heard now</bdi>"), "\(page)")
    }

    @Test func `the observers of a fleet are named, and the absent ones first`() throws {
        let list = LiveList(report())
        let names = ["attic", "cellar"].map { ObserverName(site: "home", observer: $0) }
        var sources = AbsentSources()
        sources.apply([names[0]: true, names[1]: false])
        list.send(.sources(sources), at: 1)
        list.fill(5)
        list.send(.tick, at: 6)
        let page = try page()
        #expect(page.contains("Seen from <bdi>home/attic</bdi>, <bdi>home/cellar</bdi>."))
        #expect(
            page.contains(
                "<li>The observer home/cellar is away: what it alone sees is not known.</li>"))
    }

    @Test(arguments: [
        (WatchedReportStyle.hash, WatchedReportStyle.text),
        (WatchedReportScript.hash, WatchedReportScript.text),
    ])
    func `the policy admits the style and the script of the page, and loading the page itself`(
        hash: String, text: String
    ) async throws {
        let program = """
            import base64, hashlib, sys
            text = open(sys.argv[1], 'rb').read()
            print('sha256-' + base64.b64encode(hashlib.sha256(text).digest()).decode())
            """
        let file = try folder.file("text", text: text)
        let finished = try await FinishedProcess(["python3", "-c", program, file])
        #expect(finished.output == hash, "write this digest beside the text")
        let list = LiveList(report())
        list.change(1, [Peer.device("tv")])
        list.fill(5)
        list.send(.tick, at: 6)
        let page = try page()
        let policy = try #require(page.firstMatch(of: /content="(default-src[^"]*)"/)?.output.1)
        #expect(policy.contains(" '\(hash)'") && page.contains(">\(text)</"))
        #expect(policy.contains("; connect-src 'self';"))
    }

    /// Names as long as they can be, of which each character takes five bytes.
    @Test func `thousands of devices with long names make a page of a few megabytes`() throws {
        let name = String(repeating: "&", count: 63)
        let list = LiveList(report())
        let devices = (0..<2000).map { number in
            let types = (0..<8).map { "_\(name.prefix(13))\($0)._tcp" }
            var peer = Peer.device("\(number)\(name)", host: "\(number)\(name).local")
            peer.services = types.map { type in
                Service(
                    id: Identity.uuid(forName: "\(number).\(type)"), name: name, type: type,
                    domain: "local", port: 22)
            }
            peer.addresses = (0..<8).map { "\($0)" + String(repeating: "&", count: 40) }
            return peer.with(\.model, name).with(\.maker, name).with(\.isNew, true)
        }
        list.change(1, devices)
        list.fill(5)
        list.send(.tick, at: 6)
        let page = try page()
        #expect(page.utf8.count < 3_000_000, "\(page.utf8.count)")
        #expect(page.contains("Shown are 200 of 2000 devices."))
    }

    @Test func `a file that is no page is neither replaced at the start nor later`() async throws {
        _ = try folder.file("wall.html", text: "mine")
        #expect(WatchedReport.obstacle(path)?.contains("is not a report") == true)
        let list = LiveList(report())
        list.fill(5)
        list.send(.tick, at: 6)
        #expect(try page() == "mine")
        #expect(await list.report.close(within: .seconds(1)) != nil)
        unsafe unlink(path)
        list.send(.ended(.interrupted), at: 7)
        #expect(await list.report.close(within: .seconds(1)) == nil)
        #expect(WatchedReport.obstacle(path) == nil)
    }
}
