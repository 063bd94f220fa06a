// Has the packets on the link appended to a capture.
import Glibc
package import PeerList
package import PeerRecording
package import PeerSystem

/// The path of a capture in the format pcapng, to which what is heard is appended.
package struct CaptureFile: Sendable {
    /// The first bytes of the format pcapng.
    private static let start: [UInt8] = [0x0a, 0x0d, 0x0d, 0x0a]

    private let path: String

    package init(path: String) { self.path = path }

    /// Opens the capture for appending, or creates it for this user alone.
    ///
    /// It is locked while it is open, also in the helper.
    ///
    /// - Throws: ``FileRefusal``, also if the file is something else, or another peerlist writes it.
    private func open() throws(FileRefusal) -> Int32 {
        let entry = try FileEntry(path)
        let descriptor = try entry.openOrCreate()
        _ = fcntl(descriptor, F_SETFL, O_APPEND)
        if let reason = refusalReason(of: descriptor, isFile: entry.isRegularOrFree) {
            close(descriptor)
            throw FileRefusal(path, reason)
        }
        return descriptor
    }

    /// Opens the capture, and has browsers append what they hear, also after an earlier capture.
    package func begin(_ browsers: [any CapturingBrowser]) async throws(FileRefusal) {
        let capture = OpenCapture(descriptor: try open())
        for browser in browsers { await browser.capture(to: capture) }
    }

    private func refusalReason(of descriptor: Int32, isFile: Bool) -> String? {
        guard isFile else { return "is not a file that a capture can be appended to" }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            return "is written by another peerlist already; name another"
        }
        var first = [UInt8](repeating: 0, count: Self.start.count)
        let count = unsafe pread(descriptor, &first, first.count, 0)
        guard count == 0 || first == Self.start else {
            return "is no capture in the format pcapng, and nothing is appended to other files; "
                + "name another"
        }
        return nil
    }
}

/// The output that opens a capture again when its file was renamed.
package final class CaptureOutput: ListOutput {
    private let file: CaptureFile
    private let browsers: [any CapturingBrowser]
    private let session: AsyncStream<SessionMessage>.Continuation

    /// Creates the output of a capture that the browsers have begun; `session` receives notices.
    package init(
        _ file: CaptureFile, _ browsers: [any CapturingBrowser],
        _ session: AsyncStream<SessionMessage>.Continuation
    ) {
        (self.file, self.browsers, self.session) = (file, browsers, session)
    }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        guard case .reopened = event else { return }
        Task { [file, browsers, session] in
            // The lock of a file that was not renamed ends with the former descriptor.
            for browser in browsers { await browser.endCapture() }
            do throws(FileRefusal) {
                try await file.begin(browsers)
            } catch {
                session.yield(.notice(.captureEnded, "the capture has ended: \(error)"))
            }
        }
    }

    package func close(within limit: Duration) async -> LineFailure? { nil }
}
