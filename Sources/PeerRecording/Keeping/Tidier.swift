// Compresses and deletes old files on a thread of its own, when nobody else wants the machine.
import Glibc
import PeerList

/// Keeps the old files of one file of lines in order: compressed, and no more than are wanted.
///
/// One pass looks at what is there, and so also ends what a crash has left.
final class Tidier: Sendable {
    private struct State {
        var isWanted = false
        var isRunning = false
        /// The old file that the thread is at, or was last.
        var stampAtHand: String?
        /// Whether the thread leaves the rest to whoever waits for the end.
        var isTakenOver = false
        /// What this pass has told, by whomever it is made.
        var told: Set<String> = []
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

    /// Returns when all passes are made, of which it makes itself what is left.
    ///
    /// Where others want the machine the thread gets next to nothing of it, and
    /// whoever waits for the end is not to wait for them. Only the file that the
    /// thread is at is left to it.
    func finish() {
        let taken = monitor.change { state in
            state.isTakenOver = state.isRunning
            return (isBehind: state.isRunning, at: state.stampAtHand)
        }
        guard taken.isBehind else { return }
        tidy { $0.stamp != taken.at }
        monitor.wait { $0.isRunning ? nil : () }
        tidy { _ in true }
        monitor.change { $0 = State() }
    }

    private func run() {
        // Of this thread alone, on Linux.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        while takeWork() { tidy(takeUp) }
    }

    private func takeWork() -> Bool {
        monitor.change { state in
            guard state.isWanted, !state.isTakenOver else {
                state.isRunning = false
                return false
            }
            state.isWanted = false
            state.told = []
            return true
        }
    }

    /// Whether the thread is to see to an old file.
    private func takeUp(_ entry: KeptFiles.Entry) -> Bool {
        monitor.change { state in
            if !state.isTakenOver { state.stampAtHand = entry.stamp }
            return !state.isTakenOver
        }
    }

    /// Makes one pass over the files that are taken up: deletes first, since that makes room. What
    /// cannot be done with one file is told, and keeps no other one waiting.
    private func tidy(_ takesUp: (KeptFiles.Entry) -> Bool) {
        reporting { () throws(KeptFiles.Problem) in
            let all = try files.all()
            for entry in all.dropLast(count) where takesUp(entry) {
                reporting { () throws(KeptFiles.Problem) in try files.remove(entry) }
            }
            for entry in all.suffix(count) where takesUp(entry) {
                reporting { () throws(KeptFiles.Problem) in try compress(entry) }
            }
        }
    }

    private func reporting(_ work: () throws(KeptFiles.Problem) -> Void) {
        do throws(KeptFiles.Problem) { try work() } catch {
            let isNews = monitor.change { $0.told.insert(error.description).inserted }
            if isNews { report(error.description) }
        }
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
