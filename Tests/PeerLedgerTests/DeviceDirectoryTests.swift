// What a user's word stands for among the devices of the ledger.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import Testing

@testable import PeerLedger

@Suite struct DeviceDirectoryTests {
    private func id(_ start: String) -> UUID {
        UUID(uuidString: start + "57c66a50-0000-5000-8000-000000000000".dropFirst(start.count))
            ?? .init()
    }

    private func ledger(_ devices: [(id: UUID, label: String?, names: [String], host: String?)])
        -> DeviceLedger
    {
        var ledger = DeviceLedger()
        for device in devices {
            ledger.note(
                device.id,
                LedgerDevice(
                    names: device.names, evidence: device.host.map { ["host-name:" + $0] } ?? [],
                    firstSeen: House.time(0), lastSeen: House.time(1)))
            ledger.setLabel(device.label, of: device.id)
        }
        return ledger
    }

    @Test func `a word is a label, a name, a host name, or the beginning of an identifier`() {
        let (nas, tv) = (id("aaaa1111"), id("bbbb2222"))
        let ledger = ledger([
            (nas, "Backups", ["DiskStation", "Vault"], "diskstation.local"),
            (tv, nil, ["Büro oben"], "tv-3.local"),
        ])
        for word in [
            "Backups", "backups", "DiskStation", "diskstation.local", "diskstation", "aaaa", "a",
            "AAAA1111-", "vault", nas.uuidString,
        ] { #expect(ledger.directory.match(word) == .one(nas), "\(word)") }
        for word in ["Büro oben", "buro oben", "tv-3", "TV-3.local", "bbbb2222"] {
            #expect(ledger.directory.match(word) == .one(tv), "\(word)")
        }
        for word in ["", "Backup", "tv", "oben", "local", ".local", "cccc"] {
            #expect(ledger.directory.match(word) == .none, "\(word)")
        }
    }

    @Test func `a stranger's name takes the place of no label and of no identifier`() {
        let (mine, stranger) = (id("aaaa1111"), id("bbbb2222"))
        for label in ["TV", nil] {
            let ledger = ledger([
                (mine, label, ["Television"], nil), (stranger, nil, ["TV", "Television"], nil),
            ])
            #expect(ledger.directory.match("TV") == .one(label == nil ? stranger : mine))
            #expect(ledger.directory.match("Television") == .one(mine))
        }
        let ledger = ledger([(mine, nil, ["Television"], nil), (stranger, nil, ["aaaa1111"], nil)])
        #expect(ledger.directory.match("aaaa1111") == .several([mine, stranger]))
        #expect(ledger.directory.match("aaaa") == .one(mine))
    }

    @Test func `as a query, a word is a whole name or eight digits`() {
        let (nas, lamp) = (id("bed00000"), id("cccc0000"))
        let directory = ledger([
            (nas, nil, ["nas", "Vault"], nil), (lamp, nil, ["Bedroom lamp"], nil),
        ]).directory
        #expect(directory.match(query: "NAS") == .one(nas))
        #expect(directory.match(query: "bed00000") == .one(nas))
        for query in ["bed", "bed0000", "Vault", "lamp", ""] {
            #expect(directory.match(query: query) == .none, "\(query)")
        }
    }

    @Test func `a word that is none is answered with near names`() {
        let directory = ledger([
            (id("aaaa"), nil, ["Living Room TV"], nil),
            (id("bbbb"), nil, ["Living Room Lamp"], nil), (id("cccc"), nil, ["mediabox"], nil),
            (id("dddd"), nil, [String(repeating: "x", count: 255)], nil),
        ]).directory
        #expect(directory.titles(near: "living") == ["Living Room Lamp", "Living Room TV"])
        #expect(directory.titles(near: "tv room") == ["Living Room TV"])
        #expect(directory.titles(near: "meidabox") == ["mediabox"])
        #expect(directory.titles(near: "zzzzzz").isEmpty && directory.titles(near: "").isEmpty)
    }

    @Test func `each device has a word that stands for it alone`() {
        let ledger = ledger([
            (id("a1111111"), nil, ["Guest TV"], "tv-1.local"),
            (id("a2222222"), nil, ["guest tv"], "tv-2.local"),
            (id("a3333333"), "Büro $(x) \"y\"", ["Printer"], nil),
            (id("a4444444"), nil, ["-rf"], nil), (id("a5555555"), nil, ["two\nlines"], nil),
            (id("a6666666"), nil, ["beef"], nil), (id("a7777777"), nil, [], nil),
            (id("a8888888"), nil, ["Attic"], "attic.local"),
        ])
        let words = ledger.directory.words
        #expect(words.count == 8)
        for (word, entry) in words {
            #expect(ledger.directory.match(word) == .one(entry.id))
            #expect(!word.hasPrefix("-") && !word.contains("\n"))
        }
        let titles = Set(words.map(\.word)).intersection(words.map(\.entry.title))
        #expect(titles == ["Büro $(x) \"y\"", "Attic"])
    }
}
