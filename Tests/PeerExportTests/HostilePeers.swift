// Devices with names that try to break out of the formats of other programs.
import FoundationEssentials
import LabSupport
import PeerModel
import PeerListTestSupport
import Testing
import TestSupport

/// Random devices, of which the hosts and addresses that may be exported are known.
struct HostilePeers {
    private(set) var peers: [Peer] = []
    /// The usable addresses of the devices, those without scope first, by identifier.
    private(set) var addresses: [UUID: [String]] = [:]
    /// The devices to be exported under their host names, in order.
    private(set) var named: [(name: String, peer: Peer)] = []

    private var random: SeededGenerator

    init(seed: UInt64, count: Int) {
        random = SeededGenerator(seed: seed)
        for number in 1...count { add(number) }
        peers = peers.sections(.device).flatMap(\.items).map(\.peer)
        var names: Set<String> = []
        for peer in peers {
            guard let host = peer.host, Self.safeHosts.contains(host),
                addresses[peer.id]?.isEmpty == false, names.insert(host.lowercased()).inserted
            else { continue }
            named.append((host, peer))
        }
    }

    /// The list of the devices.
    var sections: [ListSection] { peers.sections(.device) }

    static let safeHosts =
        (1...40).map { "h\($0).local" } + [
            "NAS.local", "nas.local", "a_b.local", "10.local", "0x7f000001.local", "x.y.local",
            "localhost.local", "h1.lan.local", "all.local", "kind_nas.local", "ungrouped.local",
        ] + words.map { $0 + ".local" }

    private static let hostileHosts =
        texts + texts.filter { !words.contains($0) }.map { $0 + ".local" } + [
            "localhost", "www.example.org", "-x.local", "a b.local", "*.local", "!a.local",
            "h[1:3].local", "a..local", ".local", "a.local.", "local", "é.local", "a%h.local",
            "a,b.local", "a:22", String(repeating: "a", count: 64) + ".local",
            String(repeating: "a.", count: 200) + "local", "all", "_meta", "10.0.0.1",
        ]

    private static let hostileAddresses = [
        "127.0.0.1", "127.1.2.3", "::1", "::", "0.0.0.0", "224.0.0.251", "ff02::fb", "fe80::1",
        "::ffff:127.0.0.1", "255.255.255.255", "10.0.0.1 evil.example", "10.0.0.1\nProxyCommand x",
        "10.0.0.1\u{0}", "fe80::1%eth0 x", "fe80::1%e/x", "-1", "", "$(touch pwned)",
    ]

    /// Words that mean something else to a format, although they are host names.
    private static let words = ["null", "instance", "ansible_host"]

    /// Texts with the special characters of each format.
    static let texts: [String] =
        words + [
            "", "-oProxyCommand=touch pwned", "x\nHost *\n  ProxyCommand touch pwned\n",
            "x\r\n10.6.6.6 bank.example\r\n", "\"", "\"\"", "'", "\\", "\\\"", "a,b;c\td", "a\rb",
            "=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "\t=1",
            "x;=1+1", ";\u{301}@x", "x;\"\"=1", "\"-1", "＝1+1", "x;＋1", "－1", "＠x", "a\u{200D}b",
            "{{ lookup('pipe', 'touch pwned') }}",
            "{% for x in lookup('pipe', 'touch pwned') %}{% endfor %}", "{# x", "{\u{301}{ 1 }}",
            "{\u{301}% x %}",
            "#jinja2:variable_start_string:'<<',variable_end_string:'>>'\n"
                + "<< lookup('pipe', 'touch pwned') >>", "#jinja2:\u{301}", "{", "{ {", "}}",
            "${HOME}", "$(touch pwned)", "`touch pwned`",
            "</script>", "# x", "\u{0}", "a\u{0}b", "\u{1b}[2J\u{9b}31m", "\u{202e}gnp",
            "\u{85}\u{2028}\u{2029}",
            "\"\u{301},\"\u{301}", "🖨\u{FE0F}", "\u{FFFE}\u{FFFF}\u{1FFFF}", "\u{FEFF}x", "\u{7f}",
            "!vault x", "!!python/object/apply:os.system [touch pwned]", "*x", "&x", "%p %h",
            "- x", "? x", "x: y", "[x]", "__ansible_vault", "__ansible_unsafe",
            "__ansible_\u{301}x", "__meta_peerlist_id", "__address__",
        ]

    private static let long = String(repeating: "long ", count: 20_000)

    private mutating func text() -> String {
        isChosen(400) ? Self.long : Self.texts.randomElement(using: &random) ?? ""
    }

    private mutating func isChosen(_ parts: Int) -> Bool {
        Int.random(in: 1...parts, using: &random) == 1
    }

    private mutating func add(_ number: Int) {
        let hosts = isChosen(3) ? Self.hostileHosts : Self.safeHosts
        let usable =
            (isChosen(6) ? [] : ["10.0.\(number / 200).\(number % 200 + 1)"])
            + (isChosen(2) ? ["fd00::\(number)"] : [])
        let scoped = isChosen(2) ? ["fe80::\(number)%eth0"] : []
        let unusable = isChosen(2) ? Self.hostileAddresses.shuffled(using: &random).prefix(3) : []
        let id = Identity.uuid(forName: "hostile \(number)")
        var peer = Peer(
            id: id, name: text(), host: isChosen(20) ? nil : hosts.randomElement(using: &random),
            presence: .present, identity: Identity(source: .hostName, value: text()),
            addresses: Array(unusable) + scoped + usable, interfaces: ["eth0"],
            firstSeen: House.time(0), lastSeen: House.time(1))
        peer.services = (0..<Int.random(in: 0...4, using: &random)).map { service(number, $0) }
        peer.label = isChosen(4) ? text() : nil
        (peer.maker, peer.model) = (isChosen(2) ? text() : nil, isChosen(2) ? text() : nil)
        peer.kind = isChosen(2) ? DeviceKind.allCases.randomElement(using: &random) : nil
        addresses[id] = usable + scoped
        peers.append(peer)
    }

    private mutating func service(_ peer: Int, _ number: Int) -> Service {
        let types = ["_ssh._tcp", "_sftp-ssh._tcp", "_http._tcp", "_a-b._udp", "_\(text())._tcp"]
        let txt = (0..<Int.random(in: 0...6, using: &random)).map { _ -> TXTRecord.Pair in
            let value: TXTRecord.Value =
                isChosen(8) ? .bytes([0xFF, 0x0A]) : isChosen(8) ? .none : .text(text())
            return TXTRecord.Pair(key: text(), value: value)
        }
        return Service(
            id: Identity.uuid(forName: "hostile \(peer) \(number)"), name: text(),
            type: types.randomElement(using: &random) ?? "", domain: "local",
            port: [nil, 0, 22, 2222, 65_535].randomElement(using: &random) ?? nil,
            txt: TXTRecord(txt))
    }
}
