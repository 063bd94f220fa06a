// Reads the recordings of a report, and writes its page.
import Glibc
package import PeerRecording
package import PeerSystem
package import PeerText

extension RecordedPresence {
    /// The maximum number of messages in a page.
    private static let noticeLimit = 20

    /// Reads recordings; returns what they tell, and messages about what they do not.
    package static func read(
        _ paths: [String], reading format: RecordingFormat
    ) throws(RecordingError) -> ([RecordedPresence], notices: [String]) {
        var presences: [RecordedPresence] = []
        var notices: [String] = []
        for path in paths {
            let name = path == "-" ? "standard input" : path
            let recording = try Progress.open(path, reading: format)
            let presence = RecordedPresence(recording, named: name) { complain($0) }
            notices += presence.notices(on: name)
            presences.append(presence)
        }
        let more = notices.count - noticeLimit
        notices = Array(notices.prefix(noticeLimit))
        if more > 0 { notices.append("There are \(more) more such messages.") }
        return (presences, notices)
    }
}

/// The place to which the page is written.
package enum ReportFile: ~Copyable {
    case standardOutput
    /// A descriptor that the shell opened, by its path.
    case descriptor(String)
    case file(FileEntry)

    /// Finds the file, and refuses it unless it is an earlier page.
    package init(path: String) throws(FileRefusal) {
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

    package consuming func write(_ text: String) throws(FileRefusal) -> ExitStatus {
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
