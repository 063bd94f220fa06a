// The pipe to the list: requests in on standard input, events out on standard output.
import Glibc
import StackProtocol

/// Both ends of the pipe.
///
/// Events are written at once, and a list that does not read holds the stack
/// up: so what waits is bounded by the pipe, and none is lost.
final class EventPipe {
    private var reader = FrameReader<StackRequest>()
    private var chunk = [UInt8](repeating: 0, count: 65_536)
    private var isBroken = false
    /// What is told once ``open()`` is called, until it is.
    private var heldBack: [UInt8]? = []

    /// Greets, and waits for the greeting.
    ///
    /// - Returns: The settings, or `nil` where the other side is gone before it has said them.
    func greeting() -> StackSettings? {
        send(.hello(version: protocolVersion))
        while true {
            if case .hello(_, let settings) = next() { return settings }
            guard fill() else { return nil }
        }
    }

    /// Tells what was held back, and from now on everything at once.
    ///
    /// The list takes a stack that has told something for one that is confined.
    func open() {
        let bytes = heldBack ?? []
        heldBack = nil
        write(bytes)
    }

    /// Reads what has come, waiting for it if need be; `false` at the end.
    func fill() -> Bool {
        while true {
            let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            reader.append(chunk.prefix(count))
            return true
        }
    }

    /// The next request of what has been read, or `nil`.
    func next() -> StackRequest? {
        do throws(FrameError) {
            return try reader.next()
        } catch {
            refuse(error.description)
        }
    }

    /// Writes an event, waiting for room if need be.
    func send(_ event: StackEvent) {
        do throws(FrameError) {
            let frame = try event.frame()
            if heldBack == nil { write(frame) } else { heldBack? += frame }
        } catch {
            // A name of more bytes than DNS allows cannot come from libavahi; the rest goes on.
            log("peerlist-mdns: an event is left out: \(error)")
        }
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, !isBroken {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                // Nobody reads any more; the end of standard input follows.
                isBroken = true
            }
        }
    }
}
