// Tests `peerlist expect` as a command, and runs the recipes of docs/expect.md with the programs that they are for.
@testable import PeerLedger
import Foundation
import LabSupport
import PeerExpect
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerListCommand

@Suite(.timeLimit(.minutes(10))) struct ExpectCommandTests {
    private let folder: RecordingFolder

    /// The expectations of the house after Monday's recording; the TV is silent, and the printer has another name.
    private static let expectations = """
        [device printer]
        [device tv]
        for = 1m
        [network]
        newcomers = report
        for = 0s
        """

    init() throws {
        folder = try RecordingFolder()
        let lines = House.lines()
        _ = try folder.file("monday.jsonl", lines[..<11])
        _ = try folder.file("now.jsonl", [lines[0]])
        _ = try folder.file("home.expect", text: Self.expectations)
    }

    /// Runs a script with the built command, which reads Monday's recording where the script would browse.
    private func run(_ script: String) async throws -> FinishedProcess {
        // Written by the shell: a program that this process has written may still be open in a child of another test.
        try await FinishedProcess(
            [
                "bash", "-c",
                """
                cd '\(folder.path)' && cat >peerlist <<'END'
                #!/bin/sh
                case "$*" in *.jsonl*) ;; *) set -- "$@" '\(folder.path)monday.jsonl' ;; esac
                exec '\(BuiltProducts.peerlist)' "$@"
                END
                chmod +x peerlist && export PATH=$PWD:$PATH && \(script)
                """,
            ],
            environment: [
                "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": String(folder.path.dropLast()),
                "XDG_STATE_HOME": folder.path + "state",
            ])
    }

    private func blocks(_ kind: String, under section: String) throws -> [String] {
        try TextFile.blocks(kind, under: section, of: "expect.md")
    }

    // MARK: The command

    @Test func `the spans of a recording are printed, with status 1`() async throws {
        let finished = try await run("peerlist expect home.expect monday.jsonl")
        #expect(finished.status == 1, "\(finished.errors)")
        #expect(finished.errors == "")
        #expect(
            finished.output == """
                PEERLIST CRITICAL - 2 missing, 1 unexpected | present=2
                missing since 2026-11-21 08:30:04: 'printer' is missing
                unexpected since 2026-11-21 08:30:04: 'brn30055c' (brn30055c.local, 10.0.0.9) is not expected
                missing since 2026-11-21 08:32:12: 'tv' is missing; it does not answer
                """)
    }

    @Test func `what is as expected has status 0`() async throws {
        _ = try folder.file(
            "all.expect", text: "[devices all]\naddress = 10.0.0.0/8\ncount = 2..\nfor = 1d\n")
        let finished = try await run("peerlist expect all.expect monday.jsonl")
        #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
        #expect(finished.output == "PEERLIST OK - all as expected | present=2")
    }

    @Test func `all errors of the file are reported with their lines, with status 2`() async throws
    {
        _ = try folder.file("wrong.expect", text: "[device nas]\nknd = nas\n[devcies x]\nfor = 3\n")
        let finished = try await run("peerlist expect wrong.expect monday.jsonl")
        #expect(finished.status == 2)
        #expect(finished.output.hasPrefix("PEERLIST UNKNOWN - "))
        #expect(
            finished.errors == """
                peerlist: wrong.expect:2: there is no key 'knd' here; did you mean 'kind'?
                peerlist: wrong.expect:3: there is no section 'devcies'; did you mean '[devices]'?

                """)
        for (name, reason) in [
            ("none.expect", "No such file or directory"), (".", "it is not a regular file"),
        ] {
            let missing = try await run("peerlist expect \(name) monday.jsonl")
            #expect(missing.status == 2)
            #expect(missing.errors == "peerlist: \(name) cannot be read: \(reason)\n")
        }
    }

    @Test func `a file that is too large is refused`() async throws {
        let finished = try await run(
            "head -c 300000 /dev/zero | tr '\\0' '#' > large.expect; peerlist expect large.expect monday.jsonl"
        )
        #expect(finished.status == 2)
        #expect(
            finished.errors == "peerlist: large.expect cannot be read: it has more than 256 KiB\n")
    }

    @Test func `damage is reported, with status 3 if nothing else was found`() async throws {
        let lines = House.lines()
        _ = try folder.file("damaged.jsonl", lines[..<3] + ["rubbish"] + lines[3..<5])
        _ = try folder.file("anna.expect", text: "[device anna]\n")
        let finished = try await run("peerlist expect anna.expect damaged.jsonl")
        #expect(finished.status == 3)
        #expect(finished.errors.hasPrefix("peerlist: damaged.jsonl: line 4, byte "))
        let none = try await run("peerlist expect anna.expect none.jsonl")
        #expect(none.status == 3)
    }

    @Test(arguments: [
        ("expect", "'peerlist expect' needs a file of expectations"),
        ("expect --watch home.expect monday.jsonl", "'--watch' follows a network or a fleet"),
        ("expect home.expect mqtt://hub monday.jsonl", "recordings and brokers cannot be combined"),
        ("expect home.expect mqtt://", "SOURCE: "),
        ("expect --write --format json home.expect", "'--format' and '--write' cannot be combined"),
        ("expect --ledger home.expect", "'--ledger' applies to '--write'"),
        ("expect --exec true home.expect", "'--exec' applies to '--watch'"),
        ("expect --format xml home.expect", "there is no format 'xml'"),
        ("expect -i lo home.expect monday.jsonl", "'--interface' and 'SOURCE' cannot be combined"),
        ("expect home.expect - - ", "only one of the recordings can be standard input"),
        ("expect --watch --exec true --exec false --on missing home.expect", ""),
    ])
    func `wrong usage is refused`(words: String, message: String) throws {
        let words = words.split(separator: " ").map(String.init)
        guard !message.isEmpty else {
            guard case .expect(let options) = try Invocation(words) else {
                Issue.record("another command")
                return
            }
            #expect(
                options.expect.hooks.map(\.events) == [Set(FaultEvent.Kind.allCases), [.missing]])
            return
        }
        let error = #expect(throws: (any Error).self) { try Invocation(words) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(message))
    }

    @Test func `files, formats and events are completed`() {
        #expect(Completion(["expect", ""]).answer == "files\n*\n")
        #expect(Completion(["expect", "home.expect", ""]).answer == "files\n*.[jp][sc][oa][np]*\n")
        #expect(
            Completion(["expect", "--format", ""]).answer
                == "words\nplugin\nnagios\njson\njunit\nprometheus\n")
        #expect(
            Completion(["expect", "--on", ""]).answer == "words\nmissing\nunexpected\nrestored\n")
    }

    // MARK: The documentation

    @Test func `the example of a file has no error, and every key is described`() throws {
        let text = try TextFile.read(BuiltProducts.package + "/docs/expect.md")
        let example = try #require(blocks("ini", under: "## The file").first)
        let (file, errors) = ExpectationFile.parse(Array(example.utf8))
        #expect(errors == [])
        #expect(file.expectations.count == 4)
        for key in [
            "id", "name", "label", "host", "kind", "type", "address", "present", "count",
            "services", "for", "vouched",
        ] {
            #expect(text.contains("`\(key)`"), "\(key)")
        }
    }

    @Test func `the commands that read recordings do what they promise`() async throws {
        let text = try TextFile.read(BuiltProducts.package + "/docs/expect.md")
        let first = try #require(
            text.split(separator: "```sh\n").dropFirst().first?.split(separator: "```").first)
        let made = try await run("rm home.expect; \(first)")
        // The TV has not answered for a minute.
        #expect(made.status == 3, "\(made.errors)")
        #expect(
            made.output.hasPrefix("home.expect expects 2 devices\nPEERLIST UNKNOWN - 1 pending; "),
            "\(made.output)")
        let again = try await run("peerlist expect --write home.expect")
        #expect(again.status == 3)
        #expect(again.errors.hasPrefix("peerlist: 'home.expect' exists, and is not replaced"))
        let written = try TextFile.read(folder.path + "home.expect")
        #expect(written.contains("[device tv]\n"))
        let spans = try #require(blocks("sh", under: "## Recordings").first)
        let finished = try await run("gzip -c now.jsonl > tuesday.jsonl.gz; \(spans)")
        #expect(finished.output.hasPrefix("PEERLIST "), "\(finished.errors)")
        #expect(finished.errors == "")
    }

    @Test func `a file of the ledger expects strangers alone not to be there`() async throws {
        let ledger = LedgerFile(environment: ["XDG_STATE_HOME": folder.path + "state"])
        try ledger.change { ledger in
            for item in House.devices().flatMap(\.items).dropFirst() {
                ledger.note(item.id, LedgerDevice(item.peer, until: House.time(300)))
            }
        }
        let written = try await run(
            "'\(BuiltProducts.peerlist)' expect --write --ledger known.expect")
        #expect(written.output == "known.expect expects 2 devices", "\(written.errors)")
        let finished = try await run("peerlist expect --format json known.expect")
        #expect(finished.status == 0, "\(finished.output)")
        let anna = try TextFile.read(folder.path + "known.expect")
            .replacing("present = sometimes", with: "present = always")
        _ = try folder.file("always.expect", text: anna.replacing("newcomers = report", with: ""))
        let always = try await run("peerlist expect always.expect")
        #expect(always.status == 3, "\(always.output)")
        #expect(always.output.hasPrefix("PEERLIST UNKNOWN - 1 pending; "), "\(always.output)")
    }

    @Test(.needs("python3")) func `the line of an event conforms to the schema`() throws {
        let line = try #require(blocks("json", under: "## Watching").first)
        let verdict = try schemaVerdict(line, of: "expect")
        #expect(verdict.isGood, "\(verdict.text)")
    }

    @Test func `the program for faults sends a mail`() async throws {
        let script = try #require(blocks("sh", under: "## Watching").last)
        _ = try folder.file("fault-mail", text: script.replacing("sendmail -t -i", with: "cat"))
        let finished = try await run(
            "chmod +x fault-mail; PEERLIST_TEXT=\"'nas' is missing\" PEERLIST_SINCE=now ./fault-mail"
        )
        #expect(finished.status == 0)
        #expect(finished.output.hasSuffix("\n\n'nas' is missing\nsince now"))
    }

    private static let negate = "/usr/lib/nagios/plugins/negate"

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: negate),
            "monitoring-plugins-basic is not installed; 'make test' installs it"))
    func `the command of Nagios has the statuses of a plug-in, and 'negate' those of its own`()
        async throws
    {
        let text = try #require(blocks("nagios", under: "### Nagios, Icinga").first)
        let line = try #require(text.split(separator: "\n").first { $0.contains("command_line") })
        let command = line.replacing("command_line", with: "").trimmingCharacters(in: .whitespaces)
            .replacing("/usr/bin/peerlist", with: folder.path + "peerlist")
        _ = try folder.file("all.expect", text: "[device anna]\n")
        _ = try folder.file("pending.expect", text: "[device nas]\nfor = 1d\n")
        _ = try folder.file("wrong.expect", text: "[device nas]\nknd = nas\n")
        _ = try folder.file("empty.expect", text: "")
        for (file, status, line) in [
            ("home.expect", 2, "PEERLIST CRITICAL - 2 missing, 1 unexpected | present=2"),
            ("pending.expect", 3, "PEERLIST UNKNOWN - 1 pending; 'nas' is missing | present=2"),
            ("all.expect", 0, "PEERLIST OK - all as expected | present=2"),
            (
                "none.expect", 3,
                "PEERLIST UNKNOWN - none.expect cannot be read: No such file or directory"
            ),
            (
                "wrong.expect", 3,
                "PEERLIST UNKNOWN - wrong.expect:2: there is no key 'knd' here; did you mean 'kind'?"
            ),
            ("--bogus", 3, "PEERLIST UNKNOWN - there is no option '--bogus'"),
        ] {
            let command = command.replacing("$ARG1$", with: file)
            let finished = try await run(command)
            #expect(finished.status == status, "\(finished.output)\(finished.errors)")
            #expect(finished.output.hasPrefix(line), "\(finished.output)")
            // 'negate' exchanges OK and CRITICAL, and leaves what is not known.
            let negated = try await run("\(Self.negate) --timeout=30 \(command)")
            #expect(negated.status == [0: 2, 2: 0, 3: 3][status], "\(negated.output)")
        }
        let former = try await run(
            "\(Self.negate) --timeout=30 --warning=CRITICAL --critical=UNKNOWN "
                + "\(folder.path)peerlist expect home.expect")
        #expect(former.status == 2, "\(former.output)")
    }

    @Test func `a capture that never heard a device does not meet what expects it`() async throws {
        let capture =
            BuiltProducts.package + "/Tests/PeerListCommandTests/Captures/farewell.pcapng.gz"
        _ = try folder.file("piholes.expect", text: "[device pi-hole]\n")
        let finished = try await run(
            "cp '\(capture)' night.jsonl.gz; peerlist expect piholes.expect night.jsonl.gz")
        #expect(finished.status == 3, "\(finished.errors)")
        #expect(
            finished.output.hasPrefix(
                "PEERLIST UNKNOWN - 1 not known; 'pi-hole' was not heard in the capture | present="),
            "\(finished.output)")
    }

    @Test(.needs("xmllint")) func `a JUnit report conforms to the schema of its readers`()
        async throws
    {
        _ = try folder.file("pending.expect", text: "[device nas]\nfor = 1d\n[device anna]\n")
        for file in ["home.expect", "pending.expect"] {
            let schema = BuiltProducts.package + "/Tests/Schema/junit.xsd"
            let finished = try await run(
                "peerlist expect --format junit \(file) > report.xml; "
                    + "xmllint --noout --schema '\(schema)' report.xml; grep -c '<testcase' report.xml"
            )
            #expect(finished.errors.hasSuffix("report.xml validates\n"), "\(finished.errors)")
            let wrong = try await run(
                "sed -i 's/failures=/faults=/' report.xml; xmllint --noout --schema '\(schema)' report.xml"
            )
            #expect(wrong.status != 0)
        }
    }

    @Test(.needs("promtool"))
    func `the service of Prometheus writes metrics that promtool accepts`()
        async throws
    {
        let unit = try #require(blocks("systemd-service", under: "### Prometheus").first)
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        let command = line.dropFirst("ExecStart=".count).replacing("$$", with: "$")
            .replacing("/var/lib/prometheus/node-exporter", with: ".")
            .replacing("/etc/peerlist.expect", with: "home.expect")
        let finished = try await run(
            "\(command) && promtool check metrics < peerlist.prom && cat peerlist.prom")
        #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
        #expect(finished.output.contains("peerlist_expectation_met{expectation=\"printer\"} "))
        let pending = try await run(
            "printf '[device nas]\\nfor = 1d\\n' > home.expect; \(command) && promtool check metrics < peerlist.prom "
                + "&& cat peerlist.prom")
        #expect(
            pending.output.contains("peerlist_expectation_known{expectation=\"nas\"} 0\n"),
            "\(pending.errors)")
        #expect(!pending.output.contains("peerlist_expectation_met{"))
        // A failure keeps the former metrics.
        let failed = try await run("rm home.expect; \(command); echo $?; ls")
        #expect(failed.output.hasPrefix("1\n"))
        #expect(failed.output.contains("peerlist.prom"))
        let rules = try #require(blocks("yaml", under: "### Prometheus").first)
        _ = try folder.file("rules.yml", text: rules)
        let checked = try await run("promtool check rules rules.yml")
        #expect(
            checked.output.contains("SUCCESS: 4 rules found"), "\(checked.output)\(checked.errors)")
    }

    @Test(.needs("systemd-analyze")) func `systemd accepts the service and its timer`() async throws
    {
        for kind in ["service", "timer"] {
            let unit = try #require(blocks("systemd-\(kind)", under: "### Prometheus").first)
            _ = try folder.file("peerlist-expect.\(kind)", text: unit)
        }
        let finished = try await run(
            "systemd-analyze verify --man=no ./peerlist-expect.service ./peerlist-expect.timer")
        let own = finished.errors.split(separator: "\n").filter { $0.contains("peerlist-expect") }
        #expect(finished.status == 0 && own.isEmpty, "\(finished.errors)")
    }

    @Test(.needs("python3")) func `the job of continuous integration writes a report`() async throws
    {
        let job = try #require(blocks("workflow", under: "### Continuous integration").first)
        let step = try #require(job.split(separator: "\n").first { $0.contains("- run: ") })
        let command = step.trimmingCharacters(in: .whitespaces).dropFirst("- run: ".count)
            .replacing(" --timeout 15", with: "")
        let finished = try await run(
            """
            cp home.expect bench.expect; \(command); echo $?
            python3 -c 'import sys, xml.etree.ElementTree as tree
            suite = tree.parse("expect.xml").getroot()
            print(suite.get("tests"), suite.get("failures"), len(suite.findall("testcase/failure")))'
            """)
        let lines = finished.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "1", "\(finished.errors)")
        let counts = (lines.last ?? "").split(separator: " ")
        #expect(counts.count == 3 && counts[0] == "3" && counts[1] == counts[2])
    }
}
