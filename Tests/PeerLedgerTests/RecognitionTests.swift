// Devices of a whole network in several sessions: what is new, what is back, and under which label.
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerListTestSupport
import Testing

@testable import PeerLedger
@testable import PeerText

/// Sessions that share a ledger.
private struct Sessions {
    private(set) var ledger = DeviceLedger()
    private(set) var listing: PeerListing
    private(set) var keeper = LedgerKeeper(DeviceLedger(), of: LedgerFile(path: ""))
    /// The changes of the rows of services, if the list is grouped by type.
    private(set) var services: [ItemChanges] = []
    var fill = InitialFill.running
    private var seconds = 0.0
    private var hosts: [String: Int] = [:]
    private var instant = ContinuousClock.now

    init(_ grouping: Grouping = .device) {
        listing = PeerListing(options: ListOptions(grouping: grouping))
    }

    var now: Timestamp { House.time(seconds) }

    /// Ends the session and begins another one some time later.
    mutating func restart(after pause: Double = 3600) {
        keeper.finish(listing.sections, at: now).apply(to: &ledger)
        listing = PeerListing()
        keeper = LedgerKeeper(ledger, of: LedgerFile(path: ""))
        fill = .running
        seconds += pause
    }

    mutating func wait(_ pause: Double) { seconds += pause }

    private mutating func feed(_ kind: DiscoveryEvent.Kind) {
        seconds += 0.01
        let outcome = listing.apply(DiscoveryEvent(kind, at: now))
        let rows = listing.services == nil ? nil : outcome.update?.items
        let marked = keeper.recognize(outcome.devices?.items, rows, during: fill)
        services += [marked.services].compactMap(\.self)
    }

    /// Writes what is not written yet, and changes the ledger before, as another program.
    mutating func save(after body: (inout DeviceLedger) -> Void = { _ in }) {
        body(&ledger)
        instant += .seconds(60)
        keeper.planSave(at: instant)
        instant += .seconds(60)
        guard let changes = keeper.beginSave(at: instant) else { return }
        changes.apply(to: &ledger)
        keeper.endSave(.success(LedgerFile.Content(ledger: ledger)), at: instant)
        _ = keeper.adoptLedger(at: now) { [listing] in listing.devices.item($0) }
    }

    /// Labels a device, and returns the changes of its services.
    mutating func label(_ id: UUID, _ text: String) -> ItemChanges {
        _ = keeper.setLabel(text, of: id, isListed: true)
        let devices = keeper.adoptLedger(at: now) { [listing] in listing.devices.item($0) }
        return keeper.relabelled(listing.sections, devices)
    }

    /// The backend names this machine.
    mutating func nameOwnHost(_ host: String) { feed(.running(host: host)) }

    /// A service is found, and waits for its host.
    mutating func find(_ type: String, _ name: String) {
        let service = ServiceKey(name: name, type: type, domain: "local")
        feed(.found(sighting(service)))
        feed(.pending(service))
    }

    /// A service is found and resolved.
    mutating func bring(_ type: String, _ name: String, on host: String, _ txt: String...) {
        feed(.found(sighting(ServiceKey(name: name, type: type, domain: "local"))))
        feed(
            .resolved(
                ServiceKey(name: name, type: type, domain: "local"),
                Resolution(
                    host: host, port: 80, txt: TXTRecord(strings: txt.map { Array($0.utf8) }),
                    address: address(of: host))))
    }

    /// An address of a host alone: hosts that share one are one machine.
    private mutating func address(of host: String) -> HostAddress {
        let number = hosts[host] ?? hosts.count
        hosts[host] = number
        let (high, low) = (number / 256, number % 256)
        return HostAddress(
            bytes: [10, 0, UInt8(high), UInt8(low)], text: "10.0.\(high).\(low)",
            interface: "eth0")
    }

    mutating func remove(_ type: String, _ name: String) {
        feed(.removed(sighting(ServiceKey(name: name, type: type, domain: "local"))))
    }

    private func sighting(_ service: ServiceKey) -> Sighting {
        Sighting(
            service: service, interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)
    }

    /// The listed services whose hosts are not keeper.
    var unresolved: [Peer] {
        keeper.marked(listing.sections).flatMap(\.items).map(\.peer).filter { !$0.isResolved }
    }

    /// The listed device of a host.
    func device(_ host: String) -> Peer? {
        keeper.marked(listing.sections).flatMap(\.items).map(\.peer).first { $0.host == host }
    }

    mutating func label(_ host: String, _ text: String) -> Bool {
        guard let id = device(host)?.id, keeper.setLabel(text, of: id, isListed: true) == nil else {
            return false
        }
        _ = keeper.adoptLedger(at: now) { [listing] in listing.devices.item($0) }
        return true
    }
}

@Suite struct RecognitionTests {
    private let uuid = "UUID=0c4f3a52-7c1d-4be0-9a53-2f7c5f7f4a10"
    private let mac = "deviceid=3C:2A:F4:00:53:01"

    @Test(arguments: [false, true])
    func `what was forgotten while a list runs does not return with its label`(
        isLabelSaved: Bool
    ) throws {
        var sessions = Sessions()
        sessions.bring("_ipp._tcp", "tv", on: "tv.local", uuid)
        sessions.bring("_http._tcp", "laptop", on: "laptop.local")
        sessions.fill = .over(sessions.now)
        sessions.save()
        let id = try #require(sessions.device("tv.local")?.id)
        _ = sessions.label(id, "Moms TV")
        if isLabelSaved {
            sessions.save()
            #expect(sessions.ledger.devices[id]?.label == "Moms TV")
        }
        // The list has more to write of it.
        sessions.bring("_ssh._tcp", "tv", on: "tv.local")
        sessions.bring("_ssh._tcp", "laptop", on: "laptop.local")
        sessions.save { $0.forget(id) }
        #expect(sessions.device("tv.local")?.label == nil)
        #expect(sessions.ledger.devices.count == 1)
        // It is there, so it is remembered again, and can be labelled again.
        sessions.save()
        #expect(sessions.ledger.devices[id]?.label == nil)
        #expect(sessions.ledger.devices[id] != nil)
        sessions.remove("_ipp._tcp", "tv")
        sessions.remove("_ssh._tcp", "tv")
        sessions.bring("_ipp._tcp", "tv", on: "tv.local", uuid)
        #expect(sessions.device("tv.local")?.label == nil)
        sessions.restart()
        #expect(sessions.ledger.devices[id]?.label == nil)
        sessions.bring("_ipp._tcp", "tv", on: "tv.local", uuid)
        let isLabelled = sessions.label("tv.local", "TV")
        #expect(isLabelled)
    }

    @Test func `what was forgotten after it left does not return to the file`() throws {
        var sessions = Sessions()
        sessions.bring("_http._tcp", "tv", on: "tv.local")
        sessions.fill = .over(sessions.now)
        sessions.save()
        let id = try #require(sessions.device("tv.local")?.id)
        // Its departure and new identifier are not written yet.
        sessions.bring("_ipp._tcp", "tv", on: "tv.local", uuid)
        let new = try #require(sessions.device("tv.local")?.id)
        _ = sessions.label(new, "Moms TV")
        #expect(new != id)
        sessions.remove("_http._tcp", "tv")
        sessions.remove("_ipp._tcp", "tv")
        sessions.save { $0.forget(id) }
        #expect(sessions.ledger.devices.values.allSatisfy { $0.label == nil })
        sessions.restart()
        #expect(sessions.ledger.devices[id] == nil)
    }

    @Test func `services have the marks of their devices, before and after a change`() throws {
        var sessions = Sessions(.type)
        sessions.bring("_ssh._tcp", "old", on: "old.local")
        sessions.fill = .over(sessions.now)
        sessions.bring("_http._tcp", "tv", on: "tv.local")
        sessions.bring("_ssh._tcp", "tv", on: "tv.local")

        // A service that is not resolved yet is of no device.
        let found = sessions.services.flatMap(\.arrivals.values)
        #expect(found.count == 3 && found.allSatisfy { !$0.peer.isResolved && !$0.peer.isNew })
        let resolved = sessions.services.flatMap(\.changes.values).filter {
            !$0.was.peer.isResolved
        }
        #expect(resolved.count == 3 && resolved.allSatisfy { !$0.was.peer.isNew })
        #expect(
            Set(resolved.filter(\.now.peer.isNew).compactMap(\.now.peer.host)) == ["tv.local"])

        let id = Identity.uuid(forName: "tv.local")
        let labelled = sessions.label(id, "Living room")
        #expect(labelled.changes.count == 2)
        #expect(labelled.changes.values.allSatisfy { $0.was.peer.label == nil })
        #expect(labelled.changes.values.allSatisfy { $0.now.peer.label == "Living room" })

        sessions.remove("_ssh._tcp", "tv")
        let departed = try #require(sessions.services.last?.departures.values.first?.item)
        #expect(departed.peer.isNew && departed.peer.label == "Living room")
    }

    @Test func `in the first session, what was there already is not new, and later arrivals are`() {
        var sessions = Sessions()
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        #expect(sessions.device("printer.local")?.isNew == false)
        sessions.fill = .over(sessions.now)
        sessions.wait(60)
        sessions.bring("_http._tcp", "Cam", on: "cam.local")
        #expect(sessions.device("cam.local")?.isNew == true)
        #expect(sessions.device("cam.local")?.lastSeenBefore == nil)
    }

    @Test func `a device that is found by weak evidence first is in the ledger once`() {
        var sessions = Sessions()
        sessions.bring("_ssh._tcp", "Laptop", on: "laptop.local")
        sessions.bring("_raop._tcp", "FEC9D0527B1E@Laptop", on: "laptop.local")
        sessions.bring(
            "_airplay._tcp", "Laptop", on: "laptop.local",
            "pi=3f9ab70c-5d82-4e16-b0c9-74e1d8a25f63")
        sessions.restart()
        #expect(sessions.ledger.devices.count == 1, "\(sessions.ledger.devices.values)")
    }

    @Test func `in later sessions an unknown device is new, and a known one is not`() throws {
        var sessions = Sessions()
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        let first = sessions.now
        sessions.restart(after: 86_400)
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        sessions.bring("_http._tcp", "Cam", on: "cam.local")
        let printer = try #require(sessions.device("printer.local"))
        #expect(!printer.isNew)
        let earliest = try #require(printer.firstEverSeen)
        #expect(first.microseconds - earliest.microseconds < 1_000_000)
        #expect(printer.lastSeenBefore == first)
        #expect(sessions.device("cam.local")?.isNew == true)
    }

    @Test func `an entry has the evidence, the names, the kind and the times of a device`() throws {
        var sessions = Sessions()
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        let first = sessions.now
        sessions.wait(60)
        // What a device gains later is noted too.
        sessions.bring("_airplay._tcp", "Office", on: "printer.local", mac)
        let (id, last) = (try #require(sessions.device("printer.local")).id, sessions.now)
        sessions.restart()
        let entry = try #require(sessions.ledger.devices[id])
        #expect(
            entry.evidence == [
                "uuid:0c4f3a52-7c1d-4be0-9a53-2f7c5f7f4a10", "mac:3c2af4005301",
                "host-name:printer.local",
            ])
        #expect(entry.names == ["Office"])
        #expect(entry.kind == "printer")
        #expect(first.microseconds - entry.firstSeen.microseconds < 1_000_000)
        #expect(entry.lastSeen == last)
    }

    @Test func `the first sighting ever is the same in each session, also of this machine`() throws
    {
        var sessions = Sessions()
        sessions.nameOwnHost("own.local")
        // It is found first, but resolved last.
        sessions.find("_ssh._tcp", "Shell")
        for host in ["cam.local", "own.local"] {
            sessions.bring("_http._tcp", host, on: host)
        }
        sessions.bring("_ssh._tcp", "Shell", on: "cam.local")
        let hosts = ["cam.local", "own.local"]
        let first = try hosts.map { try #require(sessions.device($0)?.firstEverSeen) }
        #expect(first == hosts.map { sessions.device($0)?.firstSeen })
        for _ in 1...3 {
            sessions.restart()
            sessions.nameOwnHost("own.local")
            for host in hosts { sessions.bring("_http._tcp", host, on: host) }
            #expect(hosts.map { sessions.device($0)?.firstEverSeen } == first)
        }
        sessions.find("_ssh._tcp", "Other")
        #expect(sessions.unresolved.map(\.firstEverSeen) == [nil], "it cannot be recognised")
    }

    @Test func `a device that leaves and returns in a session is back`() throws {
        var sessions = Sessions()
        sessions.fill = .over(sessions.now)
        sessions.bring("_http._tcp", "Cam", on: "cam.local")
        #expect(sessions.device("cam.local")?.isNew == true)
        sessions.wait(300)
        sessions.remove("_http._tcp", "Cam")
        let left = sessions.now
        sessions.wait(300)
        sessions.bring("_http._tcp", "Cam", on: "cam.local")
        let cam = try #require(sessions.device("cam.local"))
        #expect(!cam.isNew)
        #expect(cam.lastSeenBefore == left)
        #expect(cam.encounter(during: .none)?.description == "is back after 5 minutes")
    }

    @Test func `a renamed device with the same evidence has its label and is not new`() throws {
        var sessions = Sessions()
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        let isLabelled = sessions.label("printer.local", "Printer upstairs")
        #expect(isLabelled)
        sessions.restart()
        // Its name is known before the evidence, so it arrives as another device.
        sessions.bring("_http._tcp", "Office", on: "attic.local")
        #expect(sessions.device("attic.local")?.isNew == true)
        sessions.bring("_ipp._tcp", "Attic", on: "attic.local", uuid)
        let printer = try #require(sessions.device("attic.local"))
        #expect(printer.label == "Printer upstairs")
        #expect(!printer.isNew)
        #expect(printer.lastSeenBefore != nil)
    }

    @Test func `a device whose identifier changes is recognised by lasting evidence`() throws {
        var sessions = Sessions()
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        sessions.bring("_airplay._tcp", "Office", on: "printer.local", mac)
        let was = try #require(sessions.device("printer.local"))
        #expect(was.identity.value.hasPrefix("uuid:"))
        let isLabelled = sessions.label("printer.local", "Printer upstairs")
        #expect(isLabelled)
        let first = try #require(sessions.device("printer.local")).firstSeen
        sessions.restart()
        sessions.bring("_airplay._tcp", "Attic", on: "attic.local", mac)
        let now = try #require(sessions.device("attic.local"))
        #expect(now.id != was.id)
        #expect(now.label == "Printer upstairs")
        #expect(!now.isNew)
        #expect(now.firstEverSeen == first)
        sessions.restart()
        #expect(sessions.ledger.directory.match("Printer upstairs") == .one(now.id))
        #expect(sessions.ledger.devices[was.id]?.successor == now.id)
        #expect(try DeviceLedger(json: sessions.ledger.json) == sessions.ledger)
        // The former identifier returns.
        sessions.bring("_ipp._tcp", "Attic", on: "attic.local", uuid)
        #expect(sessions.device("attic.local")?.id == was.id)
        #expect(sessions.device("attic.local")?.label == "Printer upstairs")
        #expect(sessions.device("attic.local")?.isNew == false)
    }

    @Test func `a device known by its host name alone is recognised when it gives evidence`() throws
    {
        var sessions = Sessions()
        sessions.bring("_http._tcp", "Office", on: "printer.local")
        let isLabelled = sessions.label("printer.local", "Printer upstairs")
        #expect(isLabelled)
        sessions.restart()
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        let printer = try #require(sessions.device("printer.local"))
        #expect(printer.identity.value.hasPrefix("uuid:"))
        #expect(printer.label == "Printer upstairs")
        #expect(!printer.isNew)
    }

    @Test func `another device under the host name of a known one has no label, and is not new`()
        throws
    {
        var sessions = Sessions()
        sessions.bring("_http._tcp", "Office", on: "printer.local")
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        let was = try #require(sessions.device("printer.local"))
        let isLabelled = sessions.label("printer.local", "Printer upstairs")
        #expect(isLabelled)
        sessions.restart()
        sessions.bring("_http._tcp", "Office", on: "printer.local")
        let other = "UUID=99999999-7c1d-4be0-9a53-2f7c5f7f4a10"
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", other)
        let printer = try #require(sessions.device("printer.local"))
        #expect(printer.id != was.id)
        #expect(printer.label == nil)
        #expect(!printer.isNew)
        sessions.restart()
        #expect(sessions.ledger.directory.match("Printer upstairs") == .one(was.id))
    }

    @Test func `a device that arrives by its host name is in the ledger once`() {
        var sessions = Sessions()
        for _ in 0..<3 {
            sessions.bring("_http._tcp", "Office", on: "printer.local")
            sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
            let isLabelled = sessions.label("printer.local", "Printer upstairs")
            #expect(isLabelled)
            // The service with the evidence is withdrawn first.
            sessions.remove("_ipp._tcp", "Office")
            #expect(sessions.device("printer.local")?.label == "Printer upstairs")
            sessions.remove("_http._tcp", "Office")
            sessions.restart()
            #expect(sessions.ledger.devices.map(\.value.label) == ["Printer upstairs"])
        }
    }

    @Test func `a list of few types recognises a device by its host name`() {
        var sessions = Sessions()
        sessions.bring("_http._tcp", "Office", on: "printer.local")
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        sessions.restart()
        sessions.bring("_http._tcp", "Office", on: "printer.local")
        #expect(sessions.device("printer.local")?.isNew == false)
        let isLabelled = sessions.label("printer.local", "Printer upstairs")
        #expect(isLabelled)
        sessions.restart()
        #expect(sessions.ledger.devices.map(\.value.label) == ["Printer upstairs"])
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        #expect(sessions.device("printer.local")?.label == "Printer upstairs")
    }

    @Test func `of two devices that had a host name, the later one is recognised by it`() {
        var sessions = Sessions()
        for digit in ["1", "2"] {
            let other = uuid.replacing("0c4f3a52", with: "0c4f3a5" + digit)
            sessions.bring("_ipp._tcp", "Office", on: "printer.local", other)
            let isLabelled = sessions.label("printer.local", "Printer " + digit)
            #expect(isLabelled)
            sessions.remove("_ipp._tcp", "Office")
            sessions.restart()
        }
        sessions.bring("_http._tcp", "Office", on: "printer.local")
        #expect(sessions.device("printer.local")?.label == "Printer 2")
    }

    @Test func `a device of which nothing lasts is neither remembered nor new`() {
        var sessions = Sessions()
        sessions.fill = .over(sessions.now)
        sessions.bring("_ssh._tcp", "Phone", on: "Android_7F3A9C11.local")
        #expect(sessions.device("Android_7F3A9C11.local")?.isNew == false)
        let isLabelled = sessions.label("Android_7F3A9C11.local", "Phone")
        #expect(!isLabelled)
        sessions.restart()
        #expect(sessions.ledger.devices.isEmpty)
    }

    @Test func `a listed device does not lose its label to one with the same evidence`() throws {
        var sessions = Sessions()
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        sessions.bring("_airplay._tcp", "Office", on: "printer.local", mac)
        let isLabelled = sessions.label("printer.local", "Printer upstairs")
        #expect(isLabelled)
        sessions.restart()
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        sessions.bring("_airplay._tcp", "Office", on: "printer.local", mac)
        sessions.bring(
            "_airplay._tcp", "Thief", on: "thief.local", mac, "serialNumber=C02XX1234567")
        #expect(sessions.device("thief.local")?.label == nil)
        #expect(sessions.device("thief.local")?.isNew == true)
        #expect(sessions.device("printer.local")?.label == "Printer upstairs")
    }

    @Test func `a thousand hosts that claim one identifier do not share a label`() throws {
        var sessions = Sessions()
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        let isLabelled = sessions.label("printer.local", "Printer upstairs")
        #expect(isLabelled)
        for number in 0..<1_000 {
            sessions.bring(
                "_ipp._tcp", "Fake \(number)", on: "fake\(number).local", uuid)
        }
        #expect(sessions.device("printer.local")?.label == "Printer upstairs")
        let labels = sessions.keeper.marked(sessions.listing.sections).flatMap(\.items)
            .compactMap(\.peer.label)
        #expect(labels.count == 1)
        sessions.restart()
        let labelled = sessions.ledger.current.filter { $0.value.label != nil }
        #expect(labelled.map(\.value.names.first) == ["Office"])
    }

    @Test(.timeLimit(.minutes(10)))
    func `thousands of identities stay below the limit, and labelled devices are kept`() {
        var sessions = Sessions()
        sessions.bring("_ipp._tcp", "Office", on: "printer.local", uuid)
        let isLabelled = sessions.label("printer.local", "Printer upstairs")
        #expect(isLabelled)
        for round in 0..<3 {
            for number in 0..<1_000 {
                let name = "h\(round)-\(number)"
                sessions.bring("_ipp._tcp", name, on: name + ".local")
                sessions.remove("_ipp._tcp", name)
            }
            sessions.restart(after: 60)
        }
        #expect(sessions.ledger.devices.count == 3_001)
        var ledger = sessions.ledger
        for number in 0..<20_000 {
            let device = LedgerDevice(
                names: ["x"], evidence: ["mac:0000\(10_000_000 + number)"],
                firstSeen: sessions.now, lastSeen: sessions.now)
            ledger.note(Identity.uuid(forName: "x\(number).local"), device)
        }
        ledger.trim()
        #expect(ledger.devices.count == DeviceLedger.deviceLimit)
        #expect(ledger.devices.values.contains { $0.label == "Printer upstairs" })
    }
}
