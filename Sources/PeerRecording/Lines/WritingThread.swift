// The thread of a line writer.
import Glibc
import PeerList

/// Takes lines from a queue and writes them, until the queue is closed and empty.
struct WritingThread {
    private let queue: LineQueue
    private var destination: LineDestination
    private let report: @Sendable (LineWriter.Event) -> Void

    /// Starts the thread; where there is none to be had, that is the lines' failure.
    static func start(
        _ queue: LineQueue, _ destination: LineDestination,
        report: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        let code = startThread {
            var thread = WritingThread(queue, destination, report)
            thread.run()
        }
        guard code != 0 else { return }
        var thread = WritingThread(queue, destination, report)
        thread.fail(.system(code: code))
        thread.end()
    }

    private init(
        _ queue: LineQueue, _ destination: LineDestination,
        _ report: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        self.queue = queue
        self.destination = destination
        self.report = report
    }

    /// How long the thread rests after it has written, in nanoseconds: in a rush, waking it for every
    /// line costs more than writing the line.
    private static let rest = 100_000

    private mutating func run() {
        while true {
            switch queue.take(until: destination.syncDue) {
            case .work(.lines(let block)):
                write(block)
                gather()
            case .work(.turn(let turn)): if let failure = destination.turn(turn) { fail(failure) }
            case .nothing: if let failure = destination.sync() { fail(failure) }
            case .end: return end()
            }
            if let size = destination.takeSizeAtOpening() { queue.opened(withSize: size) }
        }
    }

    private mutating func write(_ block: [UInt8]) {
        if let failure = destination.write(block) {
            fail(failure)
        } else if queue.written(block.count) {
            destination.tidyUp()
            report(.recovered)
        }
    }

    /// Lets lines gather that come in a rush; one that comes alone was written at once.
    private func gather() {
        var rest = timespec(tv_sec: 0, tv_nsec: Self.rest)
        unsafe _ = nanosleep(&rest, nil)
    }

    /// Closes what is ours to close, and tells that no more is written.
    private mutating func end() {
        if let failure = destination.close() { fail(failure) }
        queue.finish()
    }

    private func fail(_ failure: LineFailure) {
        if let failure = queue.failed(failure) { report(.failed(failure)) }
    }
}
