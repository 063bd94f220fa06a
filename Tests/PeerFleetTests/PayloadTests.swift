// Tests the payloads of observers: what is written is read, and anything else is an error.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@Suite struct PayloadTests {
    private static let peers = House.devices().peers + Scene.peers + [full]

    /// A peer with everything that a payload has.
    private static let full = {
        var peer = Peer.host("printer", addresses: ["10.0.0.9", "fe80::9%eth0"])
        (peer.kind, peer.model, peer.maker) = (.printer, "LaserJet", "HP")
        (peer.label, peer.isNew, peer.macs) = ("Office\n\u{1b}[2J", true, ["00:00:5e:00:53:01"])
        peer.deviceInfo = TXTRecord([.init(key: "model", value: .bytes([0xff]))])
        return peer
    }()

    @Test(arguments: peers) func `a peer is read as it was written`(peer: Peer) throws {
        let read = try NumberedPeer(NumberedPeer(sequence: 4711, peer: peer).payload)
        #expect(read.sequence == 4711)
        #expect(read.peer == peer)
    }

    @Test func `the views of a peer are not published`() throws {
        var peer = Self.full
        peer.views = [PeerView(name: .attic, host: "", presence: .present, since: House.time(0))]
        #expect(try NumberedPeer(peer.message(1)).peer.views.isEmpty)
    }

    @Test(arguments: [0, 1, 2, 500, ObserverCensus.limit])
    func `a census is read as it was written, and knows its peers`(count: Int) throws {
        let ids = (0..<count).map { UUID.announced($0) }
        let written = ObserverCensus(run: .announced(-1), sequence: 7, of: ids)
        #expect(written.payload.count < 256 << 10)
        let census = try ObserverCensus(written.payload)
        #expect(census == written)
        for id in ids { #expect(!census.lacks(id, publishedAs: 1)) }
        let others = (count..<count + 100).map { UUID.announced($0) }
        #expect(
            others.count { census.lacks($0, publishedAs: 7) } > 95, "a few may have equal digits")
        #expect(!others.contains { census.lacks($0, publishedAs: 8) }, "they may have come later")
    }

    @Test(arguments: [
        "", "{}", #"{"run":"x","seq":1,"peers":""}"#, #"{"seq":1,"peers":""}"#,
        #"{"run":"f70742d2-12cd-5f3b-b1bd-f4c1c5d29cae","peers":""}"#,
        #"{"run":"f70742d2-12cd-5f3b-b1bd-f4c1c5d29cae","seq":1,"peers":"0123456"}"#,
        #"{"run":"f70742d2-12cd-5f3b-b1bd-f4c1c5d29cae","seq":1,"peers":"0123456g"}"#,
        #"{"run":"f70742d2-12cd-5f3b-b1bd-f4c1c5d29cae","seq":1,"peers":"0000000200000001"}"#,
        #"{"run":"f70742d2-12cd-5f3b-b1bd-f4c1c5d29cae","seq":1,"peers":["00000001"]}"#,
    ])
    func `a malformed census is an error`(text: String) {
        #expect(throws: LineError.self) { try ObserverCensus(Array(text.utf8)) }
    }

    @Test func `a status is read as it was written`() throws {
        var status = ObserverStatus(.online)
        for state in [ObserverStatus.State.syncing, .online, .offline] {
            status.state = state
            #expect(try ObserverStatus(status.payload) == status)
        }
        (status.host, status.backend) = ("anna.local", "daemon")
        (status.interfaces, status.version) = (["eth0", "wlan0"], "0.9")
        (status.run, status.since) = (.announced(1), House.time(1))
        (status.peers, status.sequence) = (3, .max)
        #expect(try ObserverStatus(status.payload) == status)
    }

    @Test func `unknown members are skipped, and a state alone is a status`() throws {
        let text = #"{"state":"online","later":{"a":[1,2,{"b":null}]}}"#
        #expect(try ObserverStatus(Array(text.utf8)) == ObserverStatus(.online))
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "online", #"{"state":"asleep"}"#, #"{"state":null}"#,
        #"{"state":1}"#,
        #"{"state":"online""#, #"{"state":"online"}x"#, #"{"state":"online"}{"state":"online"}"#,
        #"{"state":"online","state":"online"}"#, #"{"state":"online","seq":"1"}"#,
        #"{"state":"online","seq":1e3}"#, #"{"state":"online","seq":9223372036854775808}"#,
        #"{"state":"online","peers":1.5}"#, #"{"state":"online","run":"1"}"#,
        #"{"state":"online","host":"\ud800"}"#, #"{"state":"online","interfaces":"eth0"}"#,
    ])
    func `a malformed status is an error`(text: String) {
        #expect(throws: LineError.self) { try ObserverStatus(Array(text.utf8)) }
    }

    @Test func `a peer that is cut off or lacks a required member is an error`() throws {
        let payload = Self.full.message(1)
        for count in stride(from: 0, to: payload.count, by: 7) {
            #expect(throws: LineError.self) { try NumberedPeer(Array(payload.prefix(count))) }
        }
        let text = String(decoding: payload, as: UTF8.self)
        for key in ["seq", "id", "name", "presence", "identity", "services"] {
            let other = text.replacing("\"\(key)\":", with: "\"x\":", maxReplacements: 1)
            #expect(throws: LineError.self, "\(key)") { try NumberedPeer(Array(other.utf8)) }
        }
        #expect(throws: LineError.self) { try NumberedPeer([0xff, 0xfe]) }
    }

    @Test func `a value that is nested 100,000 deep is an error`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: LineError.self) {
            try ObserverStatus(Array("{\"state\":\"online\",\"x\":\(deep)".utf8))
        }
    }
}
