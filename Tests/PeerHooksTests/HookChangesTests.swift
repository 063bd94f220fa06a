// The changes of a list that hooks get: which, in which order, within which bounds, and their values.
import DiffCore
import Foundation
import LabSupport
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerHooks
@testable import PeerText

@Suite(.timeLimit(.minutes(10))) struct HookChangesTests {
    private var script = ListScript()
    private var account = Happenings()
    private let (laptop, printer): (Peer, Peer)

    init() throws {
        let peers = House.devices().flatMap(\.items).map(\.peer)
        laptop = try #require(peers.first { $0.name == "anna" })
        var printer = try #require(peers.first { $0.name == "brn30055c" })
        printer.presence = .present
        self.printer = printer
    }

    /// Changes the list to peers, and returns the changes that are due then.
    private mutating func show(
        _ peers: [Peer], at seconds: Double, reason: Departure = .removed,
        by grouping: Grouping = .device
    ) -> [String] {
        let time = House.time(seconds)
        account.apply(
            script.change(.changed, reason: reason, at: time, to: peers.sections(grouping)).items)
        return due(at: seconds)
    }

    private mutating func due(at seconds: Double) -> [String] {
        changes(at: seconds).map(Self.text)
    }

    private mutating func changes(at seconds: Double) -> [ItemHappening] {
        account.removeDue(at: House.time(seconds)).compactMap(\.ofItem)
            .filter { !$0.hookEvents.isEmpty }
    }

    private static func text(_ change: ItemHappening) -> String {
        "\(change.hookEvents.map(\.rawValue).joined(separator: "+")) \(change.item.name)"
    }

    private func with(_ peer: Peer, _ edit: (inout Peer) -> Void) -> Peer {
        var peer = peer
        edit(&peer)
        return peer
    }

    @Test mutating func `what was there at the start has not arrived, but departs and may be new`()
    {
        account.fill = .running
        let new = with(printer) { $0.isNew = true }
        #expect(show([laptop, new], at: 1) == [])
        #expect(show([laptop, with(new) { $0.addresses = ["10.0.0.7"] }], at: 1.5) == [])
        account.fill = .over(House.time(5))
        #expect(due(at: 5.1) == ["new brn30055c"])
        #expect(show([], at: 60) == [])
        #expect(due(at: 61) == ["departed anna", "departed brn30055c"])
    }

    @Test mutating func `a service is new with its device, also if its host is known late`() {
        let service = printer.services[0]
        let pending = Peer(
            unresolved: service, presence: .resolving, firstSeen: printer.firstSeen,
            lastSeen: printer.lastSeen)
        let new = with(printer) { ($0.isNew, $0.services) = (true, [service]) }
        #expect(show([pending], at: 1, by: .type) == [])
        #expect(show([new], at: 1.5, by: .type) == [])
        #expect(due(at: 2.5) == ["new+arrived \(service.name)"])
        #expect(show([], at: 10, by: .type) == [])
        #expect(due(at: 11) == ["departed \(service.name)"])
        #expect(show([pending], at: 20, by: .type) == [])
        #expect(due(at: 29) == [], "a service without a host has not arrived")
        #expect(show([new], at: 30, by: .type) == [])
        #expect(due(at: 31) == ["new+arrived \(service.name)"])
    }

    @Test mutating func `an arrival waits for a second, and for three without an address`() {
        let bare = with(printer) { $0.addresses = [] }
        #expect(show([bare], at: 1) == [])
        #expect(due(at: 3.9) == [])
        #expect(due(at: 4) == ["arrived brn30055c"])
        #expect(show([bare, with(laptop) { $0.isNew = true }], at: 10) == [])
        #expect(show([bare, with(laptop) { $0.name = "Zoë" }], at: 10.5) == [])
        #expect(due(at: 11) == ["arrived Zoë"], "updated while it waited, with the mark it has now")
    }

    @Test mutating func `a device that stops answering is unanswered, and then changed`() {
        _ = show([printer], at: 1)
        _ = due(at: 9)
        let silent = with(printer) { $0.presence = .unanswered }
        #expect(show([silent], at: 10) == [])
        #expect(due(at: 11.25) == ["unanswered+changed brn30055c"])
        #expect(show([printer], at: 20) == [])
        #expect(due(at: 21.25) == ["changed brn30055c"])
        #expect(show([with(printer) { $0.lastSeen = House.time(30) }], at: 30) == [])
        #expect(due(at: 40) == [])
    }

    @Test mutating func `a backend that goes away and returns changes no device`() {
        _ = show([printer], at: 1)
        _ = due(at: 9)
        #expect(show([with(printer) { $0.presence = .unknown }], at: 10) == [])
        #expect(show([printer], at: 20) == [])
        #expect(show([with(printer) { $0.presence = .unknown }], at: 30) == [])
        #expect(show([], at: 40, reason: .backend) == [])
        #expect(due(at: 41) == ["departed brn30055c"])
    }

    @Test mutating func `what an interface that was down took away neither departs nor arrives`() {
        _ = show([printer, laptop], at: 1)
        _ = due(at: 9)
        #expect(show([laptop], at: 300, reason: .link) == [])
        #expect(due(at: 301) == ["link brn30055c"])
        #expect(show([printer, laptop], at: 400) == [])
        #expect(due(at: 401) == ["link brn30055c"])
        #expect(show([laptop], at: 500) == [])
        #expect(due(at: 501) == ["departed brn30055c"])
        #expect(show([printer, laptop], at: 600) == [])
        #expect(due(at: 601) == ["arrived brn30055c"])
    }

    @Test
    mutating func `a device that continues under another identifier neither departs nor arrives`() {
        _ = show([printer], at: 1)
        _ = due(at: 9)
        let id = UUID()
        let due = replace([printer.id: id], by: [with(printer) { $0.id = id }])
        #expect(due.map(Self.text) == ["changed brn30055c"])
        #expect(due.first?.item.id == id)
    }

    /// Changes the list to peers, which others continue as, and returns the changes that are due then.
    private mutating func replace(
        _ replacements: [UUID: UUID], by peers: [Peer]
    ) -> [ItemHappening] {
        var items = script.change(
            .identity, reason: .identity, at: House.time(10), to: peers.sections(.device)
        ).items
        items.replacements = replacements
        account.apply(items)
        return changes(at: 20)
    }

    @Test mutating func `a device that becomes part of a listed one continues as that`() {
        _ = show([laptop, printer], at: 1)
        _ = due(at: 9)
        let due = replace(
            [laptop.id: printer.id], by: [with(printer) { $0.services += laptop.services }])
        #expect(due.map(Self.text) == ["changed brn30055c", "changed brn30055c"])
        let line = due.first { $0.was?.id == laptop.id }
            .map { String(decoding: $0.changeLine("changed"), as: UTF8.self) }
        let former = "\"was\":{\"id\":\"\(laptop.id.uuidString.lowercased())\""
        #expect(line?.contains(former) == true, "\(line ?? "")")
    }

    @Test mutating func `two devices that are one under a third identifier continue as that`() {
        _ = show([laptop, printer], at: 1)
        _ = due(at: 9)
        let both = with(printer) { $0.id = UUID() }
        let due = replace([laptop.id: both.id, printer.id: both.id], by: [both])
        #expect(due.allSatisfy { $0.item.id == both.id })
        let former = due.compactMap { $0.was?.id }
        #expect(Set(former).isSuperset(of: [laptop.id, printer.id]))
    }

    @Test mutating func `an arrival that is renamed before it is due is one arrival`() {
        #expect(show([printer], at: 1) == [])
        let id = UUID()
        #expect(show([with(printer) { $0.id = id }], at: 1.4, reason: .identity) == [])
        #expect(due(at: 2.4) == ["arrived brn30055c"])
    }

    @Test mutating func `an absence that does not last is not reported, nor its end`() {
        var absences = LastingAbsences(for: .seconds(300))
        let start = ContinuousClock.now
        var absence: Int? = 1
        func change(_ event: ItemHappening.Event, _ peer: Peer, _ seconds: Double) -> ItemHappening
        {
            ItemHappening(
                event, .peer(peer), at: House.time(seconds), was: .peer(peer), absence: absence)
        }
        func passes(_ change: ItemHappening, at seconds: Int) -> Bool {
            absences.passes(change, at: start + .seconds(seconds))
        }
        let silent = with(printer) { $0.presence = .unanswered }
        absence = nil
        #expect(passes(change(.arrived, printer, 0), at: 0))
        absence = 1
        #expect(!passes(change(.silent, silent, 10), at: 10))
        #expect(!passes(change(.answers, printer, 70), at: 70))
        #expect(absences.due == nil)
        #expect(!passes(change(.left, printer, 100), at: 100))
        #expect(!passes(change(.arrived, printer, 399), at: 399))
        #expect(!passes(change(.silent, silent, 500), at: 500))
        #expect(!passes(change(.left, silent, 600), at: 600))
        #expect(absences.due == start + .seconds(800))
        #expect(absences.removeDue(at: (House.time(799), start + .seconds(799))).isEmpty)
        let reported = absences.removeDue(at: (House.time(800), start + .seconds(800)))
            .map(Self.text)
        #expect(reported == ["unanswered+changed brn30055c", "departed brn30055c"])
        #expect(passes(change(.changed, silent, 850), at: 850), "its absence was reported")
        #expect(passes(change(.arrived, printer, 900), at: 900))
        // That absence is over.
        absence = 2
        #expect(!passes(change(.left, printer, 1_000), at: 1_000))
    }

    /// Hands what is said to a hook for absences of 15 seconds, and returns what it gets by a time.
    private mutating func absences(
        _ steps: [(seconds: Double, peers: [Peer])], until end: Double
    ) -> [String] {
        var absences = LastingAbsences(for: .seconds(15))
        let start = ContinuousClock.now
        var texts: [String] = []
        var steps = steps[...]
        for tick in 0..<Int(end * 10) {
            let seconds = Double(tick) / 10
            let (time, now) = (House.time(seconds), start + .seconds(seconds))
            while let step = steps.first, step.seconds <= seconds {
                account.apply(
                    script.change(
                        .changed, reason: .removed, at: time, to: step.peers.sections(.device)
                    )
                    .items)
                steps.removeFirst()
            }
            for event in account.removeDue(at: time).compactMap(\.ofItem) {
                if absences.passes(event, at: now), !event.hookEvents.isEmpty {
                    texts.append(Self.text(event))
                }
            }
            texts += absences.removeDue(at: (time, now)).map(Self.text)
        }
        return texts
    }

    /// The printer with a UUID in its records, and so under another identifier.
    private func printer(uuid digit: Int, host: String = "brn30055c.local") -> Peer {
        with(printer) { peer in
            let uuid = "0c4f3a52-7c1d-4be0-9a53-2f7c5f7f4a1\(digit)"
            (peer.id, peer.host) = (Identity(source: .txt, value: "uuid:" + uuid).id, host)
            for index in peer.services.indices where peer.services[index].type == "_ipp._tcp" {
                peer.services[index].txt = TXTRecord(strings: [Array("UUID=\(uuid)".utf8)])
            }
        }
    }

    @Test(arguments: [0, 1, 2])
    mutating func `an absence of a device that is back under another identifier does not last`(
        kind: Int
    ) {
        let (was, now) =
            switch kind {
            case 0: (printer, printer(uuid: 1))
            case 1: (printer(uuid: 1), printer)
            // Renamed, with the evidence that it had.
            default:
                (
                    printer(uuid: 1),
                    with(printer(uuid: 1, host: "brother.local")) { $0.id = UUID() }
                )
            }
        #expect(was.id != now.id)
        let texts = absences(
            [(1, [was]), (10, []), (16, [now]), (60, []), (66, [was])], until: 120)
        #expect(texts == ["arrived brn30055c"])
        // An absence that lasts is said once, and so is the return.
        let later = absences([(1, []), (40, [now])], until: 60)
        #expect(later == ["departed brn30055c", "arrived brn30055c"])
    }

    @Test mutating func `another device of the same host name does not end an absence`() {
        let texts = absences(
            [(1, [printer(uuid: 1)]), (10, []), (16, [printer(uuid: 2)])], until: 60)
        #expect(
            texts == ["arrived brn30055c", "arrived brn30055c", "departed brn30055c"])
    }

    @Test mutating func `a device at another site does not end an absence`() {
        func seen(at site: String, _ id: UUID) -> Peer {
            with(printer) { peer in
                peer.id = id
                peer.views = [
                    PeerView(
                        name: ObserverName(site: site, observer: "hall"), host: "",
                        presence: .present,
                        since: peer.firstSeen)
                ]
            }
        }
        let (home, office) = (seen(at: "home", UUID()), seen(at: "office", UUID()))
        var absences = absences([(1, [home]), (10, []), (16, [office])], until: 60)
        #expect(
            absences == ["arrived brn30055c", "arrived brn30055c", "departed brn30055c"])
        absences = self.absences([(61, []), (66, [seen(at: "office", UUID())])], until: 120)
        #expect(absences == [])
    }

    @Test mutating func `an absence of a device that is there at the start of an observer is over`()
    {
        var absences = LastingAbsences(for: .seconds(300))
        let start = ContinuousClock.now
        let silent = with(printer) { $0.presence = .unanswered }
        for (id, event) in [printer.id, UUID()].flatMap({ id in
            [ItemHappening.Event.left, .silent].map { (id, $0) }
        }) {
            let gone = ItemHappening(
                event, .peer(event == .left ? printer : silent), at: House.time(1),
                was: .peer(printer), absence: 1)
            let isSaid = absences.passes(gone, at: start)
            #expect(!isSaid)
            let back = ItemHappening(
                .there, .peer(with(printer) { $0.id = id }), at: House.time(9), absence: 1)
            _ = absences.passes(back, at: start + .seconds(8))
            #expect(absences.due == nil, "\(event)")
        }
    }

    @Test mutating func `a silence goes on under a new identifier, and ends under it`() {
        var absences = LastingAbsences(for: .seconds(300))
        let start = ContinuousClock.now
        let silent = with(printer) { $0.presence = .unanswered }
        let renamed = with(silent) { $0.id = UUID() }
        for (event, peer, was) in [
            (ItemHappening.Event.silent, silent, printer), (.identified, renamed, silent),
        ] {
            let change = ItemHappening(
                event, .peer(peer), at: House.time(1), was: .peer(was), absence: 1)
            let isSaid = absences.passes(change, at: start)
            #expect(!isSaid)
        }
        #expect(absences.due == start + .seconds(300))
        let answer = ItemHappening(
            .answers, .peer(with(renamed) { $0.presence = .present }), at: House.time(9),
            was: .peer(renamed), absence: 1)
        let isSaid = absences.passes(answer, at: start + .seconds(8))
        #expect(!isSaid && absences.due == nil)
    }

    // MARK: The values of a change

    /// Returns the variables of the arrival of a device.
    private func variables(_ peer: Peer) -> [String: String] {
        ItemHappening(.arrived, .peer(peer), at: House.time(7)).variables(.arrived)
    }

    @Test func `the variables are the main values`() {
        let labelled = with(printer) {
            ($0.label, $0.kind) = ("Upstairs", .printer)
            ($0.maker, $0.model) = ("Brother", "HL-L2350DW")
        }
        #expect(
            variables(labelled) == [
                "PEERLIST_EVENT": "arrived", "PEERLIST_TIME": "2026-11-21T08:30:07.000000Z",
                "PEERLIST_ID": "ffeed2f7-c139-551d-a00c-e8aa39435dc8",
                "PEERLIST_NAME": "brn30055c", "PEERLIST_LABEL": "Upstairs",
                "PEERLIST_HOST": "brn30055c.local", "PEERLIST_ADDRESS": "10.0.0.10",
                "PEERLIST_ADDRESSES": printer.addresses.joined(separator: " "),
                "PEERLIST_REACH": "", "PEERLIST_MACS": "", "PEERLIST_PROTOCOLS": "",
                "PEERLIST_KIND": "printer",
                "PEERLIST_MAKER": "Brother",
                "PEERLIST_MODEL": "HL-L2350DW", "PEERLIST_TYPES": "_http._tcp _ipp._tcp",
            ])
    }

    @Test func `a variable says who answers for a device if that is known`() {
        #expect(variables(printer)["PEERLIST_VOUCHED_BY"] == nil)
        let own = with(printer) { $0.vouchedBy = Vouching(.own, sender: "10.0.0.10") }
        #expect(variables(own)["PEERLIST_VOUCHED_BY"] == "own")
        let other = with(printer) {
            $0.vouchedBy = Vouching(.proxy, sender: "10.0.0.1", name: "fritz\u{1b}.box")
        }
        #expect(variables(other)["PEERLIST_VOUCHED_BY"] == "proxy fritz.box")
    }

    @Test func `variables have no invisible characters`() {
        let hostile = with(printer) {
            $0.name = "\u{3164}a\u{115F}\u{1160}\u{FFA0}\u{34F}\u{17B4}\u{17B5}\u{180B}\u{180F}b"
            $0.model = "\u{FE00}\u{FE0F}\u{E0100}\u{E0041}\u{E007F}\u{200B}\u{2060}\u{AD}"
        }
        #expect(variables(hostile)["PEERLIST_NAME"] == "ab")
        #expect(variables(hostile)["PEERLIST_MODEL"] == "")
    }

    @Test func `variables have no control characters and a bounded length`() {
        let hostile = with(printer) {
            $0.name = "-x \u{1b}[2J\n\r\0\u{7f}\u{9b}\u{202e}\u{2028}$(id)`id`\";'\\ ü"
            $0.addresses = (0..<1_000).map { "fe80::\($0)%eth0" }
            $0.model = String(repeating: "m", count: 4_097)
        }
        let values = variables(hostile)
        #expect(values["PEERLIST_NAME"] == "-x [2J$(id)`id`\";'\\ ü")
        #expect(values["PEERLIST_MODEL"] == "", "a part of a value would be another value")
        let addresses = values["PEERLIST_ADDRESSES"] ?? ""
        #expect(addresses.hasPrefix("fe80::0%eth0 fe80::1%eth0 "))
        #expect(addresses.utf8.count <= 4_096)
        #expect(
            hostile.addresses.contains(addresses.split(separator: " ").last.map(String.init) ?? ""))
        let longest = with(printer) {
            $0.model = String(repeating: "m", count: 4_096)
            $0.addresses = ["a", "b", "c"].map { String(repeating: $0, count: 2_048) }
            $0.addresses[0].removeLast()
        }
        #expect(variables(longest)["PEERLIST_MODEL"] == longest.model)
        #expect(variables(longest)["PEERLIST_ADDRESSES"]?.utf8.count == 4_096)
    }

    @Test func `the line has the whole item and what changed, and is valid under the schema`()
        async throws
    {
        let hostile = with(printer) { $0.name = "\n\u{1b}\"\\</script>\u{202e}" }
        let silent = with(printer) { $0.presence = .unanswered }
        let service = try #require(House.services().flatMap(\.items).first)
        let time = House.time(7)
        let lines = [
            ItemHappening(.arrived, .peer(hostile), at: time).changeLine("arrived"),
            ItemHappening(.left, .peer(laptop), at: time, reason: .backend)
                .changeLine("departed", droppedCount: 3),
            ItemHappening(.silent, .peer(silent), at: time, was: .peer(printer))
                .changeLine("unanswered"),
            ItemHappening(.left, service, at: time, reason: .goodbye).changeLine("departed"),
            ItemHappening(.left, service, at: time, reason: .expired).changeLine("departed"),
        ].map { String(decoding: $0, as: UTF8.self) }
        for line in lines { #expect(line.filter { $0 == "\n" }.count == 1 && line.last == "\n") }
        let directory = try TemporaryDirectory()
        let file = try directory.write(lines.joined(), to: "lines")
        let verdict = try await FinishedProcess([
            BuiltProducts.package + "/Tests/Schema/validate", "--of", "change", file,
        ])
        #expect(verdict.status == 0, "\(verdict.output)\(verdict.errors)")
        #expect(lines[1].hasSuffix(#""reason":"backend","dropped":3}"# + "\n"))
        #expect(lines[2].contains(#""event":"unanswered""#))
        #expect(
            lines[2].hasSuffix(
                #""set":{"presence":"unanswered"},"was":{"presence":"present"}}"# + "\n"))
        await directory.remove()
    }

    @Test func `docs/hooks.md has the line of an arrival, and names every variable and event`()
        throws
    {
        let text = try TextFile.read(BuiltProducts.package + "/docs/hooks.md")
        let line = ItemHappening(.arrived, .peer(laptop), at: House.time(7)).changeLine("arrived")
        #expect(
            text.contains(String(decoding: line, as: UTF8.self)),
            "\(String(decoding: line, as: UTF8.self))")
        for name in variables(laptop).keys { #expect(text.contains("`\(name)`"), "\(name)") }
        for event in Hook.Event.allCases { #expect(text.contains("`\(event.rawValue)`")) }
    }

    // MARK: The queue and the reports of a hook

    @Test func `beyond the limit the oldest changes are dropped, and counted at the next one`() {
        var queue = HookQueue(limit: 10)
        let change = { (number: Int) in
            let peer = with(printer) { $0.name = "p\(number)" }
            return ItemHappening(.arrived, .peer(peer), at: House.time(1))
        }
        for number in 0..<25 {
            queue.append(HappeningCall(change: change(number), event: .arrived))
        }
        #expect(queue.count == 10)
        let first = queue.popFirst()
        #expect((first?.call as? HappeningCall)?.change.item.name == "p15")
        #expect(first?.droppedCount == 15)
        #expect(queue.popFirst()?.droppedCount == 0)
        // A device of very many services counts as several.
        let service = printer.services[0]
        let large = with(printer) { $0.services = Array(repeating: service, count: 200) }
        let last = ItemHappening(.arrived, .peer(large), at: House.time(1))
        queue.append(HappeningCall(change: last, event: .arrived))
        #expect(queue.count == 1, "never none")
        #expect(queue.popFirst()?.droppedCount == 8)
        #expect(queue.popFirst() == nil)
    }

    @Test func `each kind of trouble is reported at once, then once a minute with its count`() {
        var reports = HookReports(title: "'x'")
        let start = ContinuousClock.now
        #expect(reports.outcome(nil, at: start) == nil)
        let first = reports.outcome("exit status 1", at: start)
        #expect(first?.0 == .hookFailed)
        #expect(first?.1 == "the hook 'x' failed: exit status 1")
        for second in 1..<60 {
            #expect(reports.outcome("exit status 2", at: start + .seconds(second)) == nil)
        }
        #expect(reports.dropped(7, at: start)?.1.hasSuffix("it was not run for 7 changes") == true)
        #expect(
            reports.outcome("signal 9", at: start + .seconds(60))?.1
                == "the hook 'x' failed 60 times, the last time: signal 9")
        #expect(reports.dropped(1, at: start + .seconds(59)) == nil)
        #expect(
            reports.removeAll(left: 2, dropped: 0) == [
                "the hook 'x' is slower than the changes come, so it was not run for 1 change",
                "the hook 'x' was not run for the last 2 changes, as the list ended",
            ])
        #expect(reports.removeAll(left: 0, dropped: 0) == [])
    }
}
