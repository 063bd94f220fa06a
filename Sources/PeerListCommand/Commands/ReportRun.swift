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
        do {
            let output = try OutputPage(path: self.output.isEmpty ? "-" : self.output)
            let (presences, notices) = try read()
            Progress.update(.search("making the page", until: nil))
            guard let report = Report(presences) else {
                throw RecordingError("there is no list in these recordings; no page is written")
            }
            return try output.write(ReportPage(report, notices: notices).text)
        } catch {
            complain("\(error)")
            return .failure
        }
    }

    /// Reads the recordings; returns what they tell, and messages about what they do not.
    func read() throws(RecordingError) -> ([RecordedPresence], notices: [String]) {
        Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
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
        let more = notices.count - Self.noticeLimit
        notices = Array(notices.prefix(Self.noticeLimit))
        if more > 0 { notices.append("There are \(more) more such messages.") }
        return (presences, notices)
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
            try ReportPage.check(entry)
            self = .file(entry)
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
