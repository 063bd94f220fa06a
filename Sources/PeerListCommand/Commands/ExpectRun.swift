// Runs `peerlist expect`: has recordings or the list compared with a file, or makes a file.
import PeerCapture
import PeerExpect
import PeerRecording
import PeerSession
import PeerText

extension Options {
    /// Compares recordings, or what is there now, with a file; or makes a file.
    @MainActor func runExpect() async throws(UsageError) -> ExitStatus {
        if expect.writes {
            guard ExpectationFile.mayBeWritten(to: expect.path) else { return .failure }
            guard expect.readsLedger || !expect.recordings.isEmpty else {
                return try await runList()
            }
            return writeExpectations()
        }
        let status = try await judge()
        // A monitoring server shows standard output alone.
        if [.usage, .failure].contains(status), expect.format == .plugin, !expect.watches {
            _ = printOut("PEERLIST UNKNOWN - it is not known what is there, see standard error\n")
        }
        return status
    }

    @MainActor private func judge() async throws(UsageError) -> ExitStatus {
        guard let file = ExpectationFile.read(expect.path) else { return .usage }
        var options = self
        options.expect.file = file
        if !expect.recordings.isEmpty {
            Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
            return recordings.judge(by: file, expect.format)
        }
        guard source == .fleet || !listenedInterfaces(interface).isEmpty else {
            complain("no network interface is up")
            return .failure
        }
        return try await options.runList()
    }

    private var recordings: ExpectedRecordings {
        ExpectedRecordings(expect.recordings, reading: .capture)
    }

    /// Makes a file of the ledger, or of the end of the last recording.
    private func writeExpectations() -> ExitStatus {
        let (written, isWhole): (WrittenExpectations, Bool)
        do {
            if expect.readsLedger {
                (written, isWhole) = (WrittenExpectations(of: try LedgerFile().load()), true)
            } else {
                Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
                guard let moment = try recordings.last() else { return .failure }
                (written, isWhole) = (
                    WrittenExpectations(of: moment.list.listSections), moment.isWhole
                )
            }
        } catch {
            complain("\(error)")
            return .failure
        }
        let judgement = Judgement()
        let printed = printOut(judgement.text(of: written, writtenTo: expect.path))
        return printed == .done && isWhole ? judgement.status : .failure
    }
}
