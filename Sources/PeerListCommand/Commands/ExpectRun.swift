// Runs `peerlist expect`: has recordings or the list compared with a file, or makes a file.
import PeerExpect
import PeerLedger
import PeerRecording
import PeerSession
import PeerText
import Synchronization

extension Options {
    /// Returns the status of a command that cannot run; that of a monitoring plug-in is for what is not known, with a
    /// text for the server.
    static func status(_ status: ExitStatus, of words: [String]) -> ExitStatus {
        let isPlugin = zip(words, words.dropFirst()).contains { option, value in
            ["--format=nagios", "-fnagios"].contains(value)
                || ["-f", "--format"].contains(option) && value == "nagios"
        }
        guard words.first == "expect", isPlugin else { return status }
        _ = printOut(ExpectationResult.unknown(Complaints.last ?? ""))
        return status.ofPlugin
    }

    /// Compares recordings, or what is there now, with a file; or makes a file.
    @MainActor func runExpect() async throws(UsageError) -> ExitStatus {
        if expect.writes {
            guard ExpectationFile.mayBeWritten(to: expect.path) else { return .failure }
            guard expect.readsLedger || !expect.recordings.isEmpty else {
                return try await runList(Judgement())
            }
            return writeExpectations()
        }
        guard expect.format.isPlugin, !expect.watches else { return try await judge(Judgement()) }
        let judgement = Judgement()
        var status: ExitStatus
        do throws(UsageError) {
            status = try await judge(judgement)
        } catch {
            complain(error.description)
            status = .usage
        }
        // A monitoring server shows standard output alone.
        if !judgement.isMade, [.usage, .failure].contains(status) {
            let cause = status == .usage ? Complaints.first : Complaints.last
            _ = printOut(ExpectationResult.unknown(cause ?? "it is not known what is there"))
        }
        return expect.format == .nagios ? status.ofPlugin : status
    }

    @MainActor private func judge(_ judgement: Judgement) async throws(UsageError) -> ExitStatus {
        guard let file = ExpectationFile.read(expect.path) else { return .usage }
        var options = self
        options.expect.file = file
        if !expect.recordings.isEmpty {
            Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
            return await judgeRecordings(by: file, judgement)
        }
        guard source == .fleet || !listenedInterfaces(interface).isEmpty else {
            complain("no network interface is up")
            return .failure
        }
        return try await options.runList(judgement)
    }

    /// Compares the recordings from their beginnings to their ends with a file, and prints the result.
    private func judgeRecordings(
        by file: ExpectationFile, _ judgement: Judgement
    ) async -> ExitStatus {
        do throws(RecordingError) {
            let source = try RecordingSource(expect.recordings)
            let found = Mutex<ExpectationResult?>(nil)
            let output = RecordedFaults(file) { result in found.withLock { $0 = result } }
            let played = await Session(source: source, outputs: [output]).play()
            if case .failed(let reason) = played.end { throw RecordingError(reason) }
            guard var result = found.withLock(\.self) else {
                throw RecordingError("there is no list in the recordings that can be read")
            }
            if !played.isWhole { result.noteDamage() }
            let printed = printOut(judgement.text(of: result, expect.format))
            return printed == .done ? judgement.status : printed
        } catch {
            complain(error.description)
            return .failure
        }
    }

    /// Makes a file of the ledger, or of the end of the last recording.
    private func writeExpectations() -> ExitStatus {
        let (written, isWhole): (WrittenExpectations, Bool)
        do {
            if expect.readsLedger {
                (written, isWhole) = (WrittenExpectations(of: try LedgerFile().load()), true)
            } else {
                Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
                let source = try RecordingSource(expect.recordings)
                guard let moment = try source.last() else { return .failure }
                (written, isWhole) = (
                    WrittenExpectations(of: moment.list.listSections),
                    source.isWhole && moment.isWhole
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
