// Writes the page of a report.
import Glibc
package import PeerSystem
package import PeerText

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
