// The commands `devices` and `label`, run as programs with a ledger of their own.
@testable import PeerLedger
import FoundationEssentials
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerText
import TerminalList
import Testing

@testable import PeerListCommand

@Suite(.timeLimit(.minutes(10))) struct LedgerCommandTests {
    private let tv = Identity.uuid(forName: "tv.local").uuidString.lowercased()

    /// Runs a test with a ledger of three devices; `run` runs `peerlist` with it.
    private func withLedger(
        _ test: (
            LedgerFile, _ run: @escaping @Sendable (String...) async throws -> FinishedProcess
        ) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let environment = ["XDG_STATE_HOME": directory.path, "TZ": "UTC", "LC_ALL": "C.UTF-8"]
        let file = LedgerFile(environment: environment)
        try file.change { ledger in
            for item in House.devices().flatMap(\.items) {
                ledger.note(item.id, LedgerDevice(item.peer, until: House.time(300)))
            }
        }
        try await test(file) { (words: String...) in
            try await FinishedProcess([BuiltProducts.peerlist] + words, environment: environment)
        }
        await directory.remove()
    }

    @Test func `devices are listed by label or name`() async throws {
        try await withLedger { _, run in
            let labelled = try await run("label", String(tv.prefix(8)), "A television")
            #expect(labelled.output == "tv is now A television")
            let finished = try await run("devices")
            #expect(finished.status == 0)
            let rows = finished.output.split(separator: "\n")
            #expect(rows.first?.hasPrefix("NAME") == true)
            #expect(rows.dropFirst().map { $0.prefix(4) } == ["A te", "anna", "brn3"])
            #expect(finished.output.contains("2026-11-21 08:30  2026-11-21 08:35  \(tv)"))
        }
    }

    @Test func `a label is replaced and removed by the present one`() async throws {
        try await withLedger { file, run in
            _ = try await run("label", tv, "TV 1")
            _ = try await run("label", "TV 1", "TV 2")
            let labels = try file.read().ledger.devices.values.compactMap(\.label)
            #expect(labels == ["TV 2"])
            let removed = try await run("label", "TV 2", "")
            #expect(removed.output == "label removed from tv")
            let again = try await run("label", "tv", "")
            #expect(again.output == "tv had no label")
            let rest = try file.read().ledger.devices.values.compactMap(\.label)
            #expect(rest.isEmpty)
        }
    }

    @Test(arguments: ["tv", "TV", "tv.local", "Tv.Local"])
    func `a device is named by its name or host name`(word: String) async throws {
        try await withLedger { file, run in
            #expect(try await run("label", word, "Television").output == "tv is now Television")
            // The label comes first, and the name still counts.
            #expect(try await run("label", word, "TV 2").output == "tv is now TV 2")
            let forgotten = try await run("devices", "--forget", word)
            #expect(forgotten.output == "forgot TV 2, \(tv)")
        }
    }

    @Test func `the devices of one name are listed, and none is changed`() async throws {
        try await withLedger { file, run in
            let twins = ["tv-a.local", "tv-b.local"].map { Identity.uuid(forName: $0) }
            try file.change { ledger in
                for (index, id) in twins.enumerated() {
                    let device = LedgerDevice(
                        names: ["Guest room TV"],
                        evidence: ["host-name:tv-\(index == 0 ? "a" : "b").local"],
                        firstSeen: House.time(0), lastSeen: House.time(300 + 60 * Double(index)))
                    ledger.note(id, device)
                }
            }
            let finished = try await run("label", "guest room tv", "x")
            #expect(finished.status == 1 && finished.output.isEmpty)
            let lines = finished.errors.split(separator: "\n")
            #expect(
                lines.first == "peerlist: 'guest room tv' is 2 devices; write the ID of one:")
            let rows = lines.dropFirst(2).map { $0.split(separator: "  ").map { $0.trimmed } }
            let ids = twins.map { $0.uuidString.lowercased() }
            #expect(
                rows == [
                    [ids[1][...], "Guest room TV", "tv-b.local", "2026-11-21 08:36"],
                    [ids[0][...], "Guest room TV", "tv-a.local", "2026-11-21 08:35"],
                ])
            let labels = try file.read().ledger.devices.values.compactMap(\.label)
            #expect(labels.isEmpty)
        }
    }

    @Test(arguments: [
        ("ttv", "did you mean 'tv'?"), ("ann", "did you mean"),
        ("zzzzz", "'peerlist devices' lists"), ("", "'peerlist devices' lists"),
        ("a\u{1b}[31m", "is 'a\\u{1b}[31m'"),
    ])
    func `an unknown device is answered with what is near`(
        word: String, advice: String
    ) async throws {
        try await withLedger { _, run in
            let finished = try await run("devices", "--forget", word)
            #expect(finished.status == 1)
            #expect(finished.errors.hasPrefix("peerlist: no known device is "))
            #expect(finished.errors.contains(advice))
        }
    }

    @Test func `a label of 100 KiB is refused with its size`() async throws {
        try await withLedger { file, run in
            let finished = try await run("label", tv, String(repeating: "x", count: 100 << 10))
            #expect(finished.status == 2)
            #expect(finished.output.isEmpty)
            let message = "the label has 102400 bytes; shorten it to at most 255"
            #expect(finished.errors.contains(message))
            #expect(finished.errors.utf8.count < 500)
            let labels = try file.read().ledger.devices.values.compactMap(\.label)
            #expect(labels.isEmpty)
        }
    }

    @Test func `labels that several processes give at once are all kept`() async throws {
        try await withLedger { file, run in
            let ids = try file.read().ledger.devices.keys.map { $0.uuidString.lowercased() }
            try await withThrowingTaskGroup { group in
                for (number, id) in ids.enumerated() {
                    group.addTask { try await run("label", id, "device \(number)").status }
                }
                for try await status in group { #expect(status == 0) }
            }
            let labels = try file.read().ledger.devices.values.compactMap(\.label)
            #expect(labels.sorted() == ["device 0", "device 1", "device 2"])
        }
    }

    @Test func `a former identifier is not listed, and found by its whole UUID`() async throws {
        try await withLedger { file, run in
            let (old, new) = (Identity.uuid(forName: "tv.local"), UUID())
            try file.change { ledger in
                guard let device = ledger.devices[old] else { return }
                ledger.setLabel("Living room", of: old)
                ledger.note(new, device)
                ledger.link(old, to: new)
            }
            let devices = try await run("devices")
            #expect(devices.output.split(separator: "\n").count == 4)
            #expect(!devices.output.contains(tv))
            let renamed = try await run("label", "Living room", "TV")
            #expect(renamed.status == 0)
            let labels = try file.read().ledger.devices.values.compactMap(\.label)
            #expect(labels == ["TV", "TV"])
            let forgotten = try await run("devices", "--forget", "TV")
            #expect(forgotten.status == 0)
            let count = try file.read().ledger.devices.count
            #expect(count == 2)
        }
    }

    @Test func `a device that changed its identifier twice is forgotten, and not in the file`()
        async throws
    {
        try await withLedger { file, run in
            let ids = [Identity.uuid(forName: "tv.local"), UUID(), UUID()]
            try file.change { ledger in
                guard let device = ledger.devices[ids[0]] else { return }
                for (old, new) in zip(ids, ids.dropFirst()) {
                    ledger.note(new, device)
                    ledger.link(old, to: new)
                }
            }
            _ = try await run("label", "tv", "Moms TV")
            #expect(try TextFile.read(file.path).ranges(of: "Moms TV").count == 3)
            let forgotten = try await run("devices", "--forget", "Moms TV")
            #expect(forgotten.output == "forgot Moms TV, \(ids[2].uuidString.lowercased())")
            let text = try TextFile.read(file.path)
            #expect(!text.contains("Moms TV") && !text.contains(tv))
        }
    }

    @Test func `a ledger that is a link to another file is refused with status 3`() async throws {
        try await withLedger { file, run in
            let decoy = file.path + ".decoy"
            try Data("root:x:0:0\n".utf8).write(to: URL(filePath: decoy))
            try FileManager.default.removeItem(atPath: file.path)
            try FileManager.default.createSymbolicLink(
                atPath: file.path, withDestinationPath: decoy)
            for finished in [
                try await run("devices"), try await run("devices", "--forget", "tv"),
                try await run("label", "tv", "x"),
            ] {
                #expect(finished.status == 3 && finished.output.isEmpty)
                #expect(finished.errors.contains("is a link to"), "\(finished.errors)")
            }
            #expect(try TextFile.read(decoy) == "root:x:0:0\n")
        }
    }

    @Test func `a device is forgotten, and an unknown one is an error`() async throws {
        try await withLedger { file, run in
            let finished = try await run("devices", "--forget", tv)
            #expect(finished.status == 0)
            let count = try file.read().ledger.devices.count
            #expect(count == 2)
            let unlabelled = try await run("label", tv, "x")
            #expect(unlabelled.status == 1)
            let unknown = try await run("devices", "--forget=\(tv)")
            #expect(unknown.status == 1)
            #expect(unknown.errors.hasPrefix("peerlist: no known device is '\(tv)'"))
        }
    }

    @Test func `without devices nothing is printed, and a damaged file is reported`() async throws {
        try await withLedger { file, run in
            try Data("{".utf8).write(to: URL(filePath: file.path))
            let damaged = try await run("devices")
            #expect(damaged.status == 1)
            #expect(damaged.output.isEmpty)
            #expect(damaged.errors.contains("devices.json.damaged-1"))
            let empty = try await run("devices", "--json")
            #expect(empty.status == 1)
            #expect(empty.output.isEmpty && empty.errors.isEmpty)
        }
    }
}
