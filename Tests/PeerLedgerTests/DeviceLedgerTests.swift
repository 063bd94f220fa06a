// The ledger as a value: sightings, labels, bounds, and its JSON text.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing
import TestSupport

@testable import PeerLedger

@Suite struct DeviceLedgerTests {
    private func seen(_ name: String, at seconds: Double = 0) -> LedgerDevice {
        LedgerDevice(
            names: [name], evidence: ["host-name:\(name).local"], firstSeen: House.time(seconds),
            lastSeen: House.time(seconds))
    }

    private func id(_ number: Int) -> UUID {
        Identity.uuid(forName: "h\(number).local")
    }

    @Test func `what is seen adds names and evidence, the latest first, and widen the times`()
        throws
    {
        var ledger = DeviceLedger()
        ledger.note(id(1), seen("tv", at: 50))
        ledger.note(id(1), seen("television", at: 90))
        ledger.note(id(1), seen("old", at: 10))
        let device = try #require(ledger.devices[id(1)])
        #expect(device.names == ["television", "tv"])
        #expect(device.evidence == ["host-name:television.local", "host-name:tv.local"])
        #expect(device.firstSeen == House.time(10))
        #expect(device.lastSeen == House.time(90))
        #expect(device.title == "television")
    }

    @Test func `the texts of a device are bounded`() throws {
        var ledger = DeviceLedger()
        for number in 0..<50 {
            ledger.note(id(1), seen("\(number)" + String(repeating: "é", count: 999)))
        }
        let device = try #require(ledger.devices[id(1)])
        #expect(device.names.count == LedgerDevice.nameLimit)
        #expect(device.evidence.count == LedgerDevice.evidenceLimit)
        let sizes = (device.names + device.evidence).map(\.utf8.count)
        #expect(sizes.allSatisfy { (200...LedgerDevice.textLimit).contains($0) })
    }

    @Test func `a label is found, shown as title, and removed`() {
        var ledger = DeviceLedger()
        ledger.note(id(1), seen("tv"))
        let isKnown = ledger.setLabel("Living room", of: id(1))
        #expect(isKnown)
        ledger.note(id(1), seen("television", at: 90))
        #expect(ledger.devices[id(1)]?.title == "Living room")
        #expect(ledger.directory.match("Living room") == .one(id(1)))
        ledger.setLabel(nil, of: id(1))
        #expect(ledger.directory.match("Living room") == .none)
        let isOtherKnown = ledger.setLabel("x", of: id(2))
        #expect(!isOtherKnown)
    }

    @Test func `a device is found by its UUID, or by the beginning of it`() {
        var ledger = DeviceLedger()
        for number in 1...40 { ledger.note(id(number), seen("h")) }
        let text = id(7).uuidString
        #expect(ledger.directory.match(text) == .one(id(7)))
        #expect(ledger.directory.match(text.lowercased()) == .one(id(7)))
        #expect(ledger.directory.match(String(text.lowercased().prefix(12))) == .one(id(7)))
        let twins = (1...40).map(id).filter {
            $0.uuidString.first == text.first
        }
        #expect(twins.count > 1)
        #expect(ledger.directory.match(String(text.prefix(1))) == .several(twins.sorted()))
        #expect(ledger.directory.match("") == .none)
        #expect(ledger.directory.match(id(99).uuidString) == .none)
    }

    @Test func `a label that looks like the beginning of a UUID is the label`() {
        var ledger = DeviceLedger()
        ledger.note(id(1), seen("a"))
        ledger.note(id(2), seen("b"))
        let start = String(id(1).uuidString.lowercased().prefix(8))
        ledger.setLabel(start, of: id(2))
        #expect(ledger.directory.match(start) == .one(id(2)))
    }

    @Test func `beyond the limit, devices without a label that are unseen longest are dropped`() {
        var ledger = DeviceLedger()
        let count = DeviceLedger.deviceLimit
        for number in 0..<count { ledger.note(id(number), seen("h", at: Double(number))) }
        ledger.setLabel("kept", of: id(0))
        for number in count..<count + 3 {
            ledger.note(id(number), seen("h", at: Double(number)))
        }
        ledger.trim()
        #expect(ledger.devices.count == count)
        #expect(ledger.devices[id(0)] != nil)
        #expect((1...3).allSatisfy { ledger.devices[id($0)] == nil })
        #expect(ledger.devices[id(4)] != nil)
        #expect(ledger.devices[id(count + 2)] != nil)
    }

    @Test func `a device is labelled and forgotten under all its identifiers`() {
        var ledger = DeviceLedger()
        for number in 0..<6 { ledger.note(id(number), seen("tv", at: Double(number))) }
        ledger.note(id(9), seen("laptop"))
        // Two devices that became one, which changed its identifier twice more.
        for (old, new) in [(0, 1), (1, 2), (3, 2), (2, 4), (4, 5)] {
            ledger.link(id(old), to: id(new))
        }
        #expect(Set(ledger.current.map(\.key)) == [id(5), id(9)])
        ledger.setLabel("Living room", of: id(5))
        #expect(ledger.devices.values.count { $0.label == "Living room" } == 6)
        ledger.forget(id(5))
        #expect(Array(ledger.devices.keys) == [id(9)])
    }

    @Test func `the former identifiers of a device that is dropped are dropped with it`() {
        var ledger = DeviceLedger()
        let count = DeviceLedger.deviceLimit
        // The former one was seen last, as by a clock that was wrong.
        ledger.note(id(0), seen("tv", at: 9e6))
        ledger.note(id(1), seen("tv", at: 1))
        ledger.link(id(0), to: id(1))
        for number in 2..<count + 1 { ledger.note(id(number), seen("h", at: 1e6)) }
        ledger.trim()
        #expect(ledger.devices[id(0)] == nil && ledger.devices[id(1)] == nil)
        #expect(ledger.devices.count == count - 1)
    }

    @Test func `labels are refused that are too long or contain control characters`() {
        #expect(LedgerDevice.fault(ofLabel: String(repeating: "x", count: 255)) == nil)
        #expect(LedgerDevice.fault(ofLabel: String(repeating: "x", count: 256)) != nil)
        #expect(LedgerDevice.fault(ofLabel: "a\u{1b}[2J") != nil)
    }
}

@Suite struct DeviceLedgerTextTests {
    private var ledger: DeviceLedger {
        var ledger = DeviceLedger()
        for section in House.devices() {
            for item in section.items {
                ledger.note(item.id, LedgerDevice(item.peer, until: House.time(300)))
            }
        }
        let tv = ledger.devices.first { $0.value.title == "tv" }
        if let tv { ledger.setLabel("客厅 \u{1b}\"TV\"\\", of: tv.key) }
        let anna = ledger.devices.first { $0.value.title == "anna" }
        let printer = ledger.devices.first { $0.value.title == "brn30055c" }
        if let anna, let printer { ledger.link(anna.key, to: printer.key) }
        return ledger
    }

    private func text(_ ledger: DeviceLedger) -> String {
        String(decoding: ledger.json, as: UTF8.self)
    }

    @Test func `the text is read back as the same ledger`() throws {
        #expect(ledger.devices.count == 3)
        #expect(try DeviceLedger(json: ledger.json) == ledger)
        #expect(try DeviceLedger(json: DeviceLedger().json) == DeviceLedger())
        #expect(text(ledger).hasPrefix(#"{"version":1,"devices":[{"id":""#))
    }

    @Test func `former identifiers that lead to no device are not read`() throws {
        func device(_ number: Int, successor: Int?) -> String {
            let id = Identity.uuid(forName: "h\(number).local")
            let next = successor.map {
                #","successor":"\#(Identity.uuid(forName: "h\($0).local"))""#
            }
            return #"{"id":"\#(id)","label":"TV","firstSeen":"\#(House.time(0))","#
                + #""lastSeen":"\#(House.time(0))"\#(next ?? "")}"#
        }
        // Of a device that was forgotten, of a circle, and of a device.
        let devices = [(1, 2), (2, 99), (3, 4), (4, 3), (5, 5), (6, 7), (7, 8), (8, nil)]
        let text = devices.map { device($0, successor: $1) }.joined(separator: ",")
        let ledger = try DeviceLedger(json: Array(#"{"version":1,"devices":[\#(text)]}"#.utf8))
        #expect(
            Set(ledger.devices.keys)
                == Set([6, 7, 8].map { Identity.uuid(forName: "h\($0).local") }))
    }

    @Test func `a text without devices is no ledger`() {
        #expect(throws: LedgerTextError.self) {
            try DeviceLedger(json: Array(#"{"version":1,"packages":{}}"#.utf8))
        }
    }

    @Test func `unknown members are skipped`() throws {
        let more = text(ledger).replacing(
            #""kind":"#, with: #""more":[{"a":[1.5e9,null,true]}],"kind":"#)
        #expect(try DeviceLedger(json: Array(more.utf8)) == ledger)
    }

    @Test func `the text of a later version is recognised whatever else it contains`() {
        let later = Array(#"{"devices":{"id":7},"version":2}"#.utf8)
        #expect(throws: LedgerTextError.version(2)) { try DeviceLedger(json: later) }
    }

    /// Replacements in the text of a ledger.
    @Test(arguments: [
        (#""version":1"#, #""version":0"#), (#""version":1"#, #""version":"1""#),
        (#""version":1,"#, ""), (#""devices":["#, #""devices":[[],"#), ("]}\n", "]"),
        ("]}\n", "]}{}"), (#""firstSeen":"#, #""first":"#), (#""names":["#, #""names":[7,"#),
        (#""label":null"#, #""label":7"#), ("T08:", "T99:"), (#"{"id":""#, #"{"id":"x"#),
        (#""lastSeen":"2026"#, #""lastSeen":"2025"#), (#""successor":""#, #""successor":7,"x":""#),
        (#""label":null"#, #""label":null,"label":null"#),
        (#""names":["tv"]"#, #""names":["1","2","3","4","5","6","7","8","9"]"#),
    ])
    func `a damaged text is an error`(was: String, now: String) {
        let damaged = text(ledger).replacing(was, with: now)
        #expect(damaged != text(ledger))
        #expect(throws: LedgerTextError.self) { try DeviceLedger(json: Array(damaged.utf8)) }
    }

    @Test func `long labels, repeated devices and deep nesting are errors`() {
        let text = text(ledger)
        let label = "\"label\":\"" + String(repeating: "x", count: 100 << 10) + "\""
        let device = text.dropFirst(#"{"version":1,"devices":["#.count).prefix { $0 != "}" } + "}"
        let twice = text.replacing("]}\n", with: ",\(device)]}")
        let deep = String(repeating: "[", count: 1 << 20)
        for damaged in [
            text.replacing(#""label":null"#, with: label), twice, deep,
            #"{"version":1,"devices":"# + deep, #"{"version":1,"more":"# + deep, "", "null",
            "\u{0}\u{1}",
        ] {
            #expect(throws: LedgerTextError.self) { try DeviceLedger(json: Array(damaged.utf8)) }
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `any bytes are a ledger or an error`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = ledger.json
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0...2, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.removeSubrange(index..<min(bytes.count, index + 9))
            default: bytes.insert(contentsOf: bytes.prefix(40), at: index)
            }
        }
        guard let read = try? DeviceLedger(json: bytes) else { return }
        #expect((try? DeviceLedger(json: read.json)) == read)
    }
}
