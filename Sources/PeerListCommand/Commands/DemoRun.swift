// Runs `peerlist demo`: plays the capture that the program brings along.
import CProgram
import Glibc
import PeerModel
import PeerRecording
import PeerSystem
import PeerText

extension Options {
    /// Plays the capture from memory, as `replay` plays a file.
    @MainActor func runDemo() async throws(UsageError) -> ExitStatus {
        let file = unsafe open_memory_file("demo")
        guard file >= 0, writeAll(PackageResources.demo_pcap, to: file) == nil else {
            let reason = unsafe String(cString: strerror(errno))
            complain("the demo cannot be kept in memory: \(reason)")
            return .failure
        }
        defer { close(file) }
        var options = self
        options.recording.path = "/proc/self/fd/\(file)"
        if destination != .screen || isatty(STDOUT_FILENO) != 1 {
            complain("this is a demo; 'peerlist' lists the devices on your own network")
        }
        return try await ReplayRun(options.recording, options).run()
    }
}
