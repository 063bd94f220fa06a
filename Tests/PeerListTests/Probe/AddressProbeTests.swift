// Whether addresses and ports answer: over the loopback interface, where a listener can be had without a network.
import FoundationEssentials
import Glibc
import PeerListTestSupport
import Testing

@testable import PeerList

@Suite struct AddressProbeTests {
    private static let here = HostAddress(bytes: [127, 0, 0, 1], interface: "lo")

    /// A TCP socket that listens on the loopback interface.
    private final class Listener {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let port: UInt16

        init(isOpen: Bool = true) throws {
            var address = SocketAddress(here, port: 0)
            let (file, status) = (
                file,
                unsafe address.withPointer { [file] pointer, size in
                    unsafe bind(file, pointer, size) == 0
                        && (!isOpen || listen(file, 512) == 0)
                        && getsockname(file, pointer, &size) == 0
                }
            )
            try #require(file >= 0 && status)
            port = address.port
        }

        deinit { close(file) }
    }

    @Test func `open and closed ports are told apart, in the order of the questions`() async throws
    {
        let (open, closed) = (try Listener(), try Listener(isOpen: false))
        let answers = await AddressProbe().ask([
            AddressQuestion(Self.here, ports: [open.port, closed.port]),
            AddressQuestion(Self.here, ports: [closed.port]),
        ])
        #expect(answers.map(\.address) == ["127.0.0.1", "127.0.0.1"])
        #expect(answers.map(\.isOfDevice) == [true, true])
        #expect(
            answers.map(\.ports) == [
                [open.port: .open, closed.port: .closed], [closed.port: .closed],
            ])
        #expect(answers.map { $0.isOpen() } == [true, false])
    }

    @Test func `many questions are asked in parts`() async throws {
        let open = try Listener()
        let answers = await AddressProbe().ask(
            [AddressQuestion](repeating: AddressQuestion(Self.here, ports: [open.port]), count: 200)
        )
        #expect(answers.count == 200)
        #expect(answers.allSatisfy { $0.isOpen(open.port) })
    }

    @Test func `only addresses that can work and announced TCP ports are asked`() {
        var device = Peer.full
        device.addresses = ["172.17.0.1", "10.0.0.5", "fe80::5%eth0"]
        device.reach = ["172.17.0.1": .impossible, "10.0.0.5": .here]
        device.macs = ["00:00:5e:00:53:01"]
        device.services = [
            ("_ipp._tcp", 631), ("_http._tcp", 80), ("_raop._tcp", 0), ("_sleep-proxy._udp", 5_000),
            ("_printer._tcp", nil), ("_ipps._tcp", 631),
        ].map { Service(id: UUID(), name: "x", type: $0, domain: "local", port: $1) }
        var router = Peer.full
        (router.id, router.addresses, router.macs) = (UUID(), ["10.0.0.1"], ["00:00:5e:00:53:09"])
        let questions = AddressQuestion.all(of: device, among: .init([device, router]))
        #expect(questions.map(\.address.description) == ["10.0.0.5", "fe80::5%eth0"])
        #expect(questions[0].ports == [631, 80])
        #expect(questions[0].datagramPort == 5_000)
        #expect(questions[0].macs == Set([MACAddress("00:00:5e:00:53:01")].compactMap(\.self)))
        #expect(questions[0].otherMACs == Set([MACAddress("00:00:5e:00:53:09")].compactMap(\.self)))
        #expect(AddressQuestion.all(of: device, port: 80)[0].ports == [80])
        #expect(AddressQuestion.all(of: device, port: 22)[0].ports.isEmpty, "it is not announced")
    }

    @Test func `a router is no device but its own, whatever MAC address is known of another`()
        throws
    {
        let mac = try #require(MACAddress("00:00:5e:00:53:09"))
        var device = Peer.full
        (device.addresses, device.macs) = (["10.0.0.5"], [mac.text])
        let others = AddressQuestion.Others([device], routers: [mac: ["10.0.0.1"]])
        #expect(AddressQuestion.all(of: device, among: others).map(\.otherMACs) == [[mac]])
        device.addresses.append("10.0.0.1")
        #expect(AddressQuestion.all(of: device, among: others).map(\.otherMACs) == [[], []])
    }

    @Test func `the ports of an address are bounded`() {
        var device = Peer.full
        (device.addresses, device.reach) = (["10.0.0.5"], [:])
        device.services = (1...100).map {
            Service(id: UUID(), name: "x", type: "_http._tcp", domain: "local", port: $0)
        }
        #expect(AddressQuestion.all(of: device)[0].ports == Array(1...8))
    }
}
