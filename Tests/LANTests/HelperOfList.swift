// Finds the helper processes of a running list.
import LabSupport
import Testing

/// The helper process that is the mDNS stack of a list.
struct HelperOfList {
    /// A program of helper processes, by its argument.
    enum Role: String, CaseIterable {
        case stack = ""
        case witness, silent
    }

    let pid: Int32

    /// Finds the only helper that a process has started.
    init(_ list: Int32) async throws {
        let pids = try await Self.all(.stack, of: list)
        pid = try #require(pids.count == 1 ? pids.first : nil, "process \(list) has \(pids)")
    }

    /// Returns the helpers of a role that a process has started.
    ///
    /// Other children are left out: a sanitizer starts llvm-symbolizer for its first report, also for one
    /// that is suppressed, and keeps it.
    static func all(_ role: Role, of list: Int32) async throws -> [Int32] {
        let match =
            role == .stack
            ? "--files-without-match '^\\(witness\\|silent\\)$'"
            : "--files-with-matches '^\(role.rawValue)$'"
        let script = """
            grep --files-with-matches --no-messages "^PPid:.$1$" /proc/[0-9]*/status |
                xargs --no-run-if-empty grep --files-with-matches --no-messages "^Name:.peerlist-mdns$" |
                sed s/status/cmdline/ |
                xargs --no-run-if-empty grep --null-data --no-messages \(match)
            """
        let found = try await FinishedProcess(["sh", "-c", script, "sh", "\(list)"])
        return found.output.split(separator: "\n").compactMap {
            $0.split(separator: "/").dropFirst().first.flatMap { Int32($0) }
        }
    }

    /// Finds the only helper that runs on a machine of a lab.
    init(in lab: Lab, on host: String) async throws {
        let script = """
            for process in /proc/[0-9]*; do
                [ "$(cat "$process/comm" 2>/dev/null)" = peerlist-mdns ] || continue
                grep --quiet --null-data '^\\(witness\\|silent\\)$' "$process/cmdline" && continue
                [ "$process/ns/net" -ef /proc/self/ns/net ] && basename "$process"
            done
            """
        let found = try await lab.run(host, ["sh", "-c", script])
        let pids = found.output.split(separator: "\n").compactMap { Int32($0) }
        pid = try #require(pids.count == 1 ? pids.first : nil, "\(host) has \(pids)")
    }

    /// Waits until it has ended.
    func end(within limit: Duration) async throws {
        let wait = ["tail", "--pid=\(pid)", "--follow", "/dev/null"]
        let finished = try await FinishedProcess(wait, within: limit)
        try #require(finished.status == 0, "process \(pid) has not ended")
    }
}
