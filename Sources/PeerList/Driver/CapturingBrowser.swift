// Has the packets that a browser hears written to a capture.
import Glibc

/// A browser whose helper appends the packets that it hears to a capture in the format pcapng. Several browsers can append
/// to one file.
package protocol CapturingBrowser: Actor {
    /// Begins a capture, which replaces an earlier one; does nothing after the end of the browser.
    func capture(to capture: OpenCapture)

    /// Releases the lock of the capture; the helper appends to it until it gets another one.
    func endCapture()
}

/// A capture that is open for appending, and locked.
package final class OpenCapture: Sendable {
    package let descriptor: Int32

    /// Takes over a descriptor, which is closed with this value.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Releases the lock, which would otherwise last until the helpers have closed their copies.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
