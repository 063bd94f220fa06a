// Tests of fleets of several brokers, and of the choice of observers.
import FoundationEssentials
import LabSupport
import PeerFleet
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerSystem
import Testing

@Suite struct SeveralBrokersTests {
    private let tv = Peer.host("tv")
    private let phone = Peer.host("phone")

    /// Returns the event of changes that a broker has sent.
    private func event(_ broker: Int, _ changes: [FleetChange], isSettled: Bool = true)
        -> FleetEvent
    {
        var event = FleetEvent(at: House.time(1))
        (event.broker, event.changes, event.isSettled) = (broker, changes, isSettled)
        return event
    }

    @Test func `an observer that two brokers have is one, and is there while one of them has it`()
        throws
    {
        var listing = FleetListing(brokers: 2)
        let changes: [FleetChange] = [
            .status(.attic, .online(host: "attic.local")), .peer(.attic, tv.id, tv),
        ]
        _ = listing.apply(event(0, changes))
        #expect(!listing.isSettled)
        _ = listing.apply(event(1, changes))
        #expect(listing.isSettled)
        #expect(listing.sections.peers.map(\.views.count) == [1])
        // One broker is away: its observers count as offline.
        _ = listing.apply(event(0, [.status(.attic, ObserverStatus(.offline))]))
        #expect(listing.online == [.attic: true])
        #expect(listing.sections.peers.map(\.presence) == [.present])
        #expect(listing.sections.peers.first?.views.map(\.presence) == [.present])
        // The other one forgets the peer.
        _ = listing.apply(event(0, [.status(.attic, .online(host: "attic.local"))]))
        _ = listing.apply(event(1, [.peer(.attic, tv.id, nil)]))
        #expect(listing.sections.peers.map(\.name) == ["tv"])
        _ = listing.apply(event(0, [.peer(.attic, tv.id, nil)]))
        #expect(listing.sections.isEmpty)
        #expect(listing.peerCount(of: .attic) == 0)
    }

    /// An observer of the name of another one, in a process of its own.
    private func online(on host: String, _ run: UUID?) -> FleetChange {
        var status = ObserverStatus.online(host: host)
        status.run = run
        return .status(.attic, status)
    }

    @Test(arguments: ["pi.local", "other.local"])
    func `two machines of one name at two brokers are told apart, and it is said`(host: String) {
        var listing = FleetListing(brokers: 2)
        let second = ObserverName(
            site: "home", observer: host == "pi.local" ? "attic/2" : "attic/other.local")
        listing.apply([online(on: "pi.local", .announced(1)), .peer(.attic, tv.id, tv)])
        listing.apply([online(on: host, .announced(2)), .peer(.attic, tv.id, tv)], from: 1)
        #expect(
            listing.conflicts == [
                "two machines are observer home/attic, at one broker each: 'pi.local' and '\(host)', "
                    + "which is shown as home/\(second.observer); give it another name or site"
            ])
        func names() -> [[ObserverName]] { listing.sections.peers.map { $0.views.map(\.name) } }
        #expect(names() == [[.attic, second]])
        #expect(listing.online == [.attic: true, second: true])
        #expect(listing.statuses.map(\.name) == [.attic, second])
        #expect(listing.peerCount(of: second) == 1)
        #expect(listing.shownName(of: .attic, at: 1) == second)

        // Each is away for itself, and the names stay.
        listing.apply([.status(.attic, ObserverStatus(.offline))])
        #expect(listing.online == [.attic: false, second: true])
        #expect(
            listing.sections.peers.map { $0.views.map(\.presence) } == [[.unknown, .present]])
        listing.apply([online(on: "pi.local", .announced(3))])
        #expect(names() == [[.attic, second]] && listing.conflicts.isEmpty)

        // The first one is removed; the name is the other's.
        listing.apply([.status(.attic, nil), .peer(.attic, tv.id, nil)])
        #expect(names() == [[.attic]] && listing.online == [.attic: true])
    }

    @Test func `an observer at bridged brokers is one machine, also while it restarts`() {
        var listing = FleetListing(brokers: 2)
        for broker in 0...1 {
            listing.apply(
                [online(on: "pi.local", .announced(1)), .peer(.attic, tv.id, tv)], from: broker)
        }
        for status in [ObserverStatus(.offline), ObserverStatus(.syncing)] {
            for broker in 0...1 { listing.apply([.status(.attic, status)], from: broker) }
        }
        for broker in 0...1 {
            listing.apply([online(on: "renamed.local", .announced(2))], from: broker)
        }
        #expect(listing.online == [.attic: true] && listing.conflicts.isEmpty)
        #expect(listing.sections.peers.map { $0.views.map(\.name) } == [[.attic]])
    }

    @Test func `the chosen observers have filters of their own`() {
        func filters(_ sites: [String], _ observers: [String]) -> [String] {
            var selection = FleetSelection()
            (selection.sites, selection.observers) = (sites, observers)
            return topics.statuses(of: selection)
        }
        #expect(filters([], []) == [topics.allStatuses])
        #expect(
            filters(["office", "home"], []).map { $0.dropFirst(12) } == [
                "office/+/status", "home/+/status",
            ])
        #expect(
            filters([], ["desk", "home/attic"]).map { $0.dropFirst(12) } == [
                "+/desk/status", "home/attic/status",
            ])
        #expect(filters(["office"], ["desk"]).map { $0.dropFirst(12) } == ["office/desk/status"])
        #expect(FleetSelection.isObserver("office/desk") && FleetSelection.isObserver("desk"))
        for text in ["", "/", "a/b/c", "a/", "+", "#"] { #expect(!FleetSelection.isObserver(text)) }
    }

    @Test func `two real brokers make one list, and each one's loss is said for itself`()
        async throws
    {
        let brokers = [try await TestBroker(), try await TestBroker()]
        let publishers = zip([ObserverName.attic, .office], brokers).map { name, broker in
            let publisher = PeerPublisher(
                name, topics: topics, status: ObserverStatus(.syncing),
                trackers: HomeTrackers(
                    HomeAssistant(of: name, topics: topics, version: "1"), after: nil)
            ) { _ in () }
            publisher.start(House.header(.device), broker.access())
            var script = ListScript()
            let peers = name == .attic ? [tv] : [phone]
            let update = script.change(.arrived, at: House.time(0), to: peers.sections(.device))
            publisher.updated(update.items)
            return publisher
        }
        let urls = brokers.map { $0.access().url }
        let feeds = FleetFeed.feeds(of: urls, FleetSelection())
        for (feed, broker) in zip(feeds, brokers) { feed.start(broker.access()) }
        var listing = FleetListing(brokers: 2)
        var notices: [Notice] = []
        let events = FleetFeed.events(of: feeds)
        func wait(_ what: String, until isReached: (FleetListing) -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(120)
            while !isReached(listing) {
                let event = await withTimeout(end - .now) { await events.first { _ in true } }
                let next = try #require(
                    event ?? nil, "\(what): \(listing.sections.peers.map(\.name))")
                notices += next.notices
                _ = listing.apply(next)
            }
        }
        try await wait("both") {
            $0.isSettled && $0.sections.peers.map(\.name) == ["phone", "tv"]
                && Set($0.online.values) == [true]
        }
        try await brokers[0].end(9)
        try await wait("the first broker is lost") { $0.online[.attic] == false }
        #expect(listing.online[.office] == true)
        #expect(listing.sections.peers.map(\.presence) == [.present, .unknown])
        let lost = notices.filter { $0.code == .brokerLost }
        #expect(lost.map(\.broker) == [urls[0].host])
        #expect(lost.first?.message.contains(urls[0].host) == true)
        for feed in feeds { await feed.stop() }
        for publisher in publishers { _ = await publisher.stop(within: .seconds(5)) }
        for broker in brokers { try await broker.remove() }
    }

    @Test func `two prefixes of one broker make one list, and no connection ends another`()
        async throws
    {
        let broker = try await TestBroker()
        let client = BrokerClient(broker.access(), id: "publisher")
        try await client.expect(.connected)
        var accesses: [BrokerAccess] = []
        for (prefix, peer) in [("berlin", tv), ("paris", phone)] {
            var access = broker.access()
            access.url = BrokerURL(socket: broker.socket, prefix: prefix)
            accesses.append(access)
            let topics = FleetTopics(prefix: prefix)
            let name = ObserverName(site: prefix, observer: "hall")
            try await client.publish(
                String(decoding: ObserverStatus.online(1).payload, as: UTF8.self),
                to: topics.status(of: name), retained: true)
            try await client.publish(
                String(decoding: peer.message(1), as: UTF8.self),
                to: topics.peer(peer.id, of: name), retained: true)
        }
        let feeds = FleetFeed.feeds(of: accesses.map(\.url), FleetSelection())
        for (feed, access) in zip(feeds, accesses) { feed.start(access) }
        var listing = FleetListing(brokers: 2)
        var notices: [Notice] = []
        let end = ContinuousClock.now + .seconds(60)
        while !listing.isSettled {
            let event = await withTimeout(end - .now) { [events = FleetFeed.events(of: feeds)] in
                await events.first { _ in true }
            }
            let next = try #require(event ?? nil, "\(notices)")
            notices += next.notices
            _ = listing.apply(next)
        }
        #expect(listing.sections.peers.map(\.name) == ["phone", "tv"])
        #expect(notices.isEmpty)
        for feed in feeds { await feed.stop() }
        await client.stop()
        try await broker.remove()
    }

    @Test func `a broker sends nothing of observers that were not chosen`() async throws {
        let broker = try await TestBroker()
        let client = BrokerClient(broker.access(), id: "publisher")
        try await client.expect(.connected)
        for name in [ObserverName.attic, .office] {
            try await client.publish(
                String(decoding: ObserverStatus.online(1).payload, as: UTF8.self),
                to: topics.status(of: name), retained: true)
            let peer = name == .attic ? tv : phone
            try await client.publish(
                String(decoding: NumberedPeer(sequence: 1, peer: peer).payload, as: UTF8.self),
                to: topics.peer(peer.id, of: name), retained: true)
        }
        var selection = FleetSelection()
        selection.sites = ["office"]
        let feeds = FleetFeed.feeds(of: [broker.access().url], selection)
        for feed in feeds { feed.start(broker.access()) }
        var listing = FleetListing()
        let end = ContinuousClock.now + .seconds(120)
        while !listing.isSettled {
            let event = await withTimeout(end - .now) { [events = FleetFeed.events(of: feeds)] in
                await events.first { _ in true }
            }
            _ = listing.apply(try #require(event ?? nil))
        }
        #expect(listing.sections.peers.map(\.name) == ["phone"])
        #expect(listing.online == [.office: true])
        for feed in feeds { await feed.stop() }
        await client.stop()
        try await broker.remove()
    }
}
