// Tests of what is printed of a chosen row, with hostile names, and of the choice without asking.
import FoundationEssentials
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerScreen

@Suite struct PickedRowTests {
    private typealias Part = PickOptions.Part

    private static let named: @Sendable (String) async -> Set<String> = { _ in
        ["10.0.0.4", "fe80::4"]
    }
    private static let unnamed: @Sendable (String) async -> Set<String> = { _ in [] }

    /// Returns the row of a device, or of a service of it.
    private func row(_ peer: Peer, service: Int? = nil) throws -> PickedRow {
        let network = Network(.device, [peer])
        let row = service.map { RowID.service(peer.services[$0].id, of: peer.id) }
        return try #require(PickedRow(row ?? .device(peer.id), in: network.seen))
    }

    private func nas(
        _ services: String..., host: String? = "nas.local", addresses: [String] = ["10.0.0.4"],
        port: UInt16 = 8022
    ) -> Peer {
        var peer = device("nas", services.first ?? "ssh", txt: ["path=/files"])
        for service in services.dropFirst() {
            peer.services += device("nas", service).services
        }
        (peer.host, peer.addresses) = (host, addresses)
        peer.services[0].port = port
        return peer
    }

    @Test(arguments: [
        (nil, "nas.local", "10.0.0.4"), (Part.host, "nas.local", "nas.local"),
        (.address, "10.0.0.4", "10.0.0.4"), (.target, "nas.local:8022", "10.0.0.4:8022"),
        (.url, "ssh://nas.local:8022", "ssh://10.0.0.4:8022"),
    ])
    func `a host is named where its name is resolved, else it is given by an address`(
        part: PickOptions.Part?, resolved: String, unresolved: String
    ) async throws {
        let row = try row(nas())
        #expect(await row.text(part, resolving: Self.named) == resolved)
        #expect(await row.text(part, resolving: Self.unnamed) == unresolved)
    }

    @Test func `a name that leads to another machine is not used`() async throws {
        let row = try row(nas())
        #expect(await row.text(nil) { _ in ["192.0.2.1"] } == "10.0.0.4")
    }

    @Test func `a name outside of the browsed domain is neither looked up nor printed`()
        async throws
    {
        let row = try row(nas(host: "github.com"))
        for part in [nil, Part.target, .url] {
            let text = await row.text(part) { name in
                Issue.record("\(name) is looked up")
                return ["10.0.0.4"]
            }
            #expect(text?.contains("10.0.0.4") == true)
        }
        #expect(await row.text(.host) == nil)
        #expect(
            row.fault(printing: .host)
                == "the host name of nas is outside of the domain that was browsed: 'github.com'")
    }

    @Test func `scopes do not matter for the comparison of addresses`() async throws {
        let row = try row(nas(addresses: ["fe80::4%eth0"]))
        #expect(await row.text(nil, resolving: Self.named) == "nas.local")
        #expect(await row.text(.target, resolving: Self.unnamed) == "[fe80::4%eth0]:8022")
    }

    private static let fault = "nas: ssh takes no IPv6 address in a URL; use --print address"

    @Test(
        arguments: [
            (
                ["fd00::4", "fe80::4%eth0", "10.0.0.4"], "ssh://nas.local:8022",
                "ssh://10.0.0.4:8022"
            ),
            (["fd00::4", "fe80::4%eth0"], "ssh://nas.local:8022", nil), (["fd00::9"], nil, nil),
        ] as [([String], String?, String?)])
    func `the URL of SSH has no IPv6 address`(
        addresses: [String], resolved: String?, unresolved: String?
    ) async throws {
        let row = try row(nas(addresses: addresses))
        for (text, expected) in [
            (await row.text(.url, resolving: Self.named), resolved),
            (await row.text(.url, resolving: Self.unnamed), unresolved),
        ] {
            #expect(text == expected)
            guard let text else { continue }
            let ssh = try await FinishedProcess(["ssh", "-F", "none", "-G", text])
            #expect(ssh.status == 0, "\(ssh.errors)")
            #expect(ssh.output.contains("\nport 8022"))
        }
        #expect(row.fault(printing: .url) == nil, "the name may be known")
        #expect(
            (row.fault(printing: .url, isNameKnown: false) == Self.fault) == (unresolved == nil))
        let nameless = try self.row(nas(host: nil, addresses: addresses))
        #expect((nameless.fault(printing: .url) == Self.fault) == (unresolved == nil))
        let page = try self.row(nas("http", host: nil, addresses: ["fd00::4"]))
        #expect(await page.text(.url) == "http://[fd00::4]:8022/files")
    }

    @Test(arguments: [
        ("smb", "smb://nas.local:8022/"), ("rfb", "vnc://nas.local:8022/"),
        ("sftp-ssh", "sftp://nas.local:8022/files"), ("ipp", "ipp://nas.local:8022/"),
    ])
    func `shared files, screens and printers have URLs`(type: String, url: String) async throws {
        #expect(try await row(nas(type)).text(.url, resolving: Self.named) == url)
    }

    @Test func `the first service of a device in the list has the URL, SFTP before SSH`()
        async throws
    {
        let peer = nas("sftp-ssh", "ssh")
        #expect(
            try await row(peer).text(.url, resolving: Self.named) == "sftp://nas.local:8022/files")
        #expect(
            try await row(peer, service: 1).text(.url, resolving: Self.named)
                == "ssh://nas.local:80")
    }

    @Test(arguments: ["10.0.0.9", "10.9", "167772169", "0xA000009", "nas.0x1", "10.0.0.9."])
    func `a host name that programs read as an address is not printed`(host: String) async throws {
        for addresses in [[], ["10.0.0.4"]] {
            let row = try row(nas(host: host, addresses: addresses))
            for part: PickOptions.Part? in [nil, .host, .address] {
                let text = await row.text(part) { [$0] }
                #expect(text == (part == .host ? nil : addresses.first))
            }
        }
    }

    @Test func `a service decides the port and the URL, a device the first that has one`()
        async throws
    {
        var peer = nas("airplay", "http", "ssh")
        peer.services[1].port = 5000
        peer.services[2].port = 22
        func texts(_ service: Int?) async throws -> [String?] {
            let row = try row(peer, service: service)
            return [
                await row.text(.target, resolving: Self.named),
                await row.text(.url, resolving: Self.named),
            ]
        }
        #expect(try await texts(nil) == ["nas.local:8022", "http://nas.local:5000/"])
        #expect(try await texts(1) == ["nas.local:5000", "http://nas.local:5000/"])
        #expect(try await texts(2) == ["nas.local:22", "ssh://nas.local"])
        #expect(try row(peer, service: 1).fault(printing: .url) == nil)
    }

    @Test func `the identifier and the JSON are those of the lines`() async throws {
        let peer = nas()
        let device = try row(peer)
        #expect(await device.text(.id) == peer.id.uuidString.lowercased())
        #expect(await device.text(.json) == ListItem.peer(peer).json)
        let service = try row(peer, service: 0)
        #expect(await service.text(.id) == peer.services[0].id.uuidString.lowercased())
        #expect(await service.text(.json) == ListItem.service(peer.services[0], of: peer).json)
    }

    static let hostileNames = [
        "-oProxyCommand=reboot", "--", "nas.local -v", "nas;reboot", "$(reboot)", "`reboot`",
        "nas\n.local", "nas\u{1b}[2J", "a'b", "a\"b", "nas@evil.example", "~", "*", "naß.local", "",
        String(repeating: "a", count: 10 << 10),
    ]

    @Test(arguments: hostileNames)
    func `an unsafe host name is never printed, and an address takes its place`(
        host: String
    ) async throws {
        let safe = try row(nas(host: host))
        for part: Part? in [nil, .address] {
            #expect(await safe.text(part, resolving: Self.named) == "10.0.0.4")
        }
        #expect(await safe.text(.host, resolving: Self.named) == nil)
        #expect(safe.fault(printing: .host)?.hasPrefix("the host name of nas is not safe") == true)
        let unsafe = try row(nas(host: host, addresses: ["-v", "10.0.0.4 -v", "fe80::1%-v"]))
        for part in [nil, .host, .address, .target, .url] as [Part?] {
            #expect(await unsafe.text(part, resolving: Self.named) == nil)
            #expect(unsafe.fault(printing: part) != nil)
        }
    }

    @Test(arguments: hostileNames)
    func `what a device calls itself does not start an option, or a line`(
        name: String
    ) async throws {
        var peer = nas("http:x")
        (peer.name, peer.services[0].name) = (name, name)
        peer.services[0].txt = TXTRecord(strings: [Array("path=\(name.prefix(100))".utf8)])
        let row = try row(peer, service: 0)
        for part in [nil] + Part.allCases {
            guard let text = await row.text(part, resolving: Self.named) else {
                #expect(row.fault(printing: part) != nil)
                continue
            }
            #expect(!text.hasPrefix("-"))
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        }
    }

    @Test(arguments: [
        (Part.host, "nas has no host name"), (.address, "nas has no address"),
        (.target, "nas has no host name"), (.url, "nas has no host name"), (nil, "nas has no host"),
    ])
    func `what is missing is named`(part: PickOptions.Part?, message: String) throws {
        let fault = try row(nas(host: nil, addresses: [])).fault(printing: part)
        #expect(fault?.hasPrefix(message) == true, "\(fault ?? "")")
    }

    @Test func `a service without a port has no target, and one without a page no URL`() throws {
        #expect(try row(nas(port: 0)).fault(printing: .target) == "nas has no port")
        #expect(try row(nas(port: 0)).fault(printing: .url) == "nas has no URL")
        #expect(try row(nas("airplay")).fault(printing: .url) == "nas has no URL")
    }

    @Test func `the devices that match are counted, and the first match is the choice`() throws {
        var peers = [nas("ssh", "http"), device("tv", "airplay"), device("tv 2", "airplay")]
        peers[0].services[1].name = "Archive"
        let sections = peers.sections(.device)
        func matches(_ query: String) -> (Int, String?) {
            let found = PickedRow.matches(query, in: sections, of: BrowsedDomain())
            return (found.count, found.first?.name)
        }
        #expect(matches("") == (3, "nas"))
        #expect(matches("TV") == (1, "tv"))
        #expect(matches("tv local") == (2, "tv"))
        #expect(matches("tv 2") == (1, "tv 2"))
        #expect(matches("TV.local") == (1, "tv"))
        #expect(matches(String(peers[2].id.uuidString.prefix(8))) == (1, "tv 2"))
        #expect(matches(String(peers[2].id.uuidString.prefix(7))) == (0, nil))
        #expect(matches("nas") == (1, "nas"))
        #expect(matches("archive") == (1, "Archive"))
        #expect(matches("printer") == (0, nil))
        #expect(PickedRow.matches("", in: [], of: BrowsedDomain()).count == 0)
    }
}
