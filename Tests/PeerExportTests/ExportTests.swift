// The devices and names that are exported, notices on what is left out, and the watched file.
import Foundation
import Glibc
import LabSupport
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerText
import Testing

@testable import PeerExport

@Suite struct ExportTests {
    private func peer(
        _ host: String?, _ addresses: [String], _ services: [(String, UInt16?)] = [],
        id: String? = nil
    ) -> Peer {
        Peer(
            id: Identity.uuid(forName: id ?? host ?? "none"), name: id ?? host ?? "none",
            host: host, presence: .present,
            identity: Identity(source: .hostName, value: host ?? ""), addresses: addresses,
            services: services.map { type, port in
                Service(
                    id: Identity.uuid(forName: "\(id ?? host ?? "") \(type)"), name: "s",
                    type: type, domain: "local", port: port)
            }, firstSeen: House.time(0), lastSeen: House.time(0))
    }

    private func export(
        _ peers: [Peer], _ format: ExportFormat, types: [String] = [], kinds: [DeviceKind] = [],
        grouping: Grouping = .device, in domain: BrowsedDomain = BrowsedDomain()
    ) -> Export {
        var list = ListOptions()
        (list.types, list.kinds) = (types, kinds)
        return Export(
            of: peers.sections(grouping), in: domain, list, ExportOptions(format: format))
    }

    @Test func `each text of a device but the interfaces is in a column of CSV`() {
        #expect(Peer.full.texts(missingIn: export([.full], .csv).text) == ["interfaces"])
    }

    @Test func `of several devices with one host name, the first is exported under it`() {
        let peers = [
            peer("nas.local", ["10.0.0.1"], [("_http._tcp", 80)], id: "a"),
            peer("NAS.local", ["10.0.0.2"], [("_http._tcp", 80)], id: "b"),
        ]
        let hosts = export(peers, .hosts)
        #expect(hosts.text.hasSuffix("\n10.0.0.1\tnas.local\t# a\n"))
        #expect(
            hosts.notices == ["left out, with the host name of another device before it: 'b'"])
        // A target is an address, so both are scraped.
        let targets = export(peers, .prometheus).text
        #expect(targets.contains(#"["10.0.0.1:80"],"labels":{"instance":"nas.local:80""#))
        #expect(targets.contains(#"["10.0.0.2:80"],"labels":{"instance":"10.0.0.2:80""#))
    }

    @Test func `a host of ssh has its full name only, which no other machine has`() {
        let config = export(
            [
                peer("build.local", ["10.0.0.1"]), peer("localhost.local", ["10.0.0.2"]),
                peer("NAS.local", ["fe80::1%eth0"]),
            ], .sshConfig
        ).text
        let hosts = config.split(separator: "\n").filter { $0.hasPrefix("Host ") }
        #expect(hosts == ["Host build.local", "Host localhost.local", "Host NAS.local nas.local"])
        #expect(config.contains("HostName fe80::1%%eth0\n"))
    }

    /// The texts of JSON, and whether Ansible is told not to evaluate them.
    private func texts(in value: Any) -> [(text: String, isUnsafe: Bool)] {
        switch value {
        case let text as String: [(text, false)]
        case let values as [Any]: values.flatMap(texts)
        case let object as [String: Any]:
            if object.count == 1, let text = object["__ansible_unsafe"] as? String {
                [(text, true)]
            } else {
                object.flatMap { [($0, false)] + texts(in: $1) }
            }
        default: []
        }
    }

    @Test(arguments: [AnsibleInventory.Query.list, nil])
    func `Ansible is told to evaluate no text of the network`(query: AnsibleInventory.Query?) throws
    {
        let peers = HostilePeers(seed: 5, count: 200)
        let options = ExportOptions(format: .ansible, query: query)
        let export = Export(of: peers.sections, in: BrowsedDomain(), ListOptions(), options)
        let found = texts(in: try JSONSerialization.jsonObject(with: Data(export.text.utf8)))
        let marked = Set(found.filter(\.isUnsafe).map(\.text))
        let others = found.filter { !$0.isUnsafe }.map(\.text)
        #expect(marked.contains { $0.hasPrefix("#jinja2:v") && $0.contains("touch pwned") })
        #expect(marked.contains { $0.hasPrefix("{{") })
        let evaluated = others.filter { text in
            text.utf8.starts(with: "#jinja2:".utf8) || text.utf8.contains(UInt8(ascii: "{"))
                || text.utf8.starts(with: "__ansible".utf8)
        }
        #expect(evaluated.isEmpty)
    }

    @Test(arguments: [ExportFormat.hosts, .sshConfig, .csv])
    func `invisible characters are escaped, and complete emoji sequences are not`(
        format: ExportFormat
    ) {
        var nas = peer("nas.local", ["10.0.0.1"], [("_http._tcp", 80)])
        nas.name = "\u{3164}a\u{115F}\u{FFA0}\u{34F}\u{17B4}\u{180B}\u{FE0F}\u{E0041}"
        nas.services[0].txt = TXTRecord(strings: [Array("b=\u{1160}\u{E0100}c".utf8)])
        let text = export([nas], format).text
        let name = #"\u{3164}a\u{115f}\u{ffa0}\u{34f}\u{17b4}\u{180b}\u{fe0f}\u{e0041}"#
        #expect(text.contains(name))
        #expect(!text.unicodeScalars.contains { $0.properties.isDefaultIgnorableCodePoint })
        if format == .csv { #expect(text.contains(#"\u1160\udb40\udd00c"#)) }
        nas.name = "🖨️ 👩‍👩‍👧"
        #expect(export([nas], format).text.contains("🖨️ 👩‍👩‍👧"))
    }

    @Test func `an address at which clouds keep credentials is not exported`() {
        let peers = [peer("a.local", ["169.254.169.254", "169.254.1.2"], [("_http._tcp", 80)])]
        for format in [ExportFormat.hosts, .sshConfig, .ansible, .prometheus] {
            let text = export(peers, format).text
            #expect(text.contains("169.254.1.2") && !text.contains("169.254.169.254"))
        }
    }

    @Test(arguments: ExportFormat.allCases)
    func `a host name outside of the browsed domain is in no export, whatever its services say`(
        format: ExportFormat
    ) {
        var stranger = peer("github.com", ["10.0.0.66"], [("_ssh._tcp", 22)], id: "Front Desk")
        stranger.services[0].domain = "com"
        stranger.identity = Identity(source: .announced, value: "x")
        let export = export([stranger, peer("nas.local", ["10.0.0.1"])], format)
        #expect(!export.text.contains("github.com"))
        #expect(export.text.contains("nas.local") || format == .prometheus)
        // The other formats have the device without the name.
        let isNamed = [.hosts, .sshConfig, .ansible].contains(format)
        #expect(export.text.contains("10.0.0.66") == !isNamed)
        let reason =
            isNamed
            ? "with a host name outside of the domain that was browsed"
            : "the host name, which is outside of the domain that was browsed"
        #expect(export.notices == ["left out, \(reason): 'Front Desk'"])
    }

    @Test
    func `with another domain browsed, the names in it are exported, and those in local are not`() {
        let peers = [
            peer("nas.example.org", ["10.0.0.1"]), peer("nas.local", ["10.0.0.2"]),
            peer("nas.example.org.evil", ["10.0.0.3"]), peer("nasexample.org", ["10.0.0.4"]),
            peer("example.org", ["10.0.0.5"]),
        ]
        let hosts = export(peers, .hosts, in: BrowsedDomain("Example.org."))
        #expect(hosts.text.hasSuffix("'.\n10.0.0.1\tnas.example.org\t# nas.example.org\n"))
        #expect(hosts.notices.count == 1)
    }

    @Test func `a notice names three devices of a reason and counts the rest`() {
        let peers = (1...9).map {
            peer(nil, [], id: "peer \($0)\n\(String(repeating: "x", count: 200))")
        }
        let notice = export(peers, .hosts).notices
        #expect(notice.count == 1)
        #expect(notice[0].hasPrefix("left out, without a host name yet: 'peer 1\\u{a}xxx"))
        #expect(notice[0].hasSuffix("...' and 6 more"))
        #expect(notice[0].utf8.count < 400)
    }

    @Test func `types and kinds select services and devices, also of a list grouped by type`() {
        var nas = peer("nas.local", ["10.0.0.1"], [("_http._tcp", 80), ("_ssh._tcp", 22)])
        nas.kind = .nas
        let tv = peer("tv.local", ["10.0.0.2"], [("_http._tcp", 80)])
        #expect(export([nas, tv], .json, types: ["_ssh._tcp"]).text.contains("tv.local") == false)
        #expect(export([nas, tv], .json, types: ["_ssh._tcp"]).text.contains("_http") == false)
        #expect(export([nas, tv], .csv, kinds: [.nas]).text.split(separator: "\r\n").count == 3)
        // The rows of the services of a device become one device again.
        let hosts = export([nas, tv], .hosts, grouping: .type).text.split(separator: "\n")
        #expect(
            Set(hosts.dropFirst()) == [
                "10.0.0.1\tnas.local\t# nas.local, NAS", "10.0.0.2\ttv.local\t# tv.local",
            ])
        #expect(hosts.count == 3)
        #expect(
            export([nas, tv], .csv, grouping: .type).text.split(separator: "\r\n").count == 4)
        #expect(
            export([nas, tv], .csv, kinds: [.nas], grouping: .type).text
                .split(separator: "\r\n").count == 3)
    }

    @Test func `an export of the network has no time of its own`() {
        func devices(at seconds: Double, knownSince first: Double?) -> [Peer] {
            ["nas.local", "tv.local"].map { host in
                var peer = peer(host, ["10.0.0.1"], [("_http._tcp", 80), ("_ssh._tcp", 22)])
                (peer.firstSeen, peer.lastSeen) = (House.time(seconds), House.time(seconds + 1))
                peer.firstEverSeen = first.map(House.time)
                return peer
            }
        }
        for format in ExportFormat.allCases {
            let text = export(devices(at: 100, knownSince: 7), format).text
            #expect(text == export(devices(at: 200, knownSince: 7), format).text)
        }
        // In the rows of both services.
        let csv = export(devices(at: 100, knownSince: 7), .csv).text
        #expect(csv.split(separator: "present,2026-11-21T08:30:07.000000Z,,").count == 5)
        let json = export(devices(at: 100, knownSince: 7), .json).text
        #expect(json.contains(#"}],"firstSeen":"2026-11-21T08:30:07.000000Z"}"#))
        // Without a ledger no first time is known.
        #expect(export(devices(at: 100, knownSince: nil), .csv).text.contains(",present,,,"))
        #expect(!export(devices(at: 100, knownSince: nil), .json).text.contains("Seen"))
    }

    @Test func `a device that does not answer is exported with its last sign of life`() {
        var silent = peer("nas.local", ["10.0.0.1"], [("_http._tcp", 80)])
        (silent.presence, silent.lastSeen) = (.unanswered, House.time(9))
        #expect(export([silent], .csv).text.contains(",unanswered,,2026-11-21T08:30:09.000000Z,"))
        #expect(
            export([silent], .json).text.contains(#"}],"lastSeen":"2026-11-21T08:30:09.000000Z"}"#))
    }

    @Test func `an empty list is an empty export of each format`() {
        for format in ExportFormat.allCases {
            let export = export([], format)
            #expect(export.notices.isEmpty)
            #expect(export.text.utf8.last == UInt8(ascii: "\n"))
        }
        #expect(export([], .prometheus).text == "[]\n")
    }
}

@Suite(.timeLimit(.minutes(10))) struct ExportedFileTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/peers"
    }

    private func file(interval: Duration = .zero) -> ExportedFile {
        ExportedFile(
            path: path, ListOptions(), ExportOptions(format: .hosts, watched: path),
            interval: interval)
    }

    private func status() -> stat {
        var status = stat()
        unsafe lstat(path, &status)
        return status
    }

    private func send(_ events: [OutputEvent], _ list: [ListSection], to file: ExportedFile) {
        for event in events { file.handle(event, at: House.time(0)) { list } }
    }

    private func change(to list: [ListSection]) -> OutputEvent {
        var script = ListScript()
        let update = script.change(.changed, at: House.time(0), to: list)
        return .updated(update.items, .event(update))
    }

    @Test func `the file is written after the initial fill, and again when its content changes`()
        async throws
    {
        let file = file()
        let (some, all) = (House.devices().shortened, House.devices())
        send([.fill(.running), change(to: some), .tick], some, to: file)
        #expect(status().st_mode == 0, "not yet")
        #expect(file.isBehind)
        send([.fill(.over(House.time(1)))], some, to: file)
        send([.tick], some, to: file)
        #expect(!file.isBehind)
        #expect(try TextFile.read(path).contains("anna.local"))

        let before = status().st_ino
        send([change(to: some), .tick], some, to: file)
        #expect(status().st_ino == before, "the content is the same")
        unsafe chmod(path, 0o640)
        send([change(to: all), .tick], all, to: file)
        #expect(status().st_ino != before)
        #expect(status().st_mode & 0o777 == 0o640)
        #expect(try TextFile.read(path).contains("tv.local"))
        #expect(await file.close(within: .seconds(1)) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["peers"])
        await directory.remove()
    }

    @Test func `a file with the same content is not replaced at the start`() async throws {
        let list = House.devices()
        send([.fill(.over(House.time(1))), .tick], list, to: file())
        let before = status().st_ino
        send([.fill(.over(House.time(1))), .tick], list, to: file())
        #expect(status().st_ino == before)
        await directory.remove()
    }

    @Test func `changes are written at most once in the interval, and at the end`() async throws {
        let file = file(interval: .seconds(3600))
        let (some, all) = (House.devices().shortened, House.devices())
        send([.fill(.over(House.time(1))), .tick], some, to: file)
        send([change(to: all), .tick], all, to: file)
        #expect(file.isBehind)
        #expect(try !TextFile.read(path).contains("tv.local"))
        send([.ended(.interrupted)], all, to: file)
        #expect(try TextFile.read(path).contains("tv.local"))
        await directory.remove()
    }

    @Test func `an end before the initial fill is over is a failure, and the file stays as it is`()
        async throws
    {
        let file = file()
        send([.fill(.running), .tick, .ended(.interrupted)], House.devices(), to: file)
        #expect(status().st_mode == 0)
        #expect(await file.close(within: .seconds(1)) != nil)
        await directory.remove()
    }

    @Test func `a file that cannot be written is tried again`() async throws {
        let file = file()
        let list = House.devices()
        // The directory goes, which stops root too.
        let place = directory.path
        unsafe rename(place, place + ".away")
        send([.fill(.over(House.time(1))), .tick], list, to: file)
        #expect(file.isBehind)
        #expect(await file.close(within: .seconds(1)) != nil)
        unsafe rename(place + ".away", place)
        send([.tick], list, to: file)
        #expect(!file.isBehind)
        #expect(await file.close(within: .seconds(1)) == nil)
        #expect(try TextFile.read(path).contains("tv.local"))
        await directory.remove()
    }

    @Test func `what is no regular file is not replaced`() async throws {
        unsafe mkfifo(path, 0o600)
        #expect(ExportedFile.obstacle(path)?.contains("not a regular file") == true)
        #expect(ExportedFile.obstacle(directory.path) != nil)
        #expect(ExportedFile.obstacle(directory.path + "/none/peers")?.contains("/none") == true)
        #expect(ExportedFile.obstacle(directory.path + "/other") == nil)
        await directory.remove()
    }
}

extension [ListSection] {
    /// The list with the first device of each section only.
    fileprivate var shortened: [ListSection] {
        map { section in
            ListSection(id: section.id, items: section.items.prefix(1).map { $0 })
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct ExportCommandTests {
    private let folder: RecordingFolder

    init() throws { folder = try RecordingFolder() }

    private func export(_ words: String...) async throws -> FinishedProcess {
        try await FinishedProcess(
            [BuiltProducts.peerlist, "export"] + words,
            environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC"])
    }

    @Test(arguments: ExportFormat.allCases)
    func `a recording is exported as of a time`(format: ExportFormat) async throws {
        let path = try folder.file("monday.jsonl", House.lines())
        let types = ["-t", "http,ipp,googlecast,ssh"]
        let finished = try await FinishedProcess(
            [BuiltProducts.peerlist, "export", "-f", format.rawValue, "--at", "08:31", path]
                + types, environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC"])
        #expect(finished.status == 0)
        #expect(finished.errors.isEmpty)
        try expectCommitted(finished.output + "\n", "export-\(format.rawValue).txt")
    }

    @Test func `the list of a moment has its devices`() async throws {
        let path = try folder.file("monday.jsonl", House.lines())
        let early = try await export("-f", "hosts", "--at", "08:30:00.1", path)
        #expect(early.output.contains("anna.local") && !early.output.contains("tv.local"))
        let late = try await export("-f", "hosts", "--at", "2030-01-01T00:00", path)
        #expect(late.status == 0)
        #expect(
            late.errors
                == "peerlist: \(path) ends before --at, at 2026-11-21 08:35:00 local time\n")
        let end = try await export("-f", "hosts", path)
        #expect(late.output == end.output && end.errors.isEmpty)
        #expect(end.output.contains("anna.local") && !end.output.contains("brn30055c.local"))
    }

    @Test func `nothing to export gives status 1, but not to Ansible`() async throws {
        let path = try folder.file("monday.jsonl", House.lines())
        let none = try await export("-f", "hosts", "-t", "smb", path)
        #expect(none.status == 1)
        #expect(none.errors.contains("no such device"))
        let list = try await export("-f", "ansible", "--list", "-t", "smb", path)
        #expect(list.status == 0)
        #expect(list.output == #"{"_meta":{"hostvars":{}},"all":{"hosts":[]}}"#)
        let host = try await export("-f", "ansible", "--host", "nobody.local", path)
        #expect(host.status == 0)
        #expect(host.output == "{}")
    }

    @Test func `a recording that cannot be read gives status 3`() async throws {
        #expect(try await export("-f", "csv", folder.path + "none").status == 3)
        let lines = House.lines()
        let torn = try folder.file("torn", lines[..<3] + ["rubbish"] + lines[3...])
        let finished = try await export("-f", "csv", torn)
        #expect(finished.status == 3)
        #expect(finished.output.isEmpty)
    }

    @Test func `kinds are refused for a recording that does not tell them`() async throws {
        let path = try folder.file("types.jsonl", House.lines(.type))
        #expect(try await export("-f", "hosts", path).output.contains("tv.local") == false)
        let refused = try await export("-f", "hosts", "--kind", "tv", path)
        #expect(refused.status == 3)
        #expect(refused.errors.contains("leave out --kind"))
    }

    @Test(arguments: [nil, "example.org"])
    func `names of a recording are checked against the domain in its header`(domain: String?)
        async throws
    {
        var header = House.header(.device)
        header.filter.domain = domain
        let peers = ["a.local", "b.example.org", "github.com"].map { host in
            // A version that kept services of other domains recorded these.
            let service = ServiceKey(name: host, type: "_ssh._tcp", domain: "com")
            return Peer(
                id: Identity.uuid(forName: host), name: host, host: host, presence: .present,
                identity: Identity(source: .hostName, value: host), addresses: ["10.0.0.1"],
                services: [
                    Service(
                        id: service.id, name: host, type: service.type, domain: service.domain,
                        port: 22)
                ], firstSeen: House.time(0), lastSeen: House.time(0))
        }
        var encoder = LineEncoder()
        let begin = encoder.begin(header, sections: peers.sections(.device), at: House.time(0))
        let path = try folder.file("old", text: String(decoding: begin, as: UTF8.self))
        let hosts = try await export("-f", "ssh-config", path)
        #expect(hosts.status == 0)
        let names = hosts.output.split(separator: "\n").filter { $0.hasPrefix("Host ") }
        #expect(names == [domain == nil ? "Host a.local" : "Host b.example.org"])
        #expect(hosts.errors.contains("outside of the domain that was browsed: "))
    }

    @Test func `a hostile recording is exported with notices`() async throws {
        var encoder = LineEncoder()
        let peers = HostilePeers(seed: 9, count: 50)
        let begin = encoder.begin(
            House.header(.device), sections: peers.sections, at: House.time(0))
        let path = try folder.file("hostile", text: String(decoding: begin, as: UTF8.self))
        for format in ExportFormat.allCases {
            let finished = try await export("-f", format.rawValue, "-t", "http,ssh", path)
            #expect(finished.status == 0)
            #expect(finished.errors.split(separator: "\n").count <= 8)
            #expect(finished.errors.utf8.count < 4_000)
            #expect(
                finished.errors.unicodeScalars.allSatisfy {
                    $0 == "\n" || $0.properties.generalCategory != .control
                })
        }
    }
}
