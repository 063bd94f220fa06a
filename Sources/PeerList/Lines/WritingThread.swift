// The thread of a line writer.
import Glibc

/// Takes lines from a queue and writes them, until the queue is closed and empty.
final class WritingThread: Sendable {
    private let queue: LineQueue
    private let descriptor: Int32
    private let closesDescriptor: Bool
    private let startsTorn: Bool
    private let report: @Sendable (LineWriter.Event) -> Void

    init(
        queue: LineQueue, descriptor: Int32, closesDescriptor: Bool, startsTorn: Bool,
        report: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        self.queue = queue
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        self.startsTorn = startsTorn
        self.report = report
    }

    /// Starts the thread, which holds this object for as long as it runs.
    ///
    /// - Returns: Why there is no thread, or `nil`.
    func start() -> LineFailure? {
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self)
        let code = unsafe pthread_create(&thread, nil, threadBody, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            return .system(code: code)
        }
        pthread_detach(thread)
        return nil
    }

    /// Writes until the queue is closed and empty.
    fileprivate func run() {
        var lines = LineDescriptor(descriptor, isTorn: startsTorn)
        while let block = queue.take() {
            if let failure = lines.write(block) {
                fail(failure)
            } else if queue.written(block.count) {
                report(.recovered)
            }
        }
        end()
    }

    /// Closes the descriptor if that is ours to do, and tells that no more is written.
    func end() {
        // Some file systems say only here that the disk was full.
        if closesDescriptor, close(descriptor) != 0 { fail(LineFailure(code: errno)) }
        queue.finish()
    }

    private func fail(_ failure: LineFailure) {
        if let failure = queue.failed(failure) { report(.failed(failure)) }
    }
}

/// Called on the new thread, with one retain of its `WritingThread`.
private func threadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let work = unsafe Unmanaged<WritingThread>.fromOpaque(context).takeRetainedValue()
    // Signals are for the other threads; a closed pipe and a file that may not grow are told by
    // `write` itself, once SIGPIPE and SIGXFSZ cannot end the process.
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    work.run()
    return nil
}
