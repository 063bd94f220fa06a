// The pipes to the list: requests on standard input, events on standard output, messages on standard error.
import Glibc
import StackProtocol

/// The helper's ends of the pipe.
///
/// Events are written immediately, and a list that does not read blocks the stack. So the pipe limits
/// the number of unread events, and no event is lost.
final class EventPipe {
    private var reader = FrameReader<StackRequest>()
    private var chunk = [UInt8](repeating: 0, count: 65_536)
    private var isBroken = false
    /// The events until ``open()`` is called.
    private var pending: [UInt8]? = []

    /// Sends a hello and waits for the hello of the list; returns `nil` if standard input ends
    /// before.
    func greeting() -> StackSettings? {
        send(.hello(version: protocolVersion))
        while true {
            if case .hello(_, let settings) = next() { return settings }
            guard fill() else { return nil }
        }
    }

    /// Writes the pending events, and later events immediately.
    ///
    /// The list assumes that a stack is confined when it receives an event.
    func open() {
        let bytes = pending ?? []
        pending = nil
        write(bytes)
    }

    /// Waits for bytes and reads them; returns `false` at the end of standard input.
    func fill() -> Bool {
        while true {
            let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            reader.append(chunk.prefix(count))
            return true
        }
    }

    func next() -> StackRequest? {
        do throws(FrameError) {
            return try reader.next()
        } catch {
            refuse(error.description)
        }
    }

    /// Writes an event, which blocks while the pipe is full.
    func send(_ event: StackEvent) {
        do throws(FrameError) {
            let frame = try event.frame()
            if pending == nil { write(frame) } else { pending? += frame }
        } catch {
            // Names from libavahi do not exceed the limits; other events are not affected.
            log("peerlist-mdns: an event is left out: \(error)")
        }
    }

    private func write(_ bytes: [UInt8]) {
        // The reader may have exited; the end of standard input follows.
        if !isBroken { isBroken = !writeAll(bytes) }
    }
}

/// Writes bytes to standard output, which blocks while the pipe is full; returns `false` if the reader has exited.
@discardableResult
func writeAll(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
            unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
        }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno != EINTR {
            return false
        }
    }
    return true
}

/// Exits with a reason on standard error.
func refuse(_ reason: String) -> Never {
    log("peerlist-mdns: \(reason)")
    exit(EXIT_FAILURE)
}

/// Writes a line to standard error; peerlist keeps the last lines.
func log(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
}
