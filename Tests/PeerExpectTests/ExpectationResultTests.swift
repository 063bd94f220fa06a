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
        #expect(json.contains(#""met":true,"count":2,\#(devices)"#))
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
        #expect(!result([silent], "[device nas]").isAsExpected)
        silent.presence = .unknown
        #expect(result([silent], "[device nas]").isAsExpected)
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
        #expect(!result(all + [device("new", "ssh")], written).isAsExpected)
    }
}
