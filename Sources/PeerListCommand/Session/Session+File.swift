// What a session does for the file of `--output`: its time, its failures, and trying it again.
import PeerList
import PeerRecording

extension Session {
    /// Tries the file again, also when nothing happens, until it is written.
    func retryFile() {
        guard isFileFailing else { return }
        tick(at: .now())
        post(.retryTime, after: LineOutput.retryInterval)
    }

    /// Asked before the list changes, so that a file ends with the list with which the next one begins.
    func tick(at time: Timestamp) {
        for output in outputs { output.tick(at: time, list: listing.sections) }
    }

    func take(_ event: LineWriter.Event) {
        switch event {
        case .failed(let failure):
            if !isFileFailing { post(.retryTime, after: LineOutput.retryInterval) }
            isFileFailing = true
            tell(failure)
        case .recovered:
            isFileFailing = false
            tell(.outputBack, "the output file is written again, and starts with the whole list")
        }
    }

    private func tell(_ failure: LineFailure) {
        switch failure {
        case .diskFull:
            tell(
                .diskFull,
                "the disk of the output file is full; the lines start again when there is room")
        default:
            tell(.outputFailed, "the output file cannot be written: \(failure)")
        }
    }
}
