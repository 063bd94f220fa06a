// Tests decoding text and bytes of libavahi to Swift values.
import PeerListTestSupport
import Testing

import PeerList

@Suite struct WireTextTests {
    @Test func `of equal keys the first counts, whatever their case`() {
        let record = TXTRecord(strings: ["a=1", "A=2", "b"].map { Array($0.utf8) })
        #expect(record.pairs.map(\.key) == ["a", "b"])
        #expect(record["A"] == .text("1"))
    }

    @Test func `a key without a value, an empty value and bytes are distinguished`() {
        let record = TXTRecord(strings: [
            Array("flag".utf8), Array("empty=".utf8), Array("raw=".utf8) + [0xff, 0],
            Array("eq=a=b".utf8),
        ])
        #expect(record["flag"] == TXTRecord.Value.none)
        #expect(record["empty"] == .text(""))
        #expect(record["raw"] == .bytes([0xff, 0]))
        #expect(record["eq"] == .text("a=b"))
    }

    @Test func `a string without a key is ignored`() {
        #expect(TXTRecord(strings: [Array("=x".utf8), []]).pairs.isEmpty)
    }

    @Test(arguments: [
        ("h1.local", "h1.local"), (#"my\032host.local"#, "my host.local"),
        (#"a\.b.local"#, "a.b.local"), (#"back\\slash.local"#, #"back\slash.local"#),
        ("", ""),
    ])
    func `escapes of libavahi are decoded`(escaped: String, plain: String) {
        #expect(unescaped(escaped) == plain)
    }

    @Test func `a link-local address carries its scope, and no other does`() throws {
        let link = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [9]
        let global = [0x20, 0x01] + [UInt8](repeating: 0, count: 13) + [9]
        #expect(HostAddress(bytes: link, interface: "eth1").description == "fe80::9%eth1")
        #expect(HostAddress(bytes: global, interface: "eth1").description == "2001::9")
        #expect(HostAddress(bytes: [10, 0, 0, 1], interface: "eth1").description == "10.0.0.1")
    }

    @Test func `a taken name is followed by the next one`() {
        #expect(alternativeName(to: "Printer") == "Printer #2")
        #expect(alternativeName(to: "Printer #2") == "Printer #3")
    }

    @Test func `times are RFC 3339 with microseconds, also before 1970`() {
        #expect(Timestamp(microseconds: 0).description == "1970-01-01T00:00:00.000000Z")
        #expect(
            Timestamp(microseconds: 1_795_249_765_000_125).description
                == "2026-11-21T08:29:25.000125Z")
        #expect(Timestamp(microseconds: -1).description == "1969-12-31T23:59:59.999999Z")
    }
}
