// Tests that a capture of a link tells the same as a list that was live on it.
import Glibc
import LabSupport
import PeerListTestSupport
import Testing

@Suite(.needsLab, .needs("tcpdump"), .serialized, .timeLimit(.minutes(10)))
struct CaptureTests {
    @Test func `a live list and the capture of what it heard have the same devices and account`()
        async throws
    {
        try await Lab.with { lab in
            let capture = lab.directory.path + "/eth0.pcap"
            let dump = try await self.dump(lab, to: capture)
            let list = try lab.peerlist(on: "h2", ["--json", "--no-ledger"])
            try await list.line(within: .seconds(60)) { $0.contains("\"event\":\"filled\"") }

            // What comes within a second of something else belongs to it, here or there.
            try lab.publishFile(
                "web", named: "Web", "_http._tcp", 80, on: "h1", txt: "path=/", "a=1")
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h1", txt: "rev=1")
            try await list.line(within: .seconds(60)) { $0.contains("\"event\":\"arrived\"") }
            try await lab.rest(3)
            let files = try await lab.publish("Files", "_smb._tcp", 445, on: "h1")
            try await list.line(within: .seconds(60)) { $0.contains("\"event\":\"changed\"") }
            try await lab.rest(4)
            await files.send(15)
            try await list.line(within: .seconds(60)) {
                $0.contains("\"event\":\"changed\"") && $0.contains("\"services\":[]")
            }
            try await lab.rest(4)
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 2222, on: "h1", txt: "rev=2")
            try await list.line(within: .seconds(60)) {
                $0.contains("\"cause\":\"changed\"") && $0.contains("2222")
            }
            // Both hear a packet after everything has settled.
            try await lab.rest(4)
            _ = try await lab.publish("End", "_http._tcp", 81, on: "h1")
            try await list.line(within: .seconds(60)) { $0.contains("\"End\"") }
            try await lab.rest(4)
            await list.send(2)
            try await list.end(within: .seconds(60))
            await dump.send(2)
            try await dump.end(within: .seconds(60))

            let live = try await lab.directory.write(
                list.lines.map { $0 + "\n" }.joined(), to: "live.jsonl")
            let difference = try await FinishedProcess(
                [BuiltProducts.peerlist, "diff", live, capture])
            #expect(difference.status == 0, "\(difference.output)\(difference.errors)")
            let (heard, captured) = (try await account(live), try await account(capture))
            #expect(heard == captured)
        }
    }

    /// Sends responses with PTR records at random: announcements, goodbyes and short lives. Unlike avahi-daemon, a capture
    /// ignores their cache-flush bits.
    private let responder = """
        import random, select, socket, struct, sys
        random.seed(int(sys.argv[1]))
        link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            link.setsockopt(socket.SOL_SOCKET, option, 1)
        link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        link.bind(('', 5353))
        def name(*labels): return b''.join(bytes([len(l)]) + l for l in labels) + b'\\0'
        kind = (b'_random', b'_tcp', b'local')
        def record(instance, ttl):
            data = name(instance, *kind)
            return name(*kind) + struct.pack('>HHIH', 12, 1, ttl, len(data)) + data
        def wait(seconds): select.select([], [], [], seconds)
        for _ in range(60):
            records = [
                record(b'S%d' % random.randrange(8), random.choice([0, 0, 1, 2, 120, 120, 120]))
                for _ in range(random.randrange(1, 4))]
            header = struct.pack('>HHHHHH', 0, 0x8400, 0, len(records), 0, 0)
            link.sendto(header + b''.join(records), ('224.0.0.251', 5353))
            wait(random.choice([0, 0.05, 0.3, 0.6, 1.3]))
        wait(3.5)
        # A message shows in the capture that the time is over.
        link.sendto(bytes(12), ('224.0.0.251', 5353))
        print('done', flush=True)
        """

    @Test(arguments: 1...4)
    func `random responses leave the services that avahi-daemon has cached`(seed: Int) async throws
    {
        try await Lab.with { lab in
            let capture = lab.directory.path + "/eth0.pcap"
            let dump = try await self.dump(lab, to: capture)
            let stranger = try lab.start("h1", ["python3", "-c", responder, "\(seed)"])
            try await stranger.line(within: .seconds(120)) { $0 == "done" }
            let cached = try await lab.run(
                "h2", ["avahi-browse", "--cache", "--parsable", "--no-db-lookup", "_random._tcp"])
            try await dump.line(within: .seconds(60), where: isEmptyMessage)
            await dump.send(2)
            try await dump.end(within: .seconds(60))

            let avahi = Set(
                cached.output.split(separator: "\n").map { $0.split(separator: ";")[3] })
            let replay = try await FinishedProcess([
                BuiltProducts.peerlist, "replay", "--json", "--at", "2100-01-01", capture,
            ])
            let sections = try JSON(line: replay.output)["sections"].array
            let services = sections.flatMap { $0["items"].array }
                .flatMap { $0["services"].array }
            #expect(
                Set(services.map { $0["name"].string }) == Set(avahi.map(String.init)),
                "\(replay.output)\n\(cached.output)")
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `what a list writes is read by tcpdump, and tells of the same devices`(backend: String)
        async throws
    {
        try await Lab.with { lab in
            let capture = lab.directory.path + "/night.pcapng"
            let renamed = lab.directory.path + "/former.pcapng"
            // They answer the question at the start.
            let camera = try await SilentTests.play(
                lab, on: "h1", "--wsd", "--port", "8081", "--seed", "b")
            let tv = try await SilentTests.play(lab, on: "h1", "--name", "Living Room")
            let list = try lab.peerlist(
                on: "h2", ["--json", "--no-ledger", "--backend", backend, "--capture", capture])
            try await list.line(within: .seconds(60)) { $0.contains("\"event\":\"filled\"") }
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1", txt: "path=/", "a=1")
            let files = try await lab.publish("Files", "_smb._tcp", 445, on: "h1")
            try await list.line(within: .seconds(60)) { $0.contains("\"Files\"") }
            try await lab.rest(2)
            let other = try await lab.finishedPeerlist(on: "h2", "--json", "--capture", capture)
            #expect(other.status == 3)
            #expect(other.errors.contains("is written by another peerlist already"))

            _ = try await lab.run("h2", ["mv", capture, renamed])
            await list.send(SIGHUP)
            let wait = "until [ -s \"$0\" ]; do :; done"
            _ = try await lab.run("h2", ["timeout", "60", "sh", "-c", wait, capture])
            await files.send(SIGTERM)
            try await list.line(within: .seconds(60)) { $0.contains("\"cause\":\"changed\"") }
            try await lab.rest(2)
            await list.send(SIGINT)
            #expect(try await list.end(within: .seconds(60)) == 130)
            #expect(await list.errors == "")

            for file in [capture, renamed] {
                let mode = try await lab.run("h2", ["stat", "-c", "%a", file])
                #expect(mode.output == "600")
                // Each packet is read, and has valid checksums.
                let dump = try await lab.run("h2", ["tcpdump", "-nvr", file])
                #expect(dump.output.contains("_smb._tcp.local"))
                #expect(!dump.output.contains("bad"), "\(dump.output)")
            }
            let devices = try await lab.finishedPeerlist(
                on: "h2", "replay", "--json", "--at", "2100-01-01", renamed)
            let sections = try JSON(line: devices.output)["sections"].array
            let services = sections.flatMap { $0["items"].array }
                .flatMap { $0["services"].array }.map { $0["name"].string }
            #expect(services.contains("Web") && services.contains("Files"))
            let protocols = sections.flatMap { $0["items"].array }
                .flatMap { $0["protocols"].array }.map(\.string)
            #expect(Set(protocols) == ["mdns", "ssdp", "wsd"], "\(devices.output)")
            // An answer to the port from which was asked, and a message to the group.
            let dump = try await lab.run("h2", ["tcpdump", "-nr", renamed, "port 1900"])
            #expect(dump.output.contains(" > 10.99.0.2.1900"), "\(dump.output)")
            #expect(dump.output.contains(" > 239.255.255.250.1900"), "\(dump.output)")
            let left = try await lab.finishedPeerlist(on: "h2", "replay", "--plain", capture)
            #expect(left.errors.isEmpty)
            for process in [camera, tv] { await process.send(SIGTERM) }
        }
    }

    @Test func `a capture that has its greatest size ends with a whole packet, and that is said`()
        async throws
    {
        try await Lab.with { lab in
            let capture = lab.directory.path + "/full.pcapng"
            let start = (1 << 30) - 6_000
            // The beginning of a capture, with room for the packets of a service or two.
            let made = "printf '\\012\\015\\015\\012' >\"$0\" && truncate -s \(start) \"$0\""
            _ = try await lab.run("h2", ["sh", "-c", made, capture])
            let observer = try ListObserver(lab, on: "h2", "--capture", capture)
            // What does not fit as a whole is left out, and a machine announces all it has at once.
            _ = try await lab.publish("First", "_http._tcp", 80, on: "h1")
            try await observer.peer(on: "h1.local") { $0["services"].array.count == 1 }
            try await lab.startLoad(on: "h1", "--services", "20")
            let list = try await observer.list(within: .seconds(60)) {
                $0.notices.contains("capture-ended")
            }
            #expect(list.messages.contains { $0.contains("1 GiB") })
            let read = "tail -c +\(start + 1) \"$0\" | tcpdump -nr - 2>&1"
            let dump = try await lab.run("h2", ["sh", "-c", read, capture])
            #expect(dump.status == 0 && !dump.output.contains("truncated"), "\(dump.output)")
            try await observer.peer(on: "load.local") { $0["services"].array.count == 20 }
            #expect(try await observer.interrupt() == 130)
        }
    }

    @Test func `a capture that has no room for a packet stays as it is`() async throws {
        try await Lab.with { lab in
            let capture = lab.directory.path + "/full.pcapng"
            let made = "printf '\\012\\015\\015\\012' >\"$0\" && truncate -s 1G \"$0\""
            _ = try await lab.run("h2", ["sh", "-c", made, capture])
            let observer = try ListObserver(lab, on: "h2", "--capture", capture)
            try await observer.list(within: .seconds(60)) { $0.notices.contains("capture-ended") }
            #expect(try await observer.interrupt() == 130)
            let size = try await lab.run("h2", ["stat", "--format=%s", capture])
            #expect(size.output == "\(1 << 30)")
        }
    }

    @Test func `a file that is no capture is not written to`() async throws {
        try await Lab.with { lab in
            let file = try lab.directory.write("my letters", to: "letters")
            for (path, reason) in [
                (file, "is no capture in the format pcapng"), ("/dev/null", "is not a file that"),
                (lab.directory.path, "is a directory"),
            ] {
                let list = try await lab.finishedPeerlist(on: "h2", "--capture", path)
                #expect(list.status == 3)
                #expect(list.errors.contains(reason), "\(list.errors)")
            }
            #expect(try TextFile.read(file) == "my letters")
        }
    }

    /// Announces devices with large TXT records, in one message each, over IPv4 and IPv6.
    private let announcer = """
        import socket, struct
        def name(*labels): return b''.join(bytes([len(l)]) + l for l in labels) + b'\\0'
        def record(owner, type, data, ttl=4500, flush=True):
            return owner + struct.pack('>HHIH', type, 0x8001 if flush else 1, ttl, len(data)) + data
        def announcement(text, size, version):
            label = text.encode()
            kind = (b'_large', b'_tcp', b'local')
            service, host = name(label, *kind), name(label, b'local')
            strings = b''
            while len(strings) < size: strings += b'\\xc8' + b'k%03d=' % (len(strings) // 201) + b'x' * 195
            address = bytes([10, 99, 0, 11]) if version == 4 else bytes.fromhex('fd00000000000000000000000000000b')
            records = [record(name(*kind), 12, service, flush=False), record(service, 16, strings),
                       record(service, 33, struct.pack('>HHH', 0, 0, 80) + host, 120),
                       record(host, 1 if version == 4 else 28, address, 120)]
            return struct.pack('>HHHHHH', 0, 0x8400, 0, len(records), 0, 0) + b''.join(records)
        index = socket.if_nametoindex('eth0')
        for version in (4, 6):
            link = socket.socket(socket.AF_INET if version == 4 else socket.AF_INET6, socket.SOCK_DGRAM)
            for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
                link.setsockopt(socket.SOL_SOCKET, option, 1)
            if version == 4:
                link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
            else:
                link.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
                link.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
            link.bind(('', 5353))
            group = ('224.0.0.251', 5353) if version == 4 else ('ff02::fb', 5353)
            for size in (2000, 8700, 12000):
                link.sendto(announcement('%d over %d' % (size, version), size, version), group)
        link.sendto(bytes(12), ('ff02::fb', 5353))
        print('done', flush=True)
        """

    @Test func `the command of the manual captures announcements in fragments`() async throws {
        let manual = try TextFile.read(BuiltProducts.package + "/docs/captures.md")
        let start = "tcpdump -i eth0 -U -w night.pcap "
        let line = manual.split(separator: "\n").first { $0.hasPrefix(start) }
        let filter = try #require(line).dropFirst(start.count)
        try await Lab.with { lab in
            let capture = lab.directory.path + "/night.pcap"
            let dump = try await self.dump(lab, to: capture, String(filter))
            let announcer = try lab.start("h1", ["python3", "-c", self.announcer])
            try await announcer.line(within: .seconds(60)) { $0 == "done" }
            try await dump.line(within: .seconds(60), where: isEmptyMessage)
            await dump.send(2)
            try await dump.end(within: .seconds(60))

            let replay = try await FinishedProcess([
                BuiltProducts.peerlist, "replay", "--json", "--at", "2100-01-01", capture,
            ])
            #expect(!replay.errors.contains("left out"), "\(replay.errors)")
            let services = try JSON(line: replay.output)["sections"].array
                .flatMap { $0["items"].array }.flatMap { $0["services"].array }
            let names = [4, 6].flatMap { version in
                [2_000, 8_700, 12_000].map { "\($0) over \(version)" }
            }
            #expect(Set(services.map { $0["name"].string }) == Set(names))
            for service in services {
                let size = Int(service["name"].string.prefix { $0 != " " }) ?? 0
                let last = "00\((size - 1) / 201)".suffix(3)
                #expect(service["txt"]["k\(last)"] != .null, "\(service)")
            }
        }
    }

    /// Whether a line of tcpdump is about a message that asks and says nothing.
    private func isEmptyMessage(_ line: String) -> Bool { line.hasSuffix(": 0 [0q] (12)") }

    /// Captures what a machine hears, and prints each packet that was written to the capture.
    private func dump(
        _ lab: Lab, to path: String, _ filter: String = "udp port 5353"
    ) async throws -> RunningProcess {
        let command =
            "exec tcpdump -Z root -i eth0 -n -l --print --immediate-mode -U -w \"$1\" \(filter) 2>&1"
        let dump = try lab.start("h2", ["sh", "-c", command, "sh", path])
        try await dump.line(within: .seconds(60)) { $0.contains("listening on") }
        return dump
    }

    /// Returns the sentences of a recording, without their times and the first one.
    private func account(_ path: String) async throws -> [String] {
        let replay = try await FinishedProcess(
            [BuiltProducts.peerlist, "replay", "--plain", path], environment: ["LC_ALL": "C.UTF-8"])
        #expect(replay.errors.isEmpty)
        return replay.output.split(separator: "\n").dropFirst().map { String($0.dropFirst(20)) }
    }
}
