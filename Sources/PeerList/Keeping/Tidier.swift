// Compresses and deletes old files on a thread of its own, when nobody else wants the machine.
import Glibc

/// Keeps the old files of one file of lines in order: compressed, and no more than are wanted.
///
/// One pass looks at what is there, and so also ends what a crash has left.
final class Tidier: Sendable {
    private struct State {
        var isWanted = false
        var isRunning = false
    }

    private let files: KeptFiles
    private let count: Int
    private let report: @Sendable (String) -> Void
    private let monitor = Monitor(State())

    /// A tidier that leaves so many old files, and tells of what cannot be done.
    init(_ files: KeptFiles, count: Int, report: @escaping @Sendable (String) -> Void) {
        self.files = files
        self.count = count
        self.report = report
    }

    /// Has a pass made; returns at once.
    func wake() {
        let starts = monitor.change { state in
            defer { state.isRunning = true }
            state.isWanted = true
            return !state.isRunning
        }
        guard starts else { return }
        let code = startThread { [self] in run() }
        guard code != 0 else { return }
        monitor.change { $0.isRunning = false }
        report(KeptFiles.Problem("old files are not compressed", code: code).description)
    }

    /// Waits until all passes are made.
    func finish() { monitor.wait { $0.isRunning ? nil : () } }

    private func run() {
        // Of this thread alone, on Linux.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        while takeWork() {
            reporting { () throws(KeptFiles.Problem) in try tidy() }
        }
    }

    private func takeWork() -> Bool {
        monitor.change { state in
            defer { state.isWanted = false }
            if !state.isWanted { state.isRunning = false }
            return state.isWanted
        }
    }

    /// Makes one pass: deletes first, since that makes room. What cannot be done with one file is
    /// told, and keeps no other one waiting.
    private func tidy() throws(KeptFiles.Problem) {
        let all = try files.all()
        for entry in all.dropLast(count) {
            reporting { () throws(KeptFiles.Problem) in try files.remove(entry) }
        }
        for entry in all.suffix(count) {
            reporting { () throws(KeptFiles.Problem) in try compress(entry) }
        }
    }

    private func reporting(_ work: () throws(KeptFiles.Problem) -> Void) {
        do throws(KeptFiles.Problem) { try work() } catch { report(error.description) }
    }

    private func compress(_ entry: KeptFiles.Entry) throws(KeptFiles.Problem) {
        let unfinished = files.unfinished(entry.stamp)
        if entry.isUnfinished { unsafe unlink(unfinished) }
        guard entry.isPlain else { return }
        let copy = GzipCopy(
            source: files.plain(entry.stamp), unfinished: unfinished,
            target: files.compressed(entry.stamp))
        if entry.isCompressed {
            // Two that differ are left: one of them is not ours.
            guard copy.isMade else { return }
        } else {
            try copy.make()
            files.bringToDisk()
        }
        unsafe unlink(copy.source)
    }
}
