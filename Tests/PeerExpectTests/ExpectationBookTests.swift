// Tests of the faults that follow from what happens.
import FoundationEssentials
import PeerExpect
import PeerHappenings
import PeerModel
import PeerListTestSupport
import Testing

/// A book to which tests tell what happens, at seconds after the start.
private struct Account {
    var book: ExpectationBook
    private var account = Happenings()
    var said: [String] = []

    init(_ text: String, there: [Peer] = []) {
        let (file, errors) = ExpectationFile.parse(Array(text.utf8))
        #expect(errors == [])
        book = ExpectationBook(file)
        book.begin()
        for peer in there {
            book.apply(.item(ItemHappening(.there, .peer(peer), at: House.time(0))))
        }
        book.becomeReady(at: House.time(0))
    }

    mutating func tell(
        _ event: ItemHappening.Event, _ peer: Peer, at seconds: Double,
        _ reason: ItemHappening.Reason? = nil, was: Peer? = nil
    ) {
        book.apply(
            .item(
                ItemHappening(
                    event, .peer(peer), at: House.time(seconds), was: was.map(ListItem.peer),
                    reason: reason)))
        pass(to: seconds)
    }

    mutating func tell(_ event: SourceHappening.Event, _ name: String, at seconds: Double) {
        let happening = SourceHappening(event, name, count: 1, at: House.time(seconds))
        account.add(happening)
        book.sources = account.attendance.sources
        book.apply(.source(happening))
        pass(to: seconds)
    }

    /// Changes which observers of a fleet are online.
    mutating func observe(_ online: [ObserverName: Bool]) {
        account.note(online)
        book.sources = account.attendance.sources
    }

    mutating func pass(to seconds: Double) {
        for event in book.removeDue(at: House.time(seconds)) {
            let start = House.time(0).microseconds
            let time = (event.time.microseconds - start) / 1_000_000
            let since = (event.fault.since.microseconds - start) / 1_000_000
            said.append("\(time) \(event.kind) since \(since): \(event.fault.text)")
        }
    }
}

@Suite struct ExpectationBookTests {
    private let nas = device("nas", "http", address: "10.0.0.5")
    private let tv = device("tv", "googlecast", address: "10.0.0.6")

    @Test func `a device that leaves is missing after its time, and restored when it is back`() {
        var account = Account("[device nas]\nfor = 1m", there: [nas, tv])
        account.tell(.left, nas, at: 100, .goodbye)
        account.pass(to: 162)
        #expect(account.said == [])
        account.pass(to: 163)
        #expect(account.said == ["160 missing since 100: 'nas' is missing; it said goodbye"])
        #expect(account.book.faults.count == 1)
        account.tell(.arrived, nas, at: 200)
        #expect(
            account.said.last == "200 restored since 100: 'nas' is missing; it said goodbye")
        #expect(account.book.faults.isEmpty)
        #expect(account.book.due == nil)
    }

    @Test func `a device for which a router answers is not as expected until it is heard itself`() {
        func vouched(_ rule: VouchingRule, _ name: String? = nil) -> Peer {
            var peer = nas
            peer.vouchedBy = Vouching(rule, sender: "10.0.0.1", name: name)
            return peer
        }
        var account = Account("[device nas]\nfor = 1m\nvouched = own, sleep-proxy", there: [nas])
        account.tell(.changed, vouched(.unheard), at: 10)
        account.tell(.changed, vouched(.sleepProxy), at: 20)
        account.pass(to: 90)
        #expect(account.said == [])
        account.tell(.changed, vouched(.proxy, "fritz.box"), at: 100)
        account.pass(to: 170)
        #expect(
            account.said == [
                "160 missing since 100: 'nas' is vouched for by fritz.box (10.0.0.1): 'nas'"
            ])
        account.tell(.changed, vouched(.own), at: 200)
        #expect(account.said.count == 2 && account.book.faults.isEmpty)
    }

    @Test func `a flap shorter than its time is no fault`() {
        var account = Account("[device nas]\nfor = 1m", there: [nas])
        account.tell(.left, nas, at: 100, .goodbye)
        // Said three seconds after the end of the time.
        account.tell(.arrived, nas, at: 159)
        account.tell(.silent, nas, at: 200)
        account.tell(.answers, nas, at: 250)
        account.pass(to: 1000)
        #expect(account.said == [])
    }

    @Test func `an arrival that is told late ends what has not lasted`() {
        var account = Account("[device nas]\nfor = 1m", there: [nas])
        account.tell(.left, nas, at: 100, .goodbye)
        account.pass(to: 161)
        account.tell(.arrived, nas, at: 159)
        account.pass(to: 1000)
        #expect(account.said == [])
    }

    @Test func `a fault that nobody waited for is told with its end`() {
        var account = Account("[device nas]\nfor = 1m", there: [nas])
        account.book.apply(
            .item(ItemHappening(.silent, .peer(nas), at: House.time(100))))
        account.book.apply(
            .item(ItemHappening(.answers, .peer(nas), at: House.time(300))))
        account.pass(to: 300)
        #expect(
            account.said == [
                "160 missing since 100: 'nas' is missing; it does not answer",
                "300 restored since 100: 'nas' is missing; it does not answer",
            ])
    }

    @Test func `a device that does not answer is missing`() {
        var account = Account("[device nas]\nfor = 1m", there: [nas])
        account.tell(.silent, nas, at: 10)
        account.pass(to: 80)
        #expect(account.said == ["70 missing since 10: 'nas' is missing; it does not answer"])
    }

    @Test func `a device of the start is missing from the start on`() {
        var account = Account("[device nas]\nfor = 0s", there: [tv])
        #expect(account.book.due == House.time(3))
        account.pass(to: 3)
        #expect(account.said == ["0 missing since 0: 'nas' is missing"])
    }

    @Test func `a missing device is there under a name with a number`() {
        var account = Account(
            "[device nas]\nfor = 0s\n[device tv]", there: [device("nas-2", "http"), tv])
        account.pass(to: 10)
        #expect(account.said == ["0 missing since 0: 'nas' is missing; 'nas' is there as 'nas-2'"])
    }

    @Test func `a missing device resembles the one that meets most of its criteria`() {
        var account = Account(
            "[device store]\nhost = nas.local\naddress = 10.0.0.7\nkind = nas\nfor = 0s",
            there: [nas, tv])
        account.pass(to: 10)
        #expect(
            account.said == [
                "0 missing since 0: 'store' is missing; 'nas' (nas.local, 10.0.0.5) is there with another "
                    + "address and kind"
            ])
        #expect(account.book.faults.first?.candidates.first?.name == "nas")
    }

    @Test func `a mistyped name resembles another one`() {
        var account = Account("[device printr]\nfor = 0s", there: [device("printer", "ipp")])
        account.pass(to: 10)
        #expect(
            account.said == [
                "0 missing since 0: 'printr' is missing; the nearest name there is 'printer' (printer.local)"
            ])
    }

    @Test func `the devices in whose names the words of a missing one occur are listed`() {
        let others = [
            device("hall-printer", "ipp", address: "10.0.0.7"), device("attic-printer", "ipp"), tv,
        ]
        var account = Account("[device Printer]\nfor = 0s", there: others)
        account.pass(to: 10)
        #expect(
            account.said == [
                "0 missing since 0: 'Printer' is missing; near names there are 'attic-printer' "
                    + "(attic-printer.local) and 'hall-printer' (hall-printer.local, 10.0.0.7)"
            ])
        let candidates = account.book.faults.first?.candidates.map(\.name)
        #expect(candidates == ["attic-printer", "hall-printer"])
    }

    @Test func `all devices that meet as many criteria of a missing one are listed`() {
        let twins = ["tv-a", "tv-b"].map { host in
            var twin = device(host, "googlecast")
            twin.name = "TV"
            return twin
        }
        var account = Account(
            "[device tv]\nname = tv\naddress = 10.0.0.9\nfor = 0s", there: twins + [nas])
        account.pass(to: 10)
        let sorted = twins.sorted { $0.id < $1.id }
        let names = sorted.map { "'TV' (\($0.host ?? ""))" }.joined(separator: " and ")
        #expect(
            account.said == [
                "0 missing since 0: 'tv' is missing; \(names) are there with another address"
            ])
        #expect(account.book.faults.first?.candidates.map(\.id) == sorted.map(\.id))
    }

    @Test func `near names are listed for a set of which none is there`() {
        let text = "[devices cameras]\nname = camera\ncount = 2\nfor = 0s"
        var account = Account(text, there: [device("camera-1", "rtsp"), nas])
        account.pass(to: 10)
        #expect(
            account.said == [
                "0 missing since 0: 0 of 'cameras' are there and not 2; 'camera' is there as 'camera-1'"
            ])
        var other = Account(text, there: [device("camera-1", "rtsp"), device("camera", "rtsp")])
        other.pass(to: 10)
        #expect(other.said == ["0 missing since 0: 1 of 'cameras' is there and not 2"])
    }

    @Test func `a device lacks a service`() {
        var account = Account("[device nas]\nservices = http, ssh\nfor = 1m", there: [nas])
        account.pass(to: 70)
        #expect(account.said == ["60 missing since 0: 'nas' lacks _ssh._tcp: 'nas'"])
        account.tell(.changed, device("nas", "http", "ssh"), at: 80, was: nas)
        #expect(account.said.last == "80 restored since 0: 'nas' lacks _ssh._tcp: 'nas'")
    }

    @Test func `the number of a set has two bounds`() {
        let text = "[devices cast]\ntype = googlecast\ncount = 1..2\nfor = 1m"
        var account = Account(text, there: [nas])
        account.pass(to: 70)
        #expect(account.said == ["60 missing since 0: 0 of 'cast' are there and not 1 to 2"])
        for number in 1...3 {
            account.tell(.arrived, device("tv\(number)", "googlecast"), at: 100)
        }
        account.pass(to: 200)
        #expect(
            account.said.dropFirst() == [
                "100 restored since 0: 0 of 'cast' are there and not 1 to 2",
                "160 unexpected since 100: 3 of 'cast' are there and not 1 to 2: 'tv1', 'tv2' and 'tv3'",
            ])
    }

    @Test func `a device that should never be there is unexpected`() {
        var account = Account("[device tv]\npresent = never\nfor = 0s", there: [nas])
        account.tell(.arrived, tv, at: 10)
        account.pass(to: 20)
        #expect(account.said == ["10 unexpected since 10: 'tv' is there and should not be: 'tv'"])
    }

    @Test func `a newcomer is unexpected, and this machine is none`() {
        var own = device("anna", "ssh")
        own.isSelf = true
        var account = Account(
            "[device nas]\n[network]\nnewcomers = report\nfor = 1m", there: [nas, own])
        account.tell(.arrived, tv, at: 10)
        account.pass(to: 100)
        #expect(
            account.said == ["70 unexpected since 10: 'tv' (tv.local, 10.0.0.6) is not expected"])
        account.tell(.left, tv, at: 120, .goodbye)
        #expect(account.said.count == 2)
    }

    @Test func `a device under another identifier is the same one`() {
        var account = Account("[device nas]\nfor = 0s\n[network]\nnewcomers = report", there: [nas])
        var identified = nas
        identified.id = Identity.uuid(forName: "another")
        account.tell(.identified, identified, at: 10, was: nas)
        account.pass(to: 100)
        #expect(account.said == [])
        #expect(account.book.presentCount == 1)
    }

    // MARK: What the list is heard through

    @Test func `while the own link is down nothing is missing`() {
        var account = Account("[device nas]\nfor = 1m", there: [nas])
        account.tell(.linkLost, "eth0", at: 100)
        account.tell(.left, nas, at: 400, .link)
        account.pass(to: 1000)
        #expect(account.said == [])
        account.tell(.linkBack, "eth0", at: 1000)
        account.tell(.arrived, nas, at: 1012, .link)
        account.pass(to: 2000)
        #expect(account.said == [])
    }

    @Test func `a device that is not found again after an outage is missing from then on`() {
        var account = Account("[device nas]\nfor = 1m", there: [nas])
        account.tell(.linkLost, "eth0", at: 100)
        account.tell(.left, nas, at: 400, .link)
        account.tell(.linkBack, "eth0", at: 1000)
        account.pass(to: 1015)
        account.pass(to: 1100)
        #expect(
            account.said == [
                "1075 missing since 1015: 'nas' is missing; it was not found again after an outage"
            ])
    }

    @Test func `a device that left before an outage is not missing while it lasts`() {
        var account = Account("[device nas]\nfor = 5m", there: [nas])
        account.tell(.left, nas, at: 100, .goodbye)
        account.tell(.linkLost, "eth0", at: 200)
        account.pass(to: 1000)
        #expect(account.said == [])
        account.tell(.linkBack, "eth0", at: 1000)
        account.pass(to: 1100)
        #expect(account.said == ["400 missing since 100: 'nas' is missing; it said goodbye"])
    }

    @Test func `a device on another interface is missing while one is down`() {
        var wired = nas
        wired.interfaces = ["eth1"]
        var account = Account("[device nas]\nfor = 1m", there: [wired])
        account.tell(.linkLost, "eth0", at: 50)
        account.tell(.left, wired, at: 100, .goodbye)
        account.pass(to: 200)
        #expect(account.said.count == 1)
    }

    @Test(arguments: [
        (SourceHappening.Event.backendLost, SourceHappening.Event.backendBack),
        (.brokerLost, .brokerBack), (.observerAway, .observerBack),
    ])
    func `while a backend, a broker or an observer is away nothing is missing`(
        lost: SourceHappening.Event, back: SourceHappening.Event
    ) {
        var account = Account("[device nas]\nfor = 1m\n[device tv]\nfor = 1m", there: [nas])
        account.tell(lost, "home/hall", at: 10)
        var unknown = nas
        unknown.presence = .unknown
        account.book.refresh(.peer(unknown), during: .none, at: House.time(10))
        account.pass(to: 1000)
        #expect(account.said == [])
        account.tell(back, "home/hall", at: 1000)
        account.book.refresh(.peer(nas), during: .none, at: House.time(1000))
        account.pass(to: 1014)
        #expect(account.said == [])
        account.pass(to: 1100)
        #expect(account.said == ["60 missing since 0: 'tv' is missing"])
    }

    @Test
    func `what was never seen is missing while an interface or an observer of others is away`() {
        var account = Account("[device tv]\nfor = 1m", there: [nas])
        account.tell(.linkLost, "wlan0", at: 10)
        account.tell(.observerAway, "home/laptop", at: 10)
        account.pass(to: 100)
        #expect(account.said == ["60 missing since 0: 'tv' is missing"])
    }

    @Test func `an observer that joins has time to find its devices`() {
        var account = Account("[device nas]\nfor = 5s", there: [])
        account.observe([ObserverName(site: "home", observer: "hall"): false])
        account.pass(to: 100)
        #expect(account.said == [])
        account.tell(.observerJoined, "home/hall", at: 100)
        account.observe([ObserverName(site: "home", observer: "hall"): true])
        account.tell(.there, tv, at: 101)
        account.tell(.there, nas, at: 110)
        account.pass(to: 200)
        #expect(account.said == [])
    }

    @Test(arguments: [true, false])
    func `the devices of an observer that is forgotten are missing after their time`(
        isStatusFirst: Bool
    ) {
        var seen = nas
        seen.views = [
            PeerView(
                name: ObserverName(site: "home", observer: "hall"), host: "hall.local",
                presence: .present, since: House.time(0))
        ]
        var account = Account("[device nas]\nfor = 1m", there: [seen])
        account.tell(.observerAway, "home/hall", at: 10)
        let present = seen
        seen.presence = .unknown
        seen.views[0].presence = .unknown
        account.book.refresh(.peer(seen), during: .none, at: House.time(10))
        account.pass(to: 500)
        #expect(account.said == [])
        if isStatusFirst { account.tell(.observerForgotten, "home/hall", at: 500) }
        account.tell(.left, seen, at: 500, .goodbye)
        if !isStatusFirst { account.tell(.observerForgotten, "home/hall", at: 500) }
        account.pass(to: 600)
        #expect(
            account.said == [
                "560 missing since 500: 'nas' is missing; it is seen by no observer any more"
            ])
        account.tell(.arrived, present, at: 700)
        #expect(account.said.count == 2)
    }

    @Test func `while its observer is away a device is not unexpected, and a fault goes on`() {
        var seen = tv
        seen.views = [
            PeerView(
                name: ObserverName(site: "home", observer: "hall"), host: "hall.local",
                presence: .unknown, since: House.time(0))
        ]
        seen.presence = .unknown
        let text = "[device nas]\n[network]\nnewcomers = report\nfor = 1m"
        var account = Account(text, there: [nas, seen])
        account.pass(to: 500)
        #expect(account.said == [])
        seen.presence = .present
        account.book.refresh(.peer(seen), during: .none, at: House.time(500))
        account.pass(to: 600)
        #expect(account.said.count == 1)
        seen.presence = .unknown
        account.book.refresh(.peer(seen), during: .none, at: House.time(600))
        account.pass(to: 900)
        #expect(account.said.count == 1 && account.book.faults.count == 1)
    }

    @Test func `unexpected devices are bounded`() {
        var account = Account("[network]\nnewcomers = report\nfor = 0s")
        for number in 0..<ExpectationBook.newcomerLimit + 5 {
            account.book.apply(
                .item(ItemHappening(.arrived, .peer(device("d\(number)")), at: House.time(1))))
        }
        account.pass(to: 10)
        #expect(account.said.count == ExpectationBook.newcomerLimit)
        #expect(account.book.omittedCount == 5)
    }
}
