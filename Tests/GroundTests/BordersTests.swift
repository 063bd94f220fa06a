// Tests that Scripts/check-borders enforces each of its rules.
import LabSupport
import Testing

/// A file that breaks a rule.
private struct Breach: Sendable, CustomTestStringConvertible {
    let path: String
    let text: String
    let message: String

    init(_ path: String, _ text: String, _ message: String) {
        (self.path, self.text, self.message) = (path, "// What it is for.\n" + text, message)
    }

    var testDescription: String { message }
}

private let later = ["TO", "DO"].joined()  // in pieces, so that this file breaks no rule
private let rest = ["Task", "sleep"].joined(separator: ".") + "(for: .seconds(1))"
private let home = ["", "home", "me"].joined(separator: "/")

private let breaches = [
    Breach("Sources/PeerList/A.swift", "let flags = O_CREAT\n", "are created and replaced through"),
    Breach("Sources/PeerCapture/A.swift", "let a = DNSMessage(bytes)\n", "read by Belief alone"),
    Breach("Sources/PeerDoctor/A.swift", "let a = Belief(bytes, from: 1)\n", "parses no packet"),
    Breach("Sources/PeerSilent/A.swift", "let a = Statement.all(of: bytes)\n", "parses no packet"),
    Breach(
        "Sources/PeerHooks/A.swift", "let a = Attendance()\n", "keeps the register of attendance"),
    Breach("Sources/PeerHappenings/A.swift", "let a = Attendance()\n", "no reader has another"),
    Breach("Sources/PeerHooks/A.swift", "var departed: [UUID: Int] = [:]\n", "keeps who is away"),
    Breach("Sources/PeerFleet/A.swift", "let areAway = Set<UUID>()\n", "keeps who is away"),
    Breach("Sources/TerminalList/A.swift", "import FoundationEssentials\n", "needs no Foundation"),
    Breach("Sources/DiffCore/A.swift", "import Foundation\n", "needs no Foundation"),
    Breach("Sources/PeerList/A.swift", "import struct Foundation.URL\n", "FoundationEssentials is"),
    Breach("Examples/A/A.swift", "import PeerRecording\n", "an example shows the libraries"),
    Breach("Examples/A/A.swift", "import Foundation\n", "an example shows the libraries"),
    Breach("Examples/A/A.swift", String(repeating: "let a = 1\n", count: 120), "at most 120"),
    Breach("Package.swift", ".library(name: \"A\", targets: [\"A\"]),\n", "has no public"),
    Breach(
        "Package.swift", "        room(\"A\"),\n        room(\"B\", \"A\"),\n",
        "imports it nowhere"),
    Breach("Sources/PeerList/A.swift", "\n// \(later): more\n", "nothing is left for later"),
    Breach("Tests/ATests/A.swift", "try await \(rest)\n", "it does not sleep"),
    Breach("docs/a.md", "See \(home)/notes.\n", "a path of somebody's machine"),
    Breach("Sources/PeerList/A.swift", "\nlet a = try! b()\n", "needs its reason beside it"),
    Breach("Sources/PeerList/A.swift", "\nfatalError(\"// no\")\n", "needs its reason beside it"),
    Breach(
        "Sources/PeerList/A.swift", "\nfinal class A: @unchecked Sendable {}\n", "needs its reason"),
    Breach("Sources/PeerList/A.swift", "\nnonisolated(unsafe) var a = 1\n", "needs its reason"),
    Breach("Sources/PeerList/Helpers.swift", "let a = 1\n", "the name says nothing"),
    Breach("Sources/PeerList/A.swift", "\n/// What it has.\nlet a = 1\n", "not with 'What'"),
    Breach("Sources/A/A.swift", "struct A {\n    /// As far as it goes.\n}\n", "not with 'As far'"),
    Breach("Sources/A/A.swift", "\n/// Reads it all anew.\nfunc a() {}\n", "'anew' is not plain"),
    Breach("Sources/A/A.swift", "func a() {\n    // A peer, by turns.\n}\n", "'by turns' is not"),
    Breach("Sources/DiffCore/A.swift", "\n// The rows and those of B.\n", "repeat the noun"),
]

@Suite struct BordersTests {
    private func check(_ files: [(path: String, text: String)]) async throws -> FinishedProcess {
        let directory = try TemporaryDirectory()
        for file in files { try directory.write(file.text, to: file.path) }
        let script = "\(BuiltProducts.package)/Scripts/check-borders"
        let finished = try await FinishedProcess(["python3", script, directory.path])
        await directory.remove()
        return finished
    }

    @Test(arguments: breaches)
    fileprivate func `a broken rule is reported with its line`(breach: Breach) async throws {
        let finished = try await check([(breach.path, breach.text)])

        #expect(finished.status == 1)
        #expect(finished.output.contains(breach.message))
        #expect(finished.output.split(separator: "\n").allSatisfy { $0.hasPrefix(breach.path) })
    }

    @Test func `a file without a comment on its responsibility is reported`() async throws {
        let finished = try await check([("Sources/DiffCore/A.swift", "public import Glibc\n")])

        #expect(finished.output.contains("A.swift:1: the first line is a comment"))
    }

    @Test func `a target imports the modules that it lists, and no others`() async throws {
        let manifest = """
            // What it is for.
                    library("CA", from: "a"),
                    room("A"),
                    room("B", "A", in: "Tests/B"),
                    tests("C", "A",
                        "CA", starting: ["B"], without: ["D"]),
            """
        let listed = "// What it is for.\nimport A\nimport Testing\n"
        let all = "// What it is for.\n@testable import A\nimport CA\n"
        let whole = [
            ("Package.swift", manifest), ("Sources/A/A.swift", "// What it is for.\n"),
            ("Tests/B/B.swift", listed), ("Tests/C/C.swift", all),
        ]

        let kept = try await check(whole)
        let more = try await check(whole + [("Tests/B/More.swift", all)])
        let stray = try await check(whole + [("Sources/E/E.swift", "// What it is for.\n")])

        #expect(kept.status == 0, "\(kept.output)")
        #expect(more.output == "Tests/B/More.swift:3: B does not list CA in Package.swift")
        #expect(stray.output == "Sources/E/E.swift:1: the file is in no target of Package.swift")
    }

    @Test func `a second file that makes an account of what happened is reported`() async throws {
        let text = "// What it is for.\nvar account = Happenings()\n"
        let own = ("Sources/PeerHappenings/Happenings.swift", text)
        let session = ("Sources/PeerSession/Session.swift", text)

        let one = try await check([own, session])
        let two = try await check([own, session, ("Sources/PeerText/A.swift", text)])

        #expect(one.status == 0, "\(one.output)")
        #expect(two.output.hasPrefix("Sources/PeerText/A.swift:2: the account of what happened"))
    }

    @Test(arguments: ["CNcurses", "CResolv", "CUnistring"])
    func `a second folder that imports a C library is reported`(module: String) async throws {
        let target =
            ["CNcurses": "TerminalList", "CResolv": "DNSMessages"][module] ?? "PeerText"
        let folder = "Sources/\(target)"
        let text = "// What it is for.\nimport \(module)\n"

        let one = try await check([("\(folder)/A/A.swift", text)])
        let two = try await check([("\(folder)/A/A.swift", text), ("\(folder)/B/B.swift", text)])

        #expect(one.status == 0, "\(one.output)")
        #expect(two.output.contains("\(folder)/B/B.swift:2: \(module) is imported in one place"))
    }

    @Test func `a tree that keeps the rules passes`() async throws {
        let finished = try await check([
            ("Sources/PeerList/Avahi/A.swift", "// What it is for.\ninternal import CAvahi\n"),
            ("Sources/DiffCore/A.swift", "// What it is for.\nimport Glibc\n"),
            ("Sources/DiffCore/B.swift", "// What it is for.\nimport Darwin\n"),
            ("Sources/UIKitNames/A.swift", "// What it is for.\npublic import Foundation\n"),
            ("Examples/A/A.swift", "// What it shows.\nimport DiffCore\nimport TerminalList\n"),
            (
                "Sources/PeerList/A.swift",
                """
                // What it is for.
                // @unchecked: `a` is never changed.
                final class A: @unchecked Sendable {
                    func a() { print("try! to say fatalError(") }
                }
                """
            ),
            (
                "Sources/PeerList/B.swift",
                """
                // What it is for.
                /// The size of a packet.
                /// Where a link has a smaller one, packets are cut.
                let a = "nobody"
                """
            ),
            ("Tests/ATests/A.swift", "// What it tests.\n/// What nobody reads.\nlet a = 1\n"),
        ])

        #expect(finished.status == 0, "\(finished.output)")
    }
}
