// Tests of the file of expectations: what it says, and its errors.
import FoundationEssentials
import PeerExpect
import PeerModel
import PeerListTestSupport
import TestSupport
import Testing

@Suite struct ExpectationFileTests {
    private func parse(_ text: String) -> (file: ExpectationFile, errors: [String]) {
        let (file, errors) = ExpectationFile.parse(Array(text.utf8))
        return (file, errors.map(\.description))
    }

    private func errors(_ text: String) -> [String] { parse(text).errors }

    @Test func `a file states devices, sets and the network`() throws {
        let (file, errors) = parse(
            """
            # What should be here.
            [device Office printer]          # a name of your own
            id = E3248000-80ce-11db-8000-30055cabcdef
            present = sometimes
            for = 1h30m
            services = ipp, http

            [devices printers]
            kind = printer
            count = 2..4

            [device guest]
            address = 192.0.2.0/24
            present = never
            [network]
            newcomers = report
            for = 30s

            """)
        #expect(errors == [])
        #expect(file.expectations.map(\.name) == ["Office printer", "printers", "guest"])
        #expect(file.expectations.map(\.line) == [2, 8, 12])
        #expect(file.expectations.map(\.isSet) == [false, true, false])
        #expect(file.expectations.map(\.count) == [0...Int.max, 2...4, 0...0])
        #expect(file.expectations.map(\.time) == [.seconds(5_400), .seconds(30), .seconds(30)])
        #expect(file.expectations[0].services == ["_ipp._tcp", "_http._tcp"])
        #expect(file.expectations[1].criteria == [.kind(.printer)])
        #expect(file.reportsNewcomers)
        #expect(file.time == .seconds(30))
    }

    @Test func `without another time, a fault lasts three minutes`() {
        let file = parse("[device nas]\r\n").file
        #expect(file.expectations.map(\.time) == [.seconds(180)])
        #expect(file.expectations.map(\.count) == [1...Int.max])
    }

    @Test(arguments: [
        ("3", 3...3), ("2..4", 2...4), ("2..", 2...Int.max), ("..4", 0...4), (" 0 .. 0 ", 0...0),
    ])
    func `a count is a number or a range`(text: String, range: ClosedRange<Int>) {
        let (file, errors) = parse("[devices all]\nkind = tv\ncount = \(text)")
        #expect(errors == [])
        #expect(file.expectations.map(\.count) == [range])
    }

    @Test(arguments: [
        ("count = 4..2", "'4..2' is not a count; write one such as '3', '2..4', '2..' or '..4'"),
        ("count = many", "'many' is not a count; write one such as '3', '2..4', '2..' or '..4'"),
        ("kind = pritner", "there is no kind of device 'pritner'; did you mean 'printer'?"),
        (
            "type = htpp",
            "'htpp' is not a known short name; did you mean 'http'? Or write the type in full, such as "
                + "'_htpp._tcp'"
        ),
        (
            "address = 192.0.2.1/24",
            "'192.0.2.1/24' is not an address or a range; write one such as '192.0.2.7', '192.0.2.0/24' "
                + "or 'fd00::/8'"
        ),
        (
            "id = 4711",
            "'4711' is not an identifier; write a whole one, as 'peerlist --once --json' shows it"
        ),
        (
            "for = 5",
            "'5' is not a time; write one such as '30s', '5m', '1h30m' or '2d', at most '30d'"
        ),
        (
            "for = 31d",
            "'31d' is not a time; write one such as '30s', '5m', '1h30m' or '2d', at most '30d'"
        ),
        ("addres = 10.0.0.1", "there is no key 'addres' here; did you mean 'address'?"),
        (
            "present = always",
            "there is no key 'present' here; a set has a count; write 'count = 1..'"
        ),
        ("newcomers = report", "there is no key 'newcomers' here; it belongs to '[network]'"),
        ("label =", "the value of 'label' is missing"),
        (
            "vouched = own, proxi", "no device is vouched for by 'proxi'; did you mean 'proxy'?"
        ),
        ("port = 0", "'0' is no port; write one from 1 to 65535"),
        ("port = 65536", "'65536' is no port; write one from 1 to 65535"),
        ("reachable = maybe", "'maybe' is not possible here; write one of yes, no"),
        ("name", "'name' is neither '[SECTION]' nor 'KEY = VALUE'"),
    ])
    func `an error says what is wrong and what to write`(line: String, message: String) {
        let errors = errors("[devices all]\nhost = nas.local\ncount = 1\n\(line)\n")
        let repeated =
            line.hasPrefix("count") ? "'count' is in line 3 already; leave one out" : message
        #expect(errors == ["line 4: \(repeated)"])
        guard line.hasPrefix("count") else { return }
        #expect(self.errors("[devices all]\nhost = nas.local\n\(line)\n") == ["line 3: \(message)"])
    }

    @Test func `all errors are found at once, in the order of their lines`() {
        let errors = errors(
            """
            kind = tv
            [devcie nas]
            kind = nothing
            [devices printers]
            [device tv]
            present = maybe
            count = 2
            [device tv]
            [device]
            [network
            [network]
            newcomers = reprot
            """)
        #expect(
            errors == [
                "line 1: 'kind' is in no section; write one such as '[device nas]' above it",
                "line 2: there is no section 'devcie'; did you mean '[device]'?",
                "line 4: the set 'printers' has no criterion; write one such as 'kind = printer'",
                "line 4: the set 'printers' needs a count, as in 'count = 2..4'",
                "line 6: 'maybe' is not possible here; write one of always, sometimes, never",
                "line 7: there is no key 'count' here; a device is there or not; write 'present = always', "
                    + "or '[devices …]'",
                "line 8: a section 'tv' is in line 5 already",
                "line 9: the section needs a name of your own, as in '[device nas]'",
                "line 10: the heading of the section needs a ']' at its end",
                "line 12: 'reprot' is not possible here; did you mean 'report'?",
            ])
    }

    @Test func `a byte order mark before the first line is skipped`() {
        let text = Array("[device nas]\r\nfor = 5m\r\n".utf8)
        let (file, errors) = ExpectationFile.parse([0xEF, 0xBB, 0xBF] + text)
        #expect(errors == [])
        #expect(file == ExpectationFile.parse(text).file)
        #expect(!ExpectationFile.parse(text + [0xEF, 0xBB, 0xBF] + text).errors.isEmpty)
    }

    @Test func `a file without an expectation is an error`() {
        #expect(
            errors("# nothing\n") == [
                "line 2: nothing is expected; write a section such as '[device nas]'"
            ])
        #expect(errors("[network]\nnewcomers = report") == [])
    }

    @Test func `what others wrote is bounded and shown safely`() {
        let many = (0..<2_000).map { "[device d\($0)]\n" }.joined()
        let (file, errors) = parse(many)
        #expect(file.expectations.count == ExpectationFile.expectationLimit)
        #expect(errors.count == ExpectationFile.errorLimit)
        #expect(errors.first?.hasPrefix("line 1001: there are more than 1000 expectations") == true)
        let binary = ExpectationFile.parse([0xFF, 0xFE, 0x0A, 0x1B, 0x5B, 0x0A]).errors.map(
            \.description)
        #expect(binary.first == "line 1: the line is not valid UTF-8")
        #expect(binary.allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `random text is read or refused`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts = [
            "[device ", "[devices ", "]", "\n", "=", " ", "kind", "count", "..", "for", "5m", "#",
            "nas",
            "[network]", "newcomers", "report", "\u{301}", "\r", "99999999999999999999", ",",
            "\u{202E}",
        ]
        let text = (0..<200).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
        let (file, errors) = ExpectationFile.parse(Array(text.utf8))
        #expect(errors.count <= ExpectationFile.errorLimit)
        #expect(file.expectations.allSatisfy { $0.time >= .zero })
    }

    @Test func `a range has the addresses that begin alike`() throws {
        let peer = device("nas", "http", address: "10.0.7.9")
        func isMet(_ text: String) -> Bool? {
            AddressRange(text).map { Criterion.address($0).isMet(by: ExpectedDevice(.peer(peer))) }
        }
        #expect(isMet("10.0.0.0/16") == true)
        #expect(isMet("10.0.6.0/23") == true)
        #expect(isMet("10.0.4.0/23") == false)
        #expect(isMet("10.0.7.9") == true)
        #expect(isMet("0.0.0.0/0") == true)
        #expect(isMet("fd00::/8") == false)
        #expect(isMet("10.0.7.9/33") == nil)
        #expect(isMet("10.0.7.9/24/8") == nil)
    }

    @Test(arguments: [
        ("word", "name", true), ("NÁS", "label", true), ("nas", "host", true),
        ("nas.local", "host", true),
        ("other", "name", false),
    ])
    func `a name is compared without regard to case and accents`(
        word: String, key: String, isMet: Bool
    ) throws {
        var peer = device("nas", "http")
        peer.name = "Word"
        peer.label = "nas"
        let file = parse("[device x]\n\(key) = \(word)").file
        let expectation = try #require(file.expectations.first)
        #expect(expectation.concerns(ExpectedDevice(.peer(peer))) == isMet)
    }

    @Test func `a section without criteria is about the device of its name`() throws {
        let nas = ExpectedDevice(.peer(device("nas", "http")))
        let digits = nas.id.uuidString.prefix(8).lowercased()
        for name in ["nas", "NAS.local", digits] {
            let expectation = try #require(parse("[device \(name)]").file.expectations.first)
            #expect(expectation.concerns(nas))
        }
        let other = try #require(parse("[device tv]").file.expectations.first)
        #expect(!other.concerns(nas))
    }
}
