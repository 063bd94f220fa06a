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
        defer { close(file) }
        if let code = file < 0 ? errno : writeAll(PackageResources.demo_pcap, to: file) {
            complain("the demo cannot be kept in memory: \(unsafe String(cString: strerror(code)))")
            return .failure
        }
        var options = self
        options.recording.path = "/proc/self/fd/\(file)"
        if destination != .screen || isatty(STDOUT_FILENO) != 1 {
            complain("this is a demo; 'peerlist' lists the devices on your own network")
        }
        return try await ReplayRun(options.recording, options).run()
    }
}
