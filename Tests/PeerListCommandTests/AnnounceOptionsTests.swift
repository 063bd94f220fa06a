// What `peerlist announce` takes, and what it says of what becomes of a service.
import PeerList
import PeerRecording
import Testing

@testable import PeerListCommand

@Suite struct AnnounceOptionsTests {
    private func options(_ words: String...) throws -> AnnounceOptions {
        let invocation = try Invocation(["announce"] + words, interfaces: .two)
        guard case .announce(let options) = invocation else {
            throw UsageError("no announcement")
        }
        return options
    }

    @Test func `each option of announce sets a part of the service`() throws {
        let browse = try options(
            "--name", "Attic: Laser", "--type", "ipp", "--port", "631", "--txt", "rp=a=b",
            "--txt", "flag", "--subtype", "printer", "--subtype", "_color", "--subtype",
            "_color._sub._ipp._tcp", "-6"
        ).browseOptions

        #expect(
            browse.announcement
                == Announcement(
                    name: "Attic: Laser", type: "_ipp._tcp", port: 631, txt: ["rp=a=b", "flag"],
                    subtypes: ["_printer", "_color"]))
        #expect(browse.announcesOnly)
        #expect(browse.family == .ipv6)
    }

    @Test func `a name of 63 bytes, an attribute of 255 bytes and port 65535 are accepted`() throws
    {
        let name = String(repeating: "n", count: 63)
        let text = "k=" + String(repeating: "v", count: 253)
        let taken = try options("-n", name, "-t", "_a1._udp", "--port", "65535", "--txt", text)
        #expect(taken.name == name)
        #expect(taken.txt == [text])
        #expect(taken.port == 65_535)
    }

    @Test func `a TXT key ends at the first equals sign, also before a combining character`() throws
    {
        let text = "key=\u{301}value"
        #expect(
            try options("-n", "a", "-t", "http", "--port", "1", "--txt", text).txt == [text])
    }
}
