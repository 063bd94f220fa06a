// Runs `peerlist report`: reads the recordings and writes the page.
import Glibc
import PeerCapture
import PeerRecording
import PeerReport
import PeerText

extension ReportOptions {
    /// Writes the page; to standard output if no output was given, unless that is a terminal.
    func run() throws(UsageError) -> ExitStatus {
        guard !output.isEmpty || isatty(STDOUT_FILENO) == 0 else {
            throw UsageError(
                "'peerlist report' needs '--output'; write for instance "
                    + "'peerlist report --output report.html peers.jsonl'")
        }
        do {
            let output = try ReportFile(path: self.output.isEmpty ? "-" : self.output)
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
        return try RecordedPresence.read(recordings, reading: .capture)
    }
}
