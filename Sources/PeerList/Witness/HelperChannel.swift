// A helper process that is given sockets and reports what it reads from them.
import Glibc
package import StackProtocol

/// The helper process `peerlist-mdns` in a mode in which it reads packets from anyone, so that it is expected to crash.
///
/// Events are read a chunk at a time; while they are not read, the helper waits, and the kernel drops packets.
package final class HelperChannel<Event: StackMessage> {
    private let process: HelperProcess
    private var receive: (([Event]) -> Void)?
    private var failed: ((String) -> Void)?
    private var reader = FrameReader<Event>()
    private var words = LastWords()
    private var watches: [DescriptorWatch] = []

    /// Whether the helper runs, as far as is known.
    package private(set) var isOpen = true

    /// Starts the helper. The caller runs on the loop, on which the closures are called.
    ///
    /// - Parameters:
    ///   - mode: The argument of the helper.
    ///   - path: The helper.
    ///   - loop: The loop that watches the helper.
    ///   - receive: Receives the events of a chunk, until the channel is closed or has failed.
    ///   - failed: Called once if the helper ends by itself, with the reason.
    /// - Throws: ``BackendError`` if the helper cannot be started.
    package init(
        _ mode: String, path: String, on loop: EventLoop,
        receive: @escaping ([Event]) -> Void, failed: @escaping (String) -> Void
    ) throws(BackendError) {
        (self.receive, self.failed) = (receive, failed)
        process = try HelperProcess(path, arguments: [mode])
        // The watches retain this channel until it is closed or the helper has ended.
        watches = [
            DescriptorWatch(process.channel, on: loop) { self.readEvents() },
            DescriptorWatch(process.errors, on: loop) { self.readErrors() },
        ]
    }

    /// Sends a request.
    package func send(_ request: some StackMessage) {
        send(request) { unsafe Glibc.send($0, $1, $1.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Sends a request together with a descriptor, which stays the caller's.
    package func send(_ request: some StackMessage, passing descriptor: Int32) {
        send(request) { passDescriptor(descriptor, over: $0, with: $1) }
    }

    /// Sends a request together with a socket.
    package func send(_ request: some StackMessage, passing socket: DatagramSocket) {
        send(request) { socket.pass(over: $0, with: $1) }
    }

    /// Ends the helper. A second call does nothing.
    package func close() {
        if isOpen { _ = end() }
    }

    private func send(
        _ request: some StackMessage, by pass: (_ channel: Int32, _ frame: [UInt8]) -> Int
    ) {
        guard isOpen, let frame = try? request.frame() else { return }
        // Requests are few and short, so a helper that reads always has room for them.
        if pass(process.channel, frame) < frame.count { fail("it takes no requests") }
    }

    private func readEvents() {
        guard isOpen, let chunk = HelperProcess.chunk(of: process.channel) else { return }
        guard !chunk.isEmpty else { return fail(nil) }
        reader.append(chunk)
        var events: [Event] = []
        do throws(FrameError) {
            while let event = try reader.next() { events.append(event) }
        } catch {
            return fail(error.description)
        }
        if !events.isEmpty { receive?(events) }
    }

    private func readErrors() {
        guard isOpen else { return }
        // The channel reports the end of the helper.
        if words.read(from: process.errors) { watches.last?.close() }
    }

    private func fail(_ reason: String?) {
        guard isOpen else { return }
        words.readRest(from: process.errors)
        let failed = failed
        let status = end()
        failed?(reason ?? words.text.map { "\(status): \($0)" } ?? status)
    }

    private func end() -> String {
        isOpen = false
        for watch in watches { watch.close() }
        // The closures may retain the owner of this channel.
        (watches, receive, failed) = ([], nil, nil)
        return process.end()
    }
}
