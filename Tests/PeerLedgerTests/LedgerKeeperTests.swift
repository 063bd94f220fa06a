// The keeper of a ledger: marks, labels, and when the ledger is written.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import Testing

@testable import PeerLedger

@Suite struct LedgerKeeperTests {
    private let updates = House.steps(.device).compactMap { step -> ItemChanges? in
        if case .update(let update, _) = step { update.items } else { nil }
    }

    private let file = LedgerFile(path: "")
    private let tv = Identity.uuid(forName: "tv.local")

    @Test func `devices are new until they have been seen once`() throws {
        var keeper = LedgerKeeper(DeviceLedger(), of: file)
        let first = updates.compactMap { keeper.recognize($0).devices }
        let arrivals = first.flatMap(\.arrivals.values).filter(\.peer.isResolved)
        #expect(arrivals.count == 3)
        #expect(arrivals.filter(\.peer.isNew).count == 2)
        #expect(arrivals.filter(\.peer.isSelf).map(\.peer.isNew) == [false])
        let altered = first.flatMap(\.changes.values).filter {
            $0.was.peer.isNew != $0.now.peer.isNew
        }
        #expect(altered.isEmpty)
        var ledger = DeviceLedger()
        keeper.finish([], at: House.time(400)).apply(to: &ledger)
        var later = LedgerKeeper(ledger, of: file)
        let second = updates.compactMap { later.recognize($0).devices }.flatMap(\.arrivals.values)
        #expect(second.filter(\.peer.isNew).isEmpty)
    }

    @Test func `a label changes the listed device, and moves to a new identifier`() throws {
        var keeper = LedgerKeeper(DeviceLedger(), of: file)
        var list = updates.prefix(4).compactMap { keeper.recognize($0).devices }
        let item = try #require(list.last?.arrivals[tv])
        var plain = item
        (plain.peer.label, plain.peer.isNew) = (nil, false)
        let fault = keeper.setLabel("Living room", of: tv, isListed: true)
        #expect(fault == nil)
        let changes = keeper.adoptLedger(at: House.time(9)) { $0 == tv ? plain : nil }
        #expect(changes.changes[tv]?.was == item)
        #expect(changes.changes[tv]?.now.peer.label == "Living room")
        #expect(changes.changes[tv]?.now.displayName == "Living room")
        list = updates.dropFirst(4).prefix(3).compactMap { keeper.recognize($0).devices }
        #expect(list.flatMap(\.changes.values).contains { $0.now.peer.label == "Living room" })
    }

    @Test func `devices are written after a minute, and once a minute`() {
        let start = ContinuousClock.now
        var keeper = LedgerKeeper(DeviceLedger(), of: file)
        keeper.planSave(at: start)
        #expect(keeper.due == nil)
        _ = keeper.recognize(updates[0])
        keeper.planSave(at: start)
        #expect(keeper.due == start + .seconds(60))
        keeper.planSave(at: start + .seconds(1))
        #expect(keeper.due == start + .seconds(60), "it is planned already")
        let early = keeper.beginSave(at: start + .seconds(59))
        #expect(early == nil)
        let changes = keeper.beginSave(at: start + .seconds(60))
        #expect(changes?.seen.devices.count == 1)
        // A label waits until a minute has passed since the last write.
        let fault = keeper.setLabel(
            "laptop", of: Identity.uuid(forName: "anna.local"), isListed: true)
        #expect(fault == nil)
        keeper.endSave(.failure(.noDirectory), at: start + .seconds(70))
        let notices = keeper.removeNotices()
        #expect(notices.map(\.code) == [.ledgerFailed])
        #expect(keeper.due == start + .seconds(120))
        let all = keeper.beginSave(at: start + .seconds(120))
        #expect(all?.seen.devices.count == 1, "a failed save is repeated")
        #expect(all?.labels.count == 1)
    }

    @Test func `a label is written at once`() {
        let start = ContinuousClock.now
        var keeper = LedgerKeeper(DeviceLedger(), of: file)
        _ = keeper.recognize(updates[0])
        keeper.planSave(at: start)
        _ = keeper.setLabel(
            "laptop", of: Identity.uuid(forName: "anna.local"), isListed: true)
        keeper.planSave(at: start + .seconds(5))
        #expect(keeper.due == start + .seconds(5))
    }
}
