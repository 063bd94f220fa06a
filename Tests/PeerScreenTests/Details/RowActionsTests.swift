// Tests of the actions of rows, with hostile names and TXT values.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerScreen
@testable import PeerText

@Suite struct RowActionsTests {
    private func actions(
        _ peer: Peer, service: Int? = nil, in domain: BrowsedDomain = BrowsedDomain()
    ) -> RowActions {
        var network = Network(.device, [peer])
        network.seen.domain = domain
        let row = service.map { RowID.service(peer.services[$0].id, of: peer.id) }
        return RowActions(row ?? .device(peer.id), network.seen, ListHistory())
    }

    private func peer(
        _ type: String, host: String? = "nas.local", addresses: [String] = ["10.0.0.4"],
        port: UInt16 = 8080, txt: [String] = []
    ) -> Peer {
        var peer = device("nas", type, txt: txt)
        peer.host = host
        peer.addresses = addresses
        peer.services[0].port = port
        return peer
    }

    private func url(_ peer: Peer) -> String? { actions(peer).links.first?.label }

    /// The words of the commands.
    private func words(_ actions: [RowAction]) -> [[String]] {
        actions.map { action in
            switch action.request {
            case .run(let words, _), .open(let words): words
            default: []
            }
        }
    }

    @Test func `addresses, host, port, TXT values and JSON can be copied`() {
        var peer = peer(
            "http", addresses: ["10.0.0.4", "fe80::1%eth0"], txt: ["path=/x", "lone", "bin=\u{0}"])
        peer.macs = ["00:00:5e:00:53:01"]
        #expect(
            actions(peer).copies.map { "\($0.label): \($0.detail)" } == [
                "Address: 10.0.0.4", "Address: fe80::1%eth0",
                "All addresses: 10.0.0.4 fe80::1%eth0", "MAC address: 00:00:5e:00:53:01",
                "Host: nas.local", "Name: nas", "Web site: nas.local:8080",
                "URL: http://nas.local:8080/x", "URL: http://10.0.0.4:8080/x",
                "ID: \(peer.id.uuidString.lowercased())", "JSON: \(ListItem.peer(peer).json)",
                "TXT path: /x", "TXT bin: ␀",
            ])
        let service = actions(peer, service: 0).copies
        #expect(service.first { $0.label == "JSON" }?.detail == peer.services[0].json)
        #expect(
            service.contains {
                "\($0.label): \($0.detail)" == "ID: \(lowercased(peer.services[0].id))"
            })
        #expect(service.contains { "\($0.label): \($0.detail)" == "URL: http://nas.local:8080/x" })
        peer.label = "Backup"
        #expect(actions(peer).copies.contains { "\($0.label): \($0.detail)" == "Label: Backup" })
    }

    private func lowercased(_ id: UUID) -> String { id.uuidString.lowercased() }

    @Test func `the JSON is the object of the lines`() throws {
        for grouping in Grouping.allCases {
            let lines = House.lines(grouping)
            for step in House.steps(grouping) {
                guard case .update(let update, _) = step else { continue }
                for item in update.items.arrivals.values {
                    #expect(lines.contains { $0.contains(item.json) })
                }
            }
        }
    }

    @Test(arguments: [
        ("http", 80, "path=/admin?a=1&b=2#c", "http://nas.local/admin?a=1&b=2#c"),
        ("http", 8080, "", "http://nas.local:8080/"),
        ("https", 443, "path=index.html", "https://nas.local/index.html"),
        ("ipp", 631, "rp=ipp/print", "ipp://nas.local/ipp/print"),
        ("ipps", 10631, "rp=ipp/print", "ipps://nas.local:10631/ipp/print"),
        ("smb", 445, "path=/x", "smb://nas.local/"), ("smb", 1445, "", "smb://nas.local:1445/"),
        ("rfb", 5900, "", "vnc://nas.local/"), ("rfb", 5901, "", "vnc://nas.local:5901/"),
        ("sftp-ssh", 22, "path=/media/a b", "sftp://nas.local/media/a%20b"),
        ("http", 80, "path=/a b/ü/%41/%", "http://nas.local/a%20b/%C3%BC/%41/%25"),
        ("http", 80, "path=//evil.example/x", "http://nas.local//evil.example/x"),
        ("http", 80, "path=@evil.example", "http://nas.local/@evil.example"),
        (
            "http", 80, "path=$(reboot)`reboot`;'\"|",
            "http://nas.local/%24%28reboot%29%60reboot%60%3B%27%22%7C"
        ),
    ])
    func `a service's URL consists of its host, port and path`(
        type: String, port: Int, txt: String, expected: String
    ) {
        #expect(url(peer(type, port: UInt16(port), txt: [txt])) == expected)
    }

    @Test func `without a host name an address is used, link-local ones last`() {
        let addresses = ["fe80::1%eth0", "fd00::4", "10.0.0.4"]
        #expect(url(peer("http", host: nil, addresses: addresses)) == "http://[fd00::4]:8080/")
        #expect(
            url(peer("http", host: nil, addresses: ["fe80::1%eth0"]))
                == "http://[fe80::1%25eth0]:8080/")
    }

    @Test func `names come before addresses, unless multicast DNS may not resolve them`() {
        func urls(_ host: String, in domain: String? = nil) -> [String] {
            var peer = peer("http", host: host, txt: ["adminurl=http://admin.local/"])
            let key = ServiceKey(name: "second", type: "_https._tcp", domain: "local")
            peer.services.append(
                Service(id: key.id, name: key.name, type: key.type, domain: "local", port: 443))
            return actions(peer, in: BrowsedDomain(domain)).links.map(\.label)
        }
        #expect(
            urls("NAS.Local") == [
                "http://NAS.Local:8080/", "http://admin.local/", "https://NAS.Local/",
                "http://10.0.0.4:8080/", "https://10.0.0.4/",
            ])
        #expect(
            urls("nas.example.org", in: "example.org") == [
                "http://10.0.0.4:8080/", "http://admin.local/", "https://10.0.0.4/",
                "http://nas.example.org:8080/", "https://nas.example.org/",
            ])
    }

    @Test(arguments: ["nas", "github.com"])
    func `a host name outside of the browsed domain is no argument of a command`(host: String) {
        let web = actions(peer("http", host: host))
        #expect(web.links.map(\.label) == ["http://10.0.0.4:8080/"])
        #expect(web.copies.contains { $0.label == "Web site" && $0.detail == "10.0.0.4:8080" })
        #expect(
            words(actions(peer("ssh", host: host)).logins) == [
                ["ssh", "-p", "8080", "--", "10.0.0.4"]
            ])
    }

    @Test(arguments: [
        "-oProxyCommand=reboot", "nas.local -oProxyCommand=reboot", "nas;reboot", "$(reboot)",
        "nas.local/../..", "nas@evil.example", "nas\n.local", "nas\u{1b}[2J", "naß.local", ".local",
        "", "[::1]", "nas:22", "nas%41", String(repeating: "a", count: 254),
    ])
    func `an unsafe host name is replaced by an address`(host: String) {
        #expect(url(peer("http", host: host)) == "http://10.0.0.4:8080/")
        #expect(
            words(actions(peer("ssh", host: host)).logins)
                == [["ssh", "-p", "8080", "--", "10.0.0.4"]])
        #expect(actions(peer("ssh", host: host, addresses: [])).logins.isEmpty)
    }

    @Test(arguments: [
        "-1.2.3.4", "10.0.0.4 -v", "fe80::1", "fe80::1%", "fe80::1%-oX", "fe80::1%a b",
        "fe80::1%$(reboot)", "10.0.0.4\n", "1.2.3", "::1\u{0}",
    ])
    func `an unsafe address is not used`(address: String) {
        #expect(actions(peer("ssh", host: nil, addresses: [address])).logins.isEmpty)
        #expect(url(peer("http", host: nil, addresses: [address])) == nil)
    }

    @Test(arguments: ["path=/a\nb", "path=/\u{1b}[2J", "path=/\u{9b}x", "path=/\u{7f}"])
    func `a path with control characters is rejected`(txt: String) {
        #expect(url(peer("http", txt: [txt])) == nil)
    }

    @Test(arguments: [
        "http://nas.local/admin", "HTTPS://nas.local:8443/x?y=z", "http://10.0.0.4/",
        "http://[fd00::4]:80/",
    ])
    func `an announced page is opened unchanged`(page: String) {
        let scheme = page.prefix { $0 != ":" }
        #expect(
            url(peer("scanner", txt: ["adminurl=\(page)"]))
                == scheme.lowercased() + page.dropFirst(scheme.count))
    }

    @Test(arguments: [
        "file:///etc/passwd", "javascript:alert(1)", "ssh://nas.local/", "-http://nas.local/",
        " http://nas.local/", "http:nas.local", "http:///x", "http://", "http://user@nas.local/",
        "http://nas.local@evil.example/", "http://nas.local:/", "http://nas.local:99999999/",
        "http://nas.local:80:80/", "http://nas local/", "http://nas.local/\nx",
        "http://nas.local/\u{1b}]52;c;x\u{7}", "http://-nas/", "http://[fe80::1%25eth0]/",
        "http://[::1/", "x-apple.systempreferences://a", "http\u{200B}://nas.local/",
    ])
    func `an unsafe announced page is rejected`(page: String) {
        #expect(url(peer("scanner", txt: ["adminurl=\(page)"])) == nil)
    }

    /// Texts with a meaning for a shell, printf(3), options, or URLs.
    private static let hostileTexts = [
        "-", "--", "-oProxyCommand=reboot", "-F/tmp/x", "--help", "--version", "nas -v", " nas",
        "nas\nreboot", "nas\r", "nas\0", "\t", "", "$(reboot)", "`reboot`", "${HOME}", "$IFS",
        "%s%n", "%h", "%C", "%2F..%2F", "nas%0areboot", ";reboot", "|reboot", "&reboot", ">x",
        "'", "\"", "\\", "\\\nx", "*", "~root", "!!", "#", "root@nas", "ssh://-oProxyCommand=x",
        "file:///etc/passwd", "javascript:alert(1)", "http://-x/", "//evil.example", "../..",
        "/etc/passwd", "[::1]", "::1%$(reboot)", "fe80::1%-x", "\u{1b}]0;x\u{7}", "\u{202e}x",
        "\u{2028}", "nas\u{212a}", "\u{ff0d}x", "\u{2010}x", String(repeating: "a", count: 20_000),
    ]

    @Test(arguments: hostileTexts)
    func `hostile texts only become one host, port or URL of a command`(
        text: String
    ) throws {
        let (host, port) = (/[A-Za-z0-9:][A-Za-z0-9._:%@-]*/, /[1-9][0-9]{0,4}/)
        let url =
            /(https?|ipps?|smb|vnc|sftp):\/\/([A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9a-f:.]+(%25[A-Za-z0-9._@-]+)?\])(:[0-9]{1,5})?\/[A-Za-z0-9._~\/?#=&+,:@%-]*/
        let types = ["ssh", "sftp-ssh", "smb", "rfb", "http", "https", "ipp", "ipps", "scanner"]
        for type in types.map({ "_\($0)._tcp" }) + [text] {
            var peer = peer(
                "any", host: text, addresses: [text, "10.0.0.4%\(text)", "fe80::1%\(text)", "::1"],
                txt: ["path", "rp", "adminurl", "u", "p", text].map { "\($0)=\(text)" })
            peer.name = text
            (peer.services[0].name, peer.services[0].type) = (text, type)
            let actions = actions(peer)
            for words in words(actions.logins + actions.links) {
                switch words.first {
                case "ssh":
                    try #require(words.count == 5 && words[1] == "-p" && words[3] == "--")
                    #expect(words[2].wholeMatch(of: port) != nil, "\(words)")
                    #expect(words[4].wholeMatch(of: host) != nil, "\(words)")
                case "xdg-open":
                    try #require(words.count == 2)
                    #expect(words[1].wholeMatch(of: url) != nil, "\(words)")
                default: Issue.record("\(words)")
                }
            }
        }
    }

    @Test func `a URL beyond the limit is rejected`() {
        let path = String(repeating: "a", count: SafeURL.limit)
        #expect(url(peer("http", txt: ["path=/\(path)"])) == nil)
    }

    @Test(arguments: ["http", "ssh"])
    func `a service without a port has no commands`(type: String) {
        for port in [nil, UInt16(0)] {
            var peer = peer(type)
            peer.services[0].port = port
            #expect(actions(peer).links.isEmpty && actions(peer).logins.isEmpty)
            #expect(!actions(peer).copies.contains { $0.detail.hasPrefix("nas.local:") })
        }
    }

    @Test func `only SSH services have login commands`() {
        for type in ["ssh", "sftp-ssh"] {
            #expect(
                words(actions(peer(type, txt: ["u=-oProxyCommand=reboot"])).logins)
                    == [
                        ["ssh", "-p", "8080", "--", "nas.local"],
                        ["ssh", "-p", "8080", "--", "10.0.0.4"],
                    ])
        }
        #expect(actions(peer("telnet")).logins.isEmpty)
    }

    @Test func `control characters in copied texts are escaped`() {
        let copies = actions(peer("http", txt: ["note=a\u{1b}]0;x\u{7}\nrm -rf ~\n"])).copies
        for copy in copies {
            #expect(copy.detail.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        }
    }

    @Test(arguments: [
        "\u{202E}", "\u{2066}", "\u{200E}", "\u{2028}", "\u{2029}", "\u{85}", "\u{200B}",
        "\u{FEFF}", "\u{AD}", "\u{E0041}", "\u{3164}", "\u{115F}", "\u{1160}", "\u{FFA0}",
        "\u{34F}", "\u{17B4}", "\u{17B5}", "\u{180B}", "\u{180F}", "\u{FE00}", "\u{FE0F}",
        "\u{E0100}",
    ])
    func `invisible characters in copied texts are escaped`(hidden: String) throws {
        let peer = peer("http", txt: ["note=ü\(hidden)x"])
        let copies = actions(peer).copies
        for copy in copies {
            #expect(!copy.detail.unicodeScalars.contains { hidden == String($0) })
        }
        let code = String(try #require(hidden.unicodeScalars.first).value, radix: 16)
        #expect(copies.first { $0.label == "TXT note" }?.detail == "ü\\u{\(code)}x")
        var units = ""
        for unit in hidden.utf16 {
            let digits = String(unit, radix: 16)
            units += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        let json = copies.first { $0.label == "JSON" }
        #expect(json?.detail.contains("ü\(units)x") == true)
    }

    @Test func `the number of actions is limited, and the last one states the rest`() {
        var peer = peer("http", addresses: (0..<3_000).map { "10.0.\($0 / 250).\($0 % 250)" })
        peer.services = (0..<1_005).map { number in
            let key = ServiceKey(name: "web \(number)", type: "_http._tcp", domain: "local")
            return Service(
                id: key.id, name: key.name, type: key.type, domain: "local",
                port: UInt16(1_000 + number))
        }
        let details = actions(peer)
        #expect(details.copies.count == RowActions.limit)
        // The addresses, all of them, host, name and identifier, and the endpoint and two URLs of each
        // service.
        let omitted = 3_000 + 1 + 3 + 3 * 1_005 - (RowActions.limit - 1)
        #expect(details.copies.last?.label == "JSON, with \(omitted) more not shown")
        #expect(details.links.count == RowActions.limit)
        #expect(details.links.last?.detail.hasSuffix(" (and 1010 more not shown)") == true)
    }

    @Test func `a departed row can be copied but not opened`() {
        var network = Network(.device, [peer("http")])
        var history = ToldHistory()
        let gone = peer("http")
        history.record(network.change { $0[gone.id]?.isSelf = true })
        history.record(network.change { $0 = [:] })
        let actions = RowActions(.departed(gone.id), network.seen, history.history)
        #expect(actions.copies.first?.detail == "10.0.0.4")
        #expect(actions.copies.last?.label == "JSON")
        #expect(actions.links.isEmpty && actions.logins.isEmpty)
    }
}
