// The pipe of a helper that is given sockets: requests with descriptors come, and events go.
import DNSMessages
import Glibc
import StackProtocol

/// The helper's ends of the pipe. Events are written immediately, and a list that does not read blocks the helper.
final class RequestPipe<Request: StackMessage, Event: StackMessage> {
    private var reader = FrameReader<Request>()
    /// The memory into which requests are read, and packets.
    var buffer = ReceiveBuffer()
    /// The descriptors that were passed, whose requests were not read yet.
    private var passed: ArraySlice<Int32> = []

    /// Sends a hello and waits for the hello of the list; returns `false` if standard input ends before.
    func greet(with hello: Event) -> Bool {
        send([hello])
        // The first request is the hello, or an error.
        while next() == nil {
            guard fill() else { return false }
        }
        return true
    }

    /// Sends events, which blocks while the pipe is full.
    func send(_ events: [Event]) {
        var bytes: [UInt8] = []
        for event in events {
            do throws(FrameError) {
                bytes += try event.frame()
            } catch {
                // What is read of packets does not exceed the limits; other events are not affected.
                log("peerlist-mdns: an event is left out: \(error)")
            }
        }
        writeAll(bytes)
    }

    /// Waits for bytes and descriptors and reads them; returns `false` at the end of standard input.
    func fill() -> Bool {
        guard let (bytes, descriptors) = buffer.receive(fromPipe: STDIN_FILENO) else {
            return false
        }
        passed += descriptors
        reader.append(bytes)
        return true
    }

    /// Returns the next request, or `nil` until more bytes are read.
    func next() -> Request? {
        do throws(FrameError) {
            return try reader.next()
        } catch {
            refuse(error.description)
        }
    }

    /// Returns the descriptor that was passed with a request.
    func popPassed() -> Int32 {
        guard let descriptor = passed.popFirst() else { refuse("a descriptor is missing") }
        return descriptor
    }
}

/// The time in milliseconds since any fixed moment, which goes on while the machine is suspended.
func milliseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
}

/// Waits for descriptors, with the first two being standard input and the end signal.
///
/// - Parameters:
///   - waiting: The descriptors, whose results are set.
///   - limit: The time in milliseconds; -1 for none.
/// - Returns: Whether any is ready.
func wait(for waiting: inout [pollfd], within limit: Int32) -> Bool {
    let count = unsafe poll(&waiting, nfds_t(waiting.count), limit)
    if count < 0, errno != EINTR { refuse("poll: \(unsafe String(cString: strerror(errno)))") }
    return count > 0
}
