// Runs `peerlist report`: reads the recordings and writes the page.
import Glibc
import PeerRecording
import PeerReport
import PeerSession
import PeerText
import Synchronization

extension ReportOptions {
    /// The maximum number of messages in a page.
    private static let noticeLimit = 20

    /// Writes the page; to standard output if no output was given, unless that is a terminal.
    func run() async throws(UsageError) -> ExitStatus {
        guard !output.isEmpty || isatty(STDOUT_FILENO) == 0 else {
            throw UsageError(
                "'peerlist report' needs '--output'; write for instance "
                    + "'peerlist report --output report.html peers.jsonl'")
        }
        do {
            let output = try ReportFile(path: self.output.isEmpty ? "-" : self.output)
            let (presences, notices) = try await read()
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
    func read() async throws(RecordingError) -> ([RecordedPresence], notices: [String]) {
        Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
        var presences: [RecordedPresence] = []
        var notices: [String] = []
        for path in recordings {
            let presence = try await RecordedPresence.read(path)
            notices += presence.notices(on: recordingName(ofPath: path))
            presences.append(presence)
        }
        let more = notices.count - Self.noticeLimit
        notices = Array(notices.prefix(Self.noticeLimit))
        if more > 0 { notices.append("There are \(more) more such messages.") }
        return (presences, notices)
    }
}

extension RecordedPresence {
    /// Reads a recording to its end, or to a failure to read, and reports parts that cannot be used.
    fileprivate static func read(_ path: String) async throws(RecordingError) -> RecordedPresence {
        let source = try RecordingSource([path])
        let found = Mutex(RecordedPresence())
        let output = PresenceOutput { presence in found.withLock { $0 = presence } }
        let played = await Session(source: source, outputs: [output]).play()
        var presence = found.withLock(\.self)
        presence.damage = played.damage
        if case .failed(let reason) = played.end {
            complain(reason)
            presence.damage = (played.damage.count + 1, played.damage.first ?? reason)
        } else if presence.isEmpty, played.damage.count == 0 {
            let text = "\(recordingName(ofPath: path)) is empty"
            complain(text)
            presence.damage = (1, text)
        }
        return presence
    }
}
