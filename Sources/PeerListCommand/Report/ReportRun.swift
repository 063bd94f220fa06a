// Runs `peerlist report`: reads the recordings and writes the page.
import Glibc
import PeerList
import PeerRecording

struct ReportRun {
    private static let noticeLimit = 20

    private let options: ReportOptions

    init(_ options: ReportOptions) { self.options = options }

    func run() -> ExitStatus {
        let output = OutputPage(path: options.output)
        do throws(RecordingError) {
            try output.check()
            var recordings: [RecordedPresence] = []
            var notices: [String] = []
            for path in options.recordings {
                let name = path == "-" ? "standard input" : path
                let recording = try Recording(path: path)
                var presence = RecordedPresence(recording) { complain("\(name): \($0)") }
                if presence.coverage.isEmpty, presence.damage.count == 0 {
                    presence.damage = (1, "it is empty")
                    complain("\(name) is empty")
                }
                notices += presence.notices.map { "\(name): \($0)" }
                recordings.append(presence)
            }
            guard let report = Report(recordings) else {
                throw RecordingError("there is no list in these recordings; no page is written")
            }
            let more = notices.count - Self.noticeLimit
            notices = Array(notices.prefix(Self.noticeLimit))
            if more > 0 { notices.append("There are \(more) more such messages.") }
            return try output.write(ReportPage(report, notices: notices).text)
        } catch {
            complain(error.description)
            return .failure
        }
    }
}

extension RecordedPresence {
    /// Messages about parts of the recording that are missing or left out.
    fileprivate var notices: [String] {
        var notices: [String] = []
        if let first = damage.first {
            let more = damage.count > 1 ? " (and \(damage.count - 1) more)" : ""
            notices.append("\(first)\(more)")
        }
        notices += filters.sorted().prefix(10).map { "only this was recorded: \($0)" }
        if omitsDevices {
            notices.append("devices after the first \(Self.deviceLimit) are left out")
        }
        if joinedIntervalCount > 0 {
            notices.append(
                "\(joinedIntervalCount) absences are left out, of those that came and went most"
            )
        }
        return notices
    }
}

/// The file or the pipe to which the page is written.
private struct OutputPage {
    private let path: String
    private let status: stat?

    init(path: String) {
        var found = stat()
        status = unsafe path != "-" && stat(path, &found) == 0 ? found : nil
        // The file that a link names is replaced, not the link.
        let real = unsafe realpath(path, nil)
        defer { unsafe free(real) }
        self.path = unsafe real.map { unsafe String(cString: $0) } ?? path
    }

    private var isFile: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? true }

    /// Refuses to replace a file that is not an earlier page.
    func check() throws(RecordingError) {
        guard path != "-", let status else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw RecordingError("\(path) is a directory; write the name of a file")
        }
        guard isFile, status.st_size > 0 else { return }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        let wanted = Array(ReportPage.start.utf8)
        var start = [UInt8](repeating: 0, count: wanted.count)
        guard unsafe read(descriptor, &start, start.count) == wanted.count, start == wanted else {
            throw RecordingError(
                "\(path) exists and is not a report, so it is not replaced; "
                    + "write another name, or remove it"
            )
        }
    }

    func write(_ text: String) throws(RecordingError) -> ExitStatus {
        let bytes = Array(text.utf8)
        guard path != "-" else { return writeOut(bytes) ?? .done }
        let code: Int32?
        if isFile {
            // A page tells who was where and when, so a new one is for its user alone.
            code = replaceFile(path, by: bytes, mode: status == nil ? 0o600 : nil)
        } else {
            let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure(errno) }
            code = writeAll(bytes, to: descriptor)
            close(descriptor)
        }
        if let code { throw failure(code) }
        return .done
    }

    private func failure(_ code: Int32) -> RecordingError {
        RecordingError("\(path) cannot be written: \(unsafe String(cString: strerror(code)))")
    }
}
