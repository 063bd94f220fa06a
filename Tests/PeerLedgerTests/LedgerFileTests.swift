// The file of the ledger: its permissions, concurrent changes, and damage.
import Foundation
import Glibc
import LabSupport
import PeerModel
import PeerListTestSupport
import Testing

@testable import PeerLedger

@Suite(.timeLimit(.minutes(10))) struct LedgerFileTests {
    private let device = LedgerDevice(
        names: ["tv"], evidence: [], firstSeen: House.time(0), lastSeen: House.time(0))

    private func id(_ number: Int) -> UUID { Identity.uuid(forName: "h\(number).local") }

    /// Runs a test with a file in a directory that does not exist yet.
    private func withFile(_ test: (LedgerFile) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        try await test(LedgerFile(path: directory.path + "/a/peerlist/devices.json"))
        await directory.remove()
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test func `the file is in the directory of states`() {
        #expect(
            LedgerFile(environment: ["HOME": "/h", "XDG_STATE_HOME": "/s"]).path
                == "/s/peerlist/devices.json")
        #expect(
            LedgerFile(environment: ["HOME": "/h", "XDG_STATE_HOME": "s"]).path
                == "/h/.local/state/peerlist/devices.json")
    }

    @Test(arguments: [[:], ["HOME": "h"], ["HOME": "", "XDG_STATE_HOME": "s"]])
    func `without a home directory there is no ledger, and no directory is made`(
        environment: [String: String]
    ) {
        let file = LedgerFile(environment: environment)
        #expect(throws: LedgerFailure.noDirectory) { try file.read() }
        #expect(throws: LedgerFailure.noDirectory) { try file.change { $0.note(id(1), device) } }
    }

    @Test func `a ledger behind a link of its user is written through`() async throws {
        try await withFile { file in
            try file.change { $0.note(id(1), device) }
            let kept = file.path + ".mine"
            unsafe rename(file.path, kept)
            unsafe symlink("devices.json.mine", file.path)
            try file.change { $0.note(id(2), device) }
            #expect(mode(file.path) == 0o777 && mode(kept) == 0o600)
            #expect(try file.read().ledger.devices.count == 2)
        }
    }

    @Test(arguments: [
        "{damage", "root:x:0:0::/root:/bin/sh\n", "", #"{"version":1,"dependencies":[]}"#, "[]",
        "directory", "pipe", "nothing", "nothing in nothing",
    ])
    func `what is behind a link and not a ledger is refused and left as it is`(
        content: String
    ) async throws {
        try await withFile { file in
            try file.change { $0.note(id(1), device) }
            let place = file.path + ".decoys"
            unsafe mkdir(place, 0o755)
            var target = place + "/decoy"
            switch content {
            case "directory": unsafe mkdir(target, 0o755)
            case "pipe": unsafe mkfifo(target, 0o644)
            case "nothing": break
            case "nothing in nothing": target = place + "/none/decoy"
            default: try Data(content.utf8).write(to: URL(filePath: target))
            }
            let before = mode(target)
            unsafe unlink(file.path)
            unsafe symlink(target, file.path)
            if content != "nothing in nothing" {
                let failure = #expect(throws: LedgerFailure.self) { try file.read() }
                #expect(failure?.description.contains("is a link to") == true)
            }
            #expect(throws: LedgerFailure.self) { try file.change { $0.note(id(1), device) } }
            #expect(mode(file.path) == 0o777)
            #expect(mode(target) == before)
            let left = try FileManager.default.contentsOfDirectory(atPath: place)
            #expect(left == (before == 0 ? [] : ["decoy"]))
            if before != 0, !["directory", "pipe"].contains(content) {
                #expect(try TextFile.read(target) == content)
            }
        }
    }

    @Test func `a lock that is a link is refused, and its target is not made`() async throws {
        try await withFile { file in
            try file.change { $0.note(id(1), device) }
            let target = file.path + ".decoy"
            unsafe unlink(file.path + ".lock")
            unsafe symlink(target, file.path + ".lock")
            for _ in 0..<2 {
                let failure = #expect(throws: LedgerFailure.self) {
                    try file.change { $0.note(id(2), device) }
                }
                #expect(failure?.description.contains("is a link") == true)
                // A damaged ledger is read under the lock.
                try Data("{damage".utf8).write(to: URL(filePath: file.path))
                #expect(throws: LedgerFailure.self) { try file.read() }
                #expect(mode(target) == 0)
            }
            #expect(try TextFile.read(file.path) == "{damage")
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "giving directories away needs root"),
        arguments: ["", "/.local/state", "/.local/state/peerlist"], [false, true])
    func `as root, nothing is made in the home of another user`(
        made: String, isOfRoot: Bool
    ) async throws {
        let directory = try TemporaryDirectory()
        let home = directory.path + "/anna"
        try FileManager.default.createDirectory(
            atPath: home + made, withIntermediateDirectories: true)
        func give(_ path: String) { unsafe lchown(path, 65534, 65534) }
        give(home)
        for part in ["/.local", "/.local/state", "/.local/state/peerlist"] where !isOfRoot {
            give(home + part)
        }
        let before = FileManager.default.subpaths(atPath: home)
        for environment in [
            ["HOME": home], ["HOME": home + "/"],
            ["HOME": home, "XDG_STATE_HOME": home + "/.local/state"],
        ] {
            let file = LedgerFile(environment: environment)
            let failure = #expect(throws: LedgerFailure.self) {
                try file.change { $0.note(id(1), device) }
            }
            #expect(failure?.description.contains("belongs to another user") == true)
            #expect(FileManager.default.subpaths(atPath: home) == before)
        }
        await directory.remove()
    }

    @Test func `a home directory that does not exist is not made`() async throws {
        let directory = try TemporaryDirectory()
        let home = directory.path + "/nonexistent"
        for environment in [
            ["HOME": home], ["HOME": home, "XDG_STATE_HOME": home + "/.local/state"],
        ] {
            let file = LedgerFile(environment: environment)
            #expect(try file.read() == LedgerFile.Content())
            let failure = #expect(throws: LedgerFailure.self) {
                try file.change { $0.note(id(1), device) }
            }
            #expect(failure?.description.contains("is the home directory") == true)
            #expect(mode(home) == 0)
        }
        let elsewhere = LedgerFile(
            environment: ["HOME": home, "XDG_STATE_HOME": directory.path + "/a/b"])
        try elsewhere.change { $0.note(id(1), device) }
        #expect(mode(directory.path + "/a/b/peerlist") == 0o700)
        await directory.remove()
    }

    @Test func `without a file, the ledger is empty and nothing is created`() async throws {
        try await withFile { file in
            let content = try file.read()
            #expect(content == LedgerFile.Content())
            #expect(mode(file.path) == 0)
        }
    }

    @Test func `a change creates a file for its user alone, which is read back`() async throws {
        try await withFile { file in
            let former = umask(0)
            defer { umask(former) }
            let content = try file.change { $0.note(id(1), device) }
            #expect(content.ledger.devices.count == 1)
            #expect(try file.read() == content)
            #expect(mode(file.path) == 0o600)
            #expect(mode(String(file.path.dropLast("/devices.json".count))) == 0o700)
            #expect(mode(file.path + ".new") == 0)
        }
    }

    @Test func `a change that changes nothing does not write`() async throws {
        try await withFile { file in
            try file.change { $0.note(id(1), device) }
            var (before, after) = (stat(), stat())
            unsafe stat(file.path, &before)
            try file.change { $0.note(id(1), device) }
            unsafe stat(file.path, &after)
            #expect(before.st_ino == after.st_ino)
        }
    }

    @Test func `concurrent changes are all kept`() async throws {
        try await withFile { file in
            await withTaskGroup { group in
                for number in 0..<20 {
                    group.addTask { [device] in
                        #expect(throws: Never.self) {
                            try file.change { $0.note(id(number), device) }
                        }
                    }
                }
            }
            let content = try file.read()
            #expect(content.ledger.devices.count == 20)
        }
    }

    @Test func `a lock that another process holds fails the change after some time`() async throws {
        try await withFile { file in
            try file.change { $0.note(id(1), device) }
            let holder = unsafe open(file.path + ".lock", O_RDWR | O_CLOEXEC)
            #expect(flock(holder, LOCK_EX) == 0)
            #expect(throws: LedgerFailure.locked(file.path + ".lock")) {
                try file.change { $0.note(id(2), device) }
            }
            close(holder)
            let content = try file.change { $0.note(id(2), device) }
            #expect(content.ledger.devices.count == 2)
        }
    }

    @Test func `a damaged file is renamed and kept, also a second one`() async throws {
        try await withFile { file in
            try file.change { $0.note(id(1), device) }
            for number in 1...2 {
                try Data("{damage \(number)".utf8).write(to: URL(filePath: file.path))
                let content = number == 1 ? try file.read() : try file.change { _ in }
                #expect(content.ledger == DeviceLedger())
                let kept = "\(file.path).damaged-\(number)"
                #expect(content.damage?.contains(kept) == true)
                #expect(try TextFile.read(kept) == "{damage \(number)")
                #expect(mode(file.path) == 0)
            }
            #expect(try file.read().damage == nil)
        }
    }

    @Test func `the file of a later version is neither renamed nor overwritten`() async throws {
        try await withFile { file in
            try file.change { $0.note(id(1), device) }
            let text = #"{"version":2,"devices":{}}"#
            try Data(text.utf8).write(to: URL(filePath: file.path))
            let failure = LedgerFailure.newer(file.path, version: 2)
            #expect(throws: failure) { try file.read() }
            #expect(throws: failure) { try file.change { $0.note(id(1), device) } }
            #expect(try TextFile.read(file.path) == text)
        }
    }

    @Test func `a directory that cannot be made is a failure`() {
        let file = LedgerFile(path: "/dev/null/peerlist/devices.json")
        #expect(throws: LedgerFailure.self) { try file.change { $0.note(id(1), device) } }
    }
}
