// Reads files of expectations, compares recordings with them, and makes files of recordings.
import Glibc
import PeerModel
package import PeerRecording
import PeerSystem
package import PeerText

extension ExpectationFile {
    /// Reads a file; errors are reported on standard error.
    package static func read(_ path: String) -> ExpectationFile? {
        let bytes: [UInt8]
        do throws(SmallFileError) {
            bytes = try readFile(path, limit: sizeLimit)
        } catch {
            let reason =
                switch error {
                case .system(let code): unsafe String(cString: strerror(code))
                case .notRegular: "it is not a regular file"
                case .tooLarge: "it has more than \(sizeLimit >> 10) KiB"
                }
            complain("\(path) cannot be read: \(reason)")
            return nil
        }
        let (file, errors) = parse(bytes)
        for error in errors { complain("\(path):\(error.line): \(error.message)") }
        if errors.count == errorLimit {
            complain("\(path): no more than \(errors.count) errors are shown")
        }
        return errors.isEmpty ? file : nil
    }

    /// Whether a file can be made; a reason why it cannot be is reported on standard error.
    package static func mayBeWritten(to path: String) -> Bool {
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
}

/// Successive recordings, to compare with a file of expectations or to make such a file from.
package struct ExpectedRecordings {
    private let paths: [String]
    private let format: RecordingFormat

    package init(_ paths: [String], reading format: RecordingFormat) {
        (self.paths, self.format) = (paths, format)
    }

    /// Compares the recordings from their beginnings to their ends with a file, and prints the result.
    package func judge(
        by file: ExpectationFile, _ resultFormat: ExpectationFormat, _ judgement: Judgement
    ) -> ExitStatus {
        do throws(RecordingError) {
            var faults = RecordedFaults(file)
            var isWhole = true
            for (path, recording) in try opened(&isWhole) {
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
            guard let result = faults.finish(isWhole: isWhole) else {
                throw RecordingError("there is no list in the recordings that can be read")
            }
            let printed = printOut(judgement.text(of: result, resultFormat))
            return printed == .done ? judgement.status : printed
        } catch {
            complain(error.description)
            return .failure
        }
    }

    /// Returns the list at the end of the last recording, and whether all of it could be read.
    package func last() throws(RecordingError) -> (list: RecordedList, isWhole: Bool)? {
        var isWhole = true
        guard let (path, recording) = try opened(&isWhole).last else { return nil }
        Progress.update(.reading(recording, path: path))
        let moment = try RecordedMoment(of: recording, path)
        return (moment.list, isWhole && moment.isWhole)
    }

    /// Opens the recordings, in the order of their first lines; damage before these is noted.
    private func opened(
        _ isWhole: inout Bool
    ) throws(RecordingError) -> [(path: String, recording: Recording)] {
        var opened: [(path: String, recording: Recording, start: Timestamp)] = []
        for path in paths {
            let recording = try Progress.open(path, reading: format)
            // The first line is read, but not applied.
            let earliest = Timestamp(microseconds: .min)
            while case .damage(let damage) = try recording.next(upTo: earliest) {
                complain("\(path): \(damage)")
                if !damage.isCutOff { isWhole = false }
            }
            opened.append((path, recording, recording.nextTime ?? earliest))
        }
        return opened.sorted { $0.start < $1.start }.map { ($0.path, $0.recording) }
    }
}
