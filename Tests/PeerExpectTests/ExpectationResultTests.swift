// Tests of the forms of a result, and of the files that are written.
import FoundationEssentials
import PeerExpect
import PeerModel
import PeerListTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ExpectationResultTests {
    private static let text = """
        [device nas]
        [device "tv" & <co>]
        id = e3248000-80ce-11db-8000-30055cabcdef
        [devices printers]
        type = ipp
        count = 1
        [network]
        newcomers = report
        """

    private func result(_ peers: [Peer], _ text: String = text) -> ExpectationResult {
        let (file, errors) = ExpectationFile.parse(Array(text.utf8))
        #expect(errors == [])
        return ExpectationResult(file, of: peers.sections(.device), at: House.time(0))
    }

    private let peers = [
        device("nas-2", "http", address: "10.0.0.5"), device("printer", "ipp"),
        device("a|b", "ssh", address: "10.0.0.9"),
    ]

    @Test func `a plug-in has its state and figures in the first line`() {
        #expect(
            result(peers).text(.plugin) == """
                PEERLIST CRITICAL - 2 missing, 2 unexpected | present=3
                missing: '"tv" & <co>' is missing
                missing: 'nas' is missing; 'nas' is there as 'nas-2'
                unexpected: 'a/b' (a/b.local, 10.0.0.9) is not expected
                unexpected: 'nas-2' (nas-2.local, 10.0.0.5) is not expected

                """)
        let good = result([device("nas", "http")], "[device nas]").text(.plugin)
        #expect(good == "PEERLIST OK - all as expected | present=1\n")
    }

    @Test func `the devices that a section of one device is about are listed if they are several`()
        throws
    {
        var other = device("tv-2", "googlecast", address: "10.0.0.7")
        other.label = "TV"
        let twins = [device("tv", "googlecast", address: "10.0.0.6"), other]
        let ambiguous = result(twins, "[device tv]")
        #expect(
            ambiguous.text(.plugin) == """
                PEERLIST OK - all as expected | present=2
                several: 'tv' is 2 devices: 'TV' (tv-2.local, 10.0.0.7) and 'tv' (tv.local, 10.0.0.6); \
                write the ID of one

                """)
        let json = ambiguous.text(.json)
        let ids = twins.map { $0.id.uuidString.lowercased() }
        let devices =
            #""devices":[{"id":"\#(ids[1])","name":"TV"},{"id":"\#(ids[0])","name":"tv"}]"#
        #expect(json.contains(#""met":true,"known":true,"count":2,\#(devices)"#))
        let verdict = try schemaVerdict(json, of: "expect")
        #expect(verdict.isGood, "\(verdict.text)")

        for clear in ["[devices tv]\nname = tv\ncount = 1..", "[device tv]\nhost = tv"] {
            #expect(!result(twins, clear).text(.plugin).contains("several"))
            #expect(!result(twins, clear).text(.json).contains("devices\":[{"))
        }
    }

    @Test func `a device that does not answer is not there`() {
        var silent = device("nas", "http")
        silent.presence = .unanswered
        #expect(result([silent], "[device nas]").verdict == .faulty)
    }

    // MARK: What is not known

    /// Returns a device that only some observers of a fleet see, each of which is away or not.
    private func seen(_ name: String, _ presence: Presence, by observers: String...) -> Peer {
        var peer = device(name, "http")
        peer.presence = presence
        peer.views = observers.map { observer in
            PeerView(
                name: ObserverName(site: "home", observer: observer), host: "\(observer).local",
                presence: presence, since: House.time(0))
        }
        return peer
    }

    private func fleet(
        _ text: String, _ peers: [Peer], _ observers: [String: Bool]
    ) -> ExpectationResult {
        let names = observers.map { (ObserverName(site: "home", observer: $0.key), $0.value) }
        return ExpectationResult(
            ExpectationFile.parse(Array(text.utf8)).file, of: peers.sections(.device),
            observers: Dictionary(uniqueKeysWithValues: names), at: House.time(0))
    }

    @Test func `a device that only an observer sees that is away is neither there nor missing`()
        throws
    {
        let result = fleet(
            "[device nas]\n[device tv]",
            [seen("nas", .unknown, by: "h2"), seen("tv", .present, by: "h3")],
            ["h2": false, "h3": true])
        #expect(result.verdict == .unknown)
        #expect(
            result.text(.plugin) == """
                PEERLIST UNKNOWN - 1 not known; 'nas' is not known: observer home/h2 is away | present=1
                unknown: 'nas' is not known: observer home/h2 is away

                """)
        let verdict = try schemaVerdict(result.text(.json), of: "expect")
        #expect(verdict.isGood, "\(verdict.text)")
        #expect(result.text(.json).contains(#""asExpected":false,"present":1,"missing":0,"#))
        #expect(result.text(.json).contains(#"{"name":"nas","met":false,"known":false,"count":0}"#))
        #expect(result.text(.junit).contains(#"failures="0" errors="1""#))
        #expect(result.text(.junit).contains(#"<error type="unknown" message="'nas' is not known"#))
        let metrics = result.text(.prometheus)
        #expect(!metrics.contains("expectation_met{expectation=\"nas\"}"))
        #expect(metrics.contains("expectation_known{expectation=\"nas\"} 0\n"))
        #expect(metrics.contains("expectation_met{expectation=\"tv\"} 1\n"))
    }

    @Test func `a device that another observer sees is there`() {
        var nas = seen("nas", .present, by: "h2", "h3")
        nas.views[0].presence = .unknown
        let result = fleet("[device nas]", [nas], ["h2": false, "h3": true])
        #expect(result.verdict == .asExpected)
    }

    @Test(arguments: [
        "[device nas]", "[device old-tv]\npresent = never",
        "[devices all]\ntype = ssh\ncount = ..3",
        "[device nas]\npresent = sometimes", "[network]\nnewcomers = report",
    ])
    func `nothing is known while all observers are away`(text: String) {
        for peers in [[], [seen("nas", .unknown, by: "h2")], [seen("guest", .unknown, by: "h2")]] {
            let result = fleet(text, peers, ["h2": false])
            #expect(result.verdict == .unknown, "\(result.text(.plugin))")
            #expect(result.text(.plugin).contains("observer home/h2 is away"))
        }
    }

    @Test func `what no observer can see is missing, and nothing else is known without observers`()
    {
        #expect(fleet("[device nas]", [], [:]).verdict == .faulty)
        let absent = fleet("[device old-tv]\npresent = never", [], [:])
        #expect(
            absent.text(.plugin).hasPrefix(
                "PEERLIST UNKNOWN - 1 not known; 'old-tv' is not known: no observer is there |"))
    }

    @Test func `a fault is critical although something else is not known`() {
        let result = fleet(
            "[device nas]\n[device printer]",
            [seen("nas", .unknown, by: "h2"), seen("tv", .present, by: "h3")],
            ["h2": false, "h3": true])
        #expect(result.verdict == .faulty)
        #expect(
            result.text(.plugin).hasPrefix(
                "PEERLIST CRITICAL - 1 missing, 1 not known | present=1\n"))
    }

    @Test
    func
        `a device that should never be there and was seen by an observer that is away is not known`()
    {
        let result = fleet(
            "[device tv]\npresent = never\n[network]\nnewcomers = report",
            [
                seen("tv", .unknown, by: "h2"), seen("guest", .unknown, by: "h2"),
                seen("hub", .present, by: "h3"),
            ],
            ["h2": false, "h3": true])
        #expect(result.faults.map(\.text) == ["'hub' (hub.local) is not expected"])
        #expect(
            result.undecided.map(\.text) == [
                "'tv' is not known: observer home/h2 is away",
                "whether 'guest' (guest.local) is there is not known: observer home/h2 is away",
            ])
    }

    @Test func `of several devices that are one, one has to be as expected in all`() {
        let text = "[device nas]\nname = nas\nservices = smb\nvouched = own"
        func nas(
            _ host: String, _ service: String, _ rule: VouchingRule, _ presence: Presence = .present
        )
            -> Peer
        {
            var peer = device(host, service)
            (peer.name, peer.presence) = ("nas", presence)
            peer.vouchedBy = Vouching(rule, sender: "10.0.0.5", name: nil)
            return peer
        }
        let good = nas("a", "smb", .own)
        #expect(result([good, nas("b", "http", .proxy)], text).verdict == .asExpected)
        #expect(result([nas("a", "smb", .proxy), nas("b", "http", .own)], text).verdict == .faulty)
        let away = nas("a", "smb", .own, .unknown)
        #expect(result([away, nas("b", "http", .own)], text).verdict == .unknown)
        #expect(result([away, good], text).verdict == .asExpected)
    }

    @Test func `who vouches for a device is not known before it was heard`() {
        let text = "[device nas]\nvouched = own"
        var nas = device("nas", "http")
        #expect(result([nas], text).verdict == .unknown)
        nas.vouchedBy = Vouching(.unheard)
        #expect(result([nas], text).verdict == .unknown)
        nas.vouchedBy = Vouching(.own, sender: "10.0.0.5", name: nil)
        #expect(result([nas], text).verdict == .asExpected)
        nas.vouchedBy = Vouching(.proxy, sender: "10.0.0.1", name: nil)
        #expect(result([nas], text).verdict == .faulty)
    }

    @Test(.needs("python3")) func `the JSON conforms to its schema`() throws {
        let lines = result(peers).text(.json) + result([], "[device nas]\nfor = 1m").text(.json)
        let verdict = try schemaVerdict(lines, of: "expect")
        #expect(verdict.isGood, "\(verdict.text)")
        #expect(lines.contains(#""asExpected":false,"present":3,"missing":2,"unexpected":2,"#))
        let wrong = lines.replacing("\"missing\":2", with: "\"missing\":-2")
        #expect(try !schemaVerdict(wrong, of: "expect").isGood)
    }

    @Test func `a JUnit report has a case for each expectation`() {
        let text = result(peers).text(.junit)
        #expect(
            text.contains(#"<testsuite name="peerlist expect" tests="4" failures="3" errors="0""#))
        #expect(text.contains(#"name="&quot;tv&quot; &amp; &lt;co&gt;">"#))
        #expect(text.contains(#"<testcase classname="peerlist.expect" name="printers"/>"#))
        #expect(text.contains(#"name="no unexpected device">"#))
        #expect(text.hasSuffix("</testsuite>\n"))
    }

    @Test func `metrics have a value for each expectation`() {
        let text = result(peers).text(.prometheus)
        #expect(text.contains("peerlist_expectation_met{expectation=\"nas\"} 0\n"))
        #expect(text.contains("peerlist_expectation_met{expectation=\"printers\"} 1\n"))
        #expect(text.contains("peerlist_expectation_met{expectation=\"\\\"tv\\\" & <co>\"} 0\n"))
        #expect(text.contains("peerlist_present_devices 3\n"))
        #expect(text.contains("peerlist_unexpected_devices 2\n"))
    }

    @Test func `a mark on a character does not hide it from a plug-in or a collector`() {
        let marked = result(
            [device("x|\u{301}y", "http")],
            "[device \"\u{301}tv\\\u{301}]\n[network]\nnewcomers = report")
        #expect(marked.text(.plugin).contains("x/\u{301}y"))
        #expect(
            !marked.text(.plugin).split(separator: "\n").dropFirst().contains {
                $0.unicodeScalars.contains("|")
            })
        let label = "expectation=\"\\\"\u{301}tv\\\\\u{301}\""
        #expect(marked.text(.prometheus).utf8.firstRange(of: label.utf8) != nil)
    }

    // MARK: Written files

    @Test func `what is written of a list is met by it`() {
        var phone = device("Anna's [phone] #2", "companion-link")
        phone.kind = .phone
        var hostile = device("x", "http")
        hostile.host = "a #b\u{1B}[2J\n[device y]"
        hostile.name = "\n[network]\nnewcomers = ignore\u{202E}"
        let all = peers + [phone, hostile, device("x", "ssh"), device(" ", "ssh")]
        let written = WrittenExpectations(of: all.sections(.device)).text
        #expect(!written.contains("\u{1B}"))
        #expect(
            written.contains(
                "[device nas-2]\n# 10.0.0.5\n# services = _http._tcp\nhost = nas-2.local\npresent = always\n"
            ))
        #expect(written.contains("[device Anna's -phone- -2]"))
        let judged = result(all, written)
        #expect(judged.faults.map(\.text) == [])
        let without = result(Array(all.dropFirst()), written)
        #expect(without.faults.map(\.expectation) == ["nas-2"])
        #expect(result(all + [device("new", "ssh")], written).verdict == .faulty)
    }

    /// Names as anyone on the network can announce them.
    private static let hostileNames: [String] = [
        "", " ", "\t", "\u{301}", "\u{301}\u{302}", " \u{301}", "a\u{301}", "\u{200B}", "\u{FEFF}",
        "\u{202E}x",
        "]", "[", "[]", "[device x]", "x]", "#", "# x", "x # y", "x#y", "=", "a = b", "id = 1",
        "\n", "\r\n",
        "x\n[network]\nnewcomers = ignore", "\u{0}", "\u{1B}[2J", "\u{7F}", "\u{85}", "\u{2028}",
        "\u{A0}",
        "\u{A0}x", "x\u{3000}", "\u{3164}", "\u{1F468}\u{200D}\u{1F469}", "\u{E000}", "\u{FFFF}",
        "network",
        "..", "'", "\"\\", String(repeating: "\u{1F600}", count: 70),
        String(repeating: "e\u{301}", count: 200),
    ]

    @Test func `devices of one name are told apart, and all their services are named`() {
        let services = (1...9).map { "service-\($0)" }
        let twins = ["a", "b"].map { host in
            var peer = device(host, "http")
            peer.name = "HP"
            peer.services = services.map { type in
                let key = ServiceKey(name: "HP", type: "_\(type)._tcp", domain: "local")
                return Service(
                    id: key.id, name: key.name, type: key.type, domain: "local", port: 80)
            }
            return peer
        }
        let written = WrittenExpectations(of: twins.sections(.device)).text
        #expect(written.contains("[device HP]\n"))
        #expect(
            written.contains(
                "[device HP \(twins.map { $0.id.uuidString.lowercased() }.sorted()[1].prefix(8))]"))
        #expect(
            written.contains(
                "# services = \(services.map { "_\($0)._tcp" }.joined(separator: ", "))\n"))
    }

    @Test func `a file of hostile names is read, and met by their devices`() {
        let peers = Self.hostileNames.enumerated().flatMap { index, name in
            ["", "h\(index)", name].map { host in
                var peer = device("d\(index)-\(host.count)", "http")
                peer.name = name
                peer.host = host.isEmpty ? nil : host == name ? "\(name).local" : "\(host).local"
                return peer
            }
        }
        let distinct = Dictionary(peers.map { ($0.id, $0) }) { first, _ in first }
        let all = distinct.values.filter(\.isResolved)
        let written = WrittenExpectations(of: all.sections(.device))
        #expect(written.count == all.count && written.omittedCount == 0)
        let (_, errors) = ExpectationFile.parse(Array(written.text.utf8))
        #expect(errors == [])
        #expect(result(all, written.text).verdict == .asExpected)
        for line in written.text.split(separator: "\n") { #expect(line.utf8.count < 1_000) }
    }

    @Test
    func
        `a file has no more sections and bytes than are read, and says how many devices are left out`()
    {
        let types = (0..<40).map { "a-type-with-a-name-\($0)" }
        let many = (0..<1_010).map { number in
            var peer = device("device \(number) \(String(repeating: "x", count: 60))", "http")
            peer.services += types.map { type in
                let key = ServiceKey(name: "x", type: "_\(type)._tcp", domain: "local")
                return Service(
                    id: key.id, name: key.name, type: key.type, domain: "local", port: 80)
            }
            return peer
        }
        let written = WrittenExpectations(of: many.sections(.device))
        #expect(written.count + written.omittedCount == many.count)
        #expect(written.omittedCount > 0)
        let bytes = Array(written.text.utf8)
        #expect(bytes.count <= ExpectationFile.sizeLimit)
        #expect(ExpectationFile.parse(bytes).errors == [])
    }
}

@Suite struct ReachExpectationTests {
    /// Returns the result for a device with port 80, given its answers; `nil` if it was not asked.
    private func result(_ text: String, _ answers: [AddressAnswer]?) -> ExpectationResult {
        var nas = Peer.blank
        (nas.name, nas.host, nas.presence) = ("nas", "nas.local", .present)
        nas.identity = Identity(source: .hostName, value: "nas.local")
        nas.services = [
            Service(id: UUID(), name: "nas", type: "_http._tcp", domain: "local", port: 80)
        ]
        let (file, errors) = ExpectationFile.parse(Array("[device nas]\n\(text)".utf8))
        #expect(errors == [])
        let sections = [ListSection(id: "local", items: [.peer(nas)])]
        #expect(file.devicesToAsk(in: sections) == [nas.id])
        return ExpectationResult(
            file, of: sections, answers: answers.map { [nas.id: $0] } ?? [:],
            at: Timestamp(microseconds: 1))
    }

    private func answer(
        _ machine: AddressAnswer.Machine, _ ports: [UInt16: AddressAnswer.Port] = [:]
    ) -> AddressAnswer { AddressAnswer(address: "10.0.0.5", machine: machine, ports: ports) }

    @Test func `a device that has to be reachable answers at an address`() {
        let text = "reachable = yes"
        #expect(result(text, [answer(.nobody), answer(.device(nil))]).verdict == .asExpected)
        let fault = result(text, [answer(.nobody)])
        #expect(fault.verdict == .faulty)
        #expect(
            fault.faults.first?.text.hasPrefix(
                "'nas' does not answer (10.0.0.5: nobody answers at this address)") == true)
        #expect(result(text, [answer(.unknown(secondsAgo: nil))]).verdict == .unknown)
        #expect(result(text, nil).verdict == .unknown)
        #expect(result(text, []).verdict == .faulty, "none of its addresses can work")
    }

    @Test func `a device with a port accepts connections there`() {
        let text = "port = 80"
        #expect(result(text, [answer(.device(nil), [80: .open])]).verdict == .asExpected)
        #expect(result(text, [answer(.device(nil), [80: .closed])]).verdict == .faulty)
        #expect(result(text, [answer(.nobody)]).verdict == .faulty)
        #expect(result(text, [answer(.device(nil))]).verdict == .unknown, "it was not asked")
        let other = result("port = 443", [answer(.device(nil), [80: .open])])
        #expect(other.verdict == .faulty, "it is not announced")
        #expect(other.faults.first?.text.hasPrefix("'nas' does not answer on port 443") == true)
    }

    @Test func `a device is asked only if the file wants to know`() {
        let (file, _) = ExpectationFile.parse(Array("[device nas]\nreachable = no".utf8))
        var nas = Peer.blank
        (nas.name, nas.host, nas.presence) = ("nas", "nas.local", .present)
        nas.identity = Identity(source: .hostName, value: "nas.local")
        #expect(file.devicesToAsk(in: [ListSection(id: "local", items: [.peer(nas)])]).isEmpty)
    }
}
