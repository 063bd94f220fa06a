// Recognises devices in the updates of a list, and plans when the ledger is written.
import FoundationEssentials
import PeerList
import PeerListTestSupport
import Testing

@testable import PeerSession

@Suite struct KnownDevicesTests {
    private let updates = House.steps(.device).compactMap { step -> ItemChanges? in
        if case .update(let update, _) = step { update.items } else { nil }
    }

    private let tv = Identity.uuid(forName: "tv.local")

    @Test func `devices are new until they have been seen once`() throws {
        var known = KnownDevices(DeviceLedger(), grouping: .device)
        let first = updates.map { known.recognize($0) }
        let arrivals = first.flatMap(\.arrivals.values).filter(\.peer.isResolved)
        #expect(arrivals.count == 3)
        #expect(arrivals.filter(\.peer.isNew).count == 2)
        #expect(arrivals.filter(\.peer.isSelf).map(\.peer.isNew) == [false])
        let altered = first.flatMap(\.changes.values).filter {
            $0.was.peer.isNew != $0.now.peer.isNew
        }
        #expect(altered.isEmpty)
        var ledger = DeviceLedger()
        known.finish([], at: House.time(400)).apply(to: &ledger)
        var later = KnownDevices(ledger, grouping: .device)
        let second = updates.map { later.recognize($0) }.flatMap(\.arrivals.values)
        #expect(second.filter(\.peer.isNew).isEmpty)
    }

    @Test func `rows of services have neither label nor mark, but their devices are noted`() {
        var known = KnownDevices(DeviceLedger(), grouping: .type)
        for case .update(let update, _) in House.steps(.type) {
            let items = known.recognize(update.items).arrivals.values
            #expect(items.filter(\.peer.isNew).isEmpty)
        }
        #expect(known.finish([], at: House.time(400)).sightings.devices.count == 3)
    }

    @Test func `a label changes the listed device, and moves to a new identifier`() throws {
        var known = KnownDevices(DeviceLedger(), grouping: .device)
        var list = updates.prefix(4).map { known.recognize($0) }
        let item = try #require(list.last?.arrivals[tv])
        var plain = item
        (plain.peer.label, plain.peer.isNew) = (nil, false)
        let isKnown = known.setLabel("Living room", of: tv)
        #expect(isKnown)
        let changes = known.adoptLabels(at: House.time(9)) { $0 == tv ? plain : nil }
        #expect(changes.changes[tv]?.was == item)
        #expect(changes.changes[tv]?.now.peer.label == "Living room")
        #expect(changes.changes[tv]?.now.displayName == "Living room")
        list = updates.dropFirst(4).prefix(3).map { known.recognize($0) }
        #expect(list.flatMap(\.changes.values).contains { $0.now.peer.label == "Living room" })
    }

    @Test func `sightings are written after a minute, and once a minute`() {
        let start = ContinuousClock.now
        var known = KnownDevices(DeviceLedger(), grouping: .device)
        known.planSave(at: start)
        #expect(known.due == nil)
        _ = known.recognize(updates[0])
        known.planSave(at: start)
        #expect(known.due == start + .seconds(60))
        known.planSave(at: start + .seconds(1))
        #expect(known.due == start + .seconds(60), "it is planned already")
        let early = known.beginSave(at: start + .seconds(59))
        #expect(early == nil)
        let changes = known.beginSave(at: start + .seconds(60))
        #expect(changes?.sightings.devices.count == 1)
        // A label waits until a minute has passed since the last write.
        let isKnown = known.setLabel("laptop", of: Identity.uuid(forName: "anna.local"))
        #expect(isKnown)
        known.endSave(nil)
        known.planSave(at: start + .seconds(70))
        #expect(known.due == start + .seconds(120))
        let all = known.beginSave(at: start + .seconds(120))
        #expect(all?.sightings.devices.count == 1, "a failed save is repeated")
        #expect(all?.labels.count == 1)
    }

    @Test func `a label is written at once`() {
        let start = ContinuousClock.now
        var known = KnownDevices(DeviceLedger(), grouping: .device)
        _ = known.recognize(updates[0])
        known.planSave(at: start)
        _ = known.setLabel("laptop", of: Identity.uuid(forName: "anna.local"))
        known.planSave(at: start + .seconds(5))
        #expect(known.due == start + .seconds(5))
    }
}
