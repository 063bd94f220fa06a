// Runs `peerlist expect`: reads the file and the recordings, or has the list judged.
import Glibc
import PeerCapture
import PeerExpect
import PeerList
import PeerRecording
import PeerSession
import PeerSystem
import PeerText

extension ExpectOptions {
    /// Reads the file; errors are reported on standard error.
    func read() -> ExpectationFile? {
        let bytes: [UInt8]
        do throws(SmallFileError) {
            bytes = try readFile(path, limit: ExpectationFile.sizeLimit)
        } catch {
            let reason =
                switch error {
                case .system(let code): unsafe String(cString: strerror(code))
                case .notRegular: "it is not a regular file"
                case .tooLarge: "it has more than \(ExpectationFile.sizeLimit >> 10) KiB"
                }
            complain("\(path) cannot be read: \(reason)")
            return nil
        }
        let (file, errors) = ExpectationFile.parse(bytes)
        for error in errors { complain("\(path):\(error.line): \(error.message)") }
        if errors.count == ExpectationFile.errorLimit {
            complain("\(path): no more than \(errors.count) errors are shown")
        }
        return errors.isEmpty ? file : nil
    }

    /// Judges the recordings from their beginnings to their ends.
    func judgeRecordings(showsProgress: Bool) -> ExitStatus {
        Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
        do throws(RecordingError) {
            var faults = RecordedFaults(file)
            var isWhole = true
            for (path, recording) in try opened() {
                Progress.update(.reading(recording, path: path))
                while let step = try recording.next() {
                    switch step {
                    case .line: faults.add(recording)
                    case .damage(let damage):
                        complain("\(path): \(damage)")
                        guard !damage.isCutOff else { continue }
                        isWhole = false
                        faults.lose()
                    }
                }
            }
            guard let result = faults.finish() else {
                throw RecordingError("there is no list in the recordings that can be read")
            }
            let printed = printOut(result.text(format))
            guard printed == .done else { return printed }
            return result.isAsExpected ? (isWhole ? .done : .failure) : .unexpected
        } catch {
            complain(error.description)
            return .failure
        }
    }

    /// Opens the recordings, in the order of their first lines.
    private func opened() throws(RecordingError) -> [(path: String, recording: Recording)] {
        var opened: [(path: String, recording: Recording, start: Timestamp)] = []
        for path in recordings {
            let recording = try Recording(path: path, reading: .capture)
            // The first line is read, but not applied.
            let earliest = Timestamp(microseconds: .min)
            while case .damage(let damage) = try recording.next(upTo: earliest) {
                complain("\(path): \(damage)")
            }
            opened.append((path, recording, recording.nextTime ?? earliest))
        }
        return opened.sorted { $0.start < $1.start }.map { ($0.path, $0.recording) }
    }

    /// Whether the file can be made; a reason why it cannot be is reported on standard error.
    func mayWrite() -> Bool {
        guard path != "-" else { return true }
        do throws(FileRefusal) {
            guard try FileEntry(path).status == nil else {
                throw FileRefusal(
                    path, "exists, and is not replaced; write another name, or remove it")
            }
            return true
        } catch {
            complain(error.description)
            return false
        }
    }

    /// Makes a file of the ledger, or of the end of the last recording.
    func writeExpectations(_ judgement: Judgement = Judgement()) -> ExitStatus {
        let written: WrittenExpectations
        var isWhole = true
        do {
            if readsLedger {
                written = WrittenExpectations(of: try LedgerFile().load())
            } else {
                guard let last = try opened().last else { return .failure }
                let moment = try RecordedMoment(of: last.path, at: nil, reading: .capture)
                isWhole = moment.isWhole
                written = WrittenExpectations(of: moment.list.listSections)
            }
        } catch {
            complain("\(error)")
            return .failure
        }
        let printed = printOut(judgement.text(of: written, writtenTo: path))
        return printed == .done && isWhole ? judgement.status : .failure
    }
}

extension Options {
    /// Judges recordings, or what is there now; or makes a file of expectations.
    @MainActor func runExpect() async throws(UsageError) -> ExitStatus {
        if expect.writes {
            guard expect.mayWrite() else { return .failure }
            guard expect.readsLedger || !expect.recordings.isEmpty else {
                return try await runList()
            }
            return expect.writeExpectations()
        }
        let status = try await judge()
        // A monitoring server shows standard output alone.
        if [.usage, .failure].contains(status), expect.format == .plugin, !expect.watches {
            _ = printOut("PEERLIST UNKNOWN - it is not known what is there, see standard error\n")
        }
        return status
    }

    @MainActor private func judge() async throws(UsageError) -> ExitStatus {
        guard let file = expect.read() else { return .usage }
        var options = self
        options.expect.file = file
        if !expect.recordings.isEmpty {
            return options.expect.judgeRecordings(showsProgress: showsProgress)
        }
        guard source == .fleet || !listenedInterfaces(interface).isEmpty else {
            complain("no network interface is up")
            return .failure
        }
        return try await options.runList()
    }
}
