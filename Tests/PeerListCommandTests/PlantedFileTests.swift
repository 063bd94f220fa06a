// Each file that the command writes, in a directory where another user has planted something in its place.
import Glibc
import LabSupport
import PeerListTestSupport
import Testing

@testable import PeerListCommand
@testable import PeerReport

/// The command runs in a network of its own without interfaces, as root and as a user.
///
/// `fs.protected_symlinks`, with which Linux itself refuses some links, is used as the machine sets it, and
/// switched on. Tests do not switch it off, because that would weaken the machine.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: geteuid() == 0, "giving files away and changing the user need root"))
struct PlantedFileTests {
    enum File: String, CaseIterable { case report, page, output, watched, ledger }

    enum Trick: String, CaseIterable {
        case link, danglingLink, file, pipe, linkedDirectory
    }

    private static let setting = "/proc/sys/fs/protected_symlinks"

    /// Runs a test with a setting of the kernel.
    private func withProtection(
        switchedOn: Bool, _ test: () async throws -> Void
    ) async throws {
        let former = try TextFile.read(Self.setting)
        func set(_ text: String) {
            let descriptor = unsafe open(Self.setting, O_WRONLY | O_CLOEXEC)
            unsafe write(descriptor, text, text.utf8.count)
            close(descriptor)
        }
        if switchedOn { set("1") }
        defer { if switchedOn { set(former) } }
        try await test()
    }

    @Test(arguments: [true, false], File.allCases)
    func `nothing is written through what another user planted`(
        isProtected: Bool, file: File
    ) async throws {
        try await withProtection(switchedOn: isProtected) {
            for user in ["0", "65534"] {
                for trick in Trick.allCases { try await play(trick, on: file, as: user) }
            }
        }
    }

    private func play(_ trick: Trick, on file: File, as user: String) async throws {
        let directory = try TemporaryDirectory()
        let place = directory.path
        let recording = House.lines().map { $0 + "\n" }.joined()
        try directory.write(recording, to: "mine/a.jsonl")
        let content =
            switch file {
            case .report, .page: ReportPage.start
            case .output: recording
            case .watched: "precious"
            case .ledger:
                #"{"version":1,"devices":{"00000000-0000-5000-8000-000000000001":"#
                    + #"{"names":["tv"],"evidence":[],"firstSeen":"2026-11-21T08:30:00Z","#
                    + #""lastSeen":"2026-11-21T08:30:00Z"}}}"#
            }
        // The ledger is `peerlist/devices.json` in a directory that the environment names.
        let (folder, name) = file == .ledger ? ("peerlist", "devices.json") : ("folder", "file")
        let target = try directory.write(content, to: "mine/\(folder)/\(name)")
        let path = "\(place)/shared/\(folder)/\(name)"
        let entry = trick == .linkedDirectory ? "\(place)/shared/\(folder)" : path
        let plant =
            switch trick {
            case .link: "ln -s '\(target)' '\(entry)'"
            case .danglingLink: "ln -s '\(target).new' '\(entry)'"
            case .file: "cp '\(target)' '\(entry)' && chmod 666 '\(entry)'"
            case .pipe: "mkfifo -m 666 '\(entry)'"
            case .linkedDirectory: "rmdir '\(entry)' && ln -s '\(place)/mine/\(folder)' '\(entry)'"
            }
        let command =
            switch file {
            case .report: "report -o '\(path)' mine/a.jsonl"
            case .page: "report --watch '\(path)'"
            case .output: "--once --timeout 1 --output '\(path)'"
            case .watched: "export -f csv --watch '\(path)'"
            case .ledger: "label tv 'My TV'"
            }
        let script = """
            cd '\(place)' && mkdir -p 'shared/\(folder)' && chown -R \(user):\(user) . &&
            chmod 1777 shared 'shared/\(folder)' && \(plant) && chown -h 4343:4343 '\(entry)' || exit 99
            exec unshare --net setpriv --reuid=\(user) --regid=\(user) --clear-groups \
              env XDG_STATE_HOME='\(place)/shared' timeout 20 '\(BuiltProducts.peerlist)' \(command)
            """
        let finished = try await FinishedProcess(["sh", "-c", script])
        let scene = "\(file), \(trick), as \(user): status \(finished.status), \(finished.errors)"
        #expect(finished.status == 3, "\(scene)")
        #expect(finished.errors.contains("belongs to another user"), "\(scene)")
        #expect(try TextFile.read(target) == content, "\(scene)")
        var status = stat()
        #expect(unsafe lstat(target + ".new", &status) != 0, "\(scene)")
        await directory.remove()
    }
}
