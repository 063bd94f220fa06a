// Tells that nobody reads the output any more, though nothing is being written.
import Glibc
import PeerList

/// Watches the reader of a pipe.
enum ReaderWatch {
    /// Calls `receive` when the pipe that a descriptor leads into is closed at its other end.
    ///
    /// What is no pipe has no such end, and without a thread to wait on, it is left to what is
    /// written to find out.
    static func start(on descriptor: Int32, _ receive: @escaping @Sendable () -> Void) {
        _ = startThread {
            var request = pollfd(fd: descriptor, events: 0, revents: 0)
            while unsafe poll(&request, 1, -1) < 0, errno == EINTR {}
            if request.revents & Int16(POLLERR) != 0 { receive() }
        }
    }
}
