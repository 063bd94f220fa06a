// Runs `peerlist report`: reads the recordings and writes the page.
import Glibc
import PeerCapture
import PeerList
import PeerRecording
import PeerReport
import PeerSystem
import PeerText

extension ReportOptions {
    private static let noticeLimit = 20

    /// Writes the page; to standard output if no output was given, unless that is a terminal.
    func run() throws(UsageError) -> ExitStatus {
        guard !output.isEmpty || isatty(STDOUT_FILENO) == 0 else {
            throw UsageError(
                "'peerlist report' needs '--output'; write for instance "
                    + "'peerlist report --output report.html peers.jsonl'")
        }
        Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
        do {
            let output = try OutputPage(path: self.output.isEmpty ? "-" : self.output)
            var presences: [RecordedPresence] = []
            var notices: [String] = []
            for path in recordings {
                let name = path == "-" ? "standard input" : path
                Progress.update(.search("opening \(path)", until: nil))
                let recording = try Recording(path: path, reading: .capture)
                Progress.update(.reading(recording, path: path))
                let presence = RecordedPresence(recording, named: name) { complain($0) }
                notices += presence.notices(on: name)
                presences.append(presence)
            }
            Progress.update(.search("making the page", until: nil))
            guard let report = Report(presences) else {
                throw RecordingError("there is no list in these recordings; no page is written")
            }
            let more = notices.count - Self.noticeLimit
            notices = Array(notices.prefix(Self.noticeLimit))
            if more > 0 { notices.append("There are \(more) more such messages.") }
            return try output.write(ReportPage(report, notices: notices).text)
        } catch {
            complain("\(error)")
            return .failure
        }
    }
}

extension RecordedPresence {
    /// Returns messages about parts of the recording that are missing or left out.
    fileprivate func notices(on name: String) -> [String] {
        let more = damage.count > 1 ? " (and \(damage.count - 1) more)" : ""
        let first = damage.first.map { ["\($0)\(more)"] } ?? []
        var notices: [String] = []
        notices += filters.sorted().prefix(10).map { "only this was recorded: \($0)" }
        if omitsDevices {
            notices.append("devices after the first \(Self.deviceLimit) are left out")
        }
        if joinedIntervalCount > 0 {
            notices.append(
                "\(joinedIntervalCount) absences are left out, of those that came and went most"
            )
        }
        return first + notices.map { "\(name): \($0)" }
    }
}

/// The place to which the page is written.
private enum OutputPage: ~Copyable {
    case standardOutput
    /// A descriptor that the shell opened, by its path.
    case descriptor(String)
    case file(FileEntry)

    /// Finds the file, and refuses one that is not an earlier page.
    init(path: String) throws(FileRefusal) {
        if path == "-" {
            self = .standardOutput
        } else if namesDescriptor(path) {
            self = .descriptor(path)
        } else {
            let entry = try FileEntry(path)
            try Self.check(entry)
            self = .file(entry)
        }
    }

    private static func check(_ entry: borrowing FileEntry) throws(FileRefusal) {
        guard let status = entry.status else { return }
        if status.kind == S_IFDIR { throw FileRefusal(entry.path, code: EISDIR) }
        guard status.kind == S_IFREG, status.st_size > 0 else { return }
        let descriptor = try entry.open(O_RDONLY)
        defer { close(descriptor) }
        let wanted = Array(ReportPage.start.utf8)
        var start = [UInt8](repeating: 0, count: wanted.count)
        guard unsafe read(descriptor, &start, start.count) == wanted.count, start == wanted else {
            throw FileRefusal(
                entry.path,
                "exists and is not a report, so it is not replaced; write another name, or remove it"
            )
        }
    }

    consuming func write(_ text: String) throws(FileRefusal) -> ExitStatus {
        let bytes = Array(text.utf8)
        switch consume self {
        case .standardOutput: return writeOut(bytes) ?? .done
        case .descriptor(let path):
            try writePage(bytes, to: unsafe open(path, O_WRONLY | O_CLOEXEC), path)
        case .file(let entry):
            if entry.isRegularOrFree {
                // A page tells who was where and when, so a new one is for its user alone.
                try Interruption.deferred { () throws(FileRefusal) in try entry.replace(by: bytes) }
            } else {
                try writePage(bytes, to: try entry.open(O_WRONLY), entry.path)
            }
        }
        return .done
    }
}

private func writePage(
    _ bytes: [UInt8], to descriptor: Int32, _ path: String
) throws(FileRefusal) {
    guard descriptor >= 0 else { throw FileRefusal(path, code: errno) }
    defer { close(descriptor) }
    if let code = writeAll(bytes, to: descriptor) { throw FileRefusal(path, code: code) }
}
