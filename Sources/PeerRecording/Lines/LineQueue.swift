// The lines that wait for the writing thread: bounded, and whole.
import Glibc

/// Lines between those who hand them over, who never wait, and the one thread that writes them.
final class LineQueue: Sendable {
    /// One thing for the thread to do.
    enum Work: Equatable {
        /// Lines to write, whole.
        case lines([UInt8])
        /// What follows goes into another file.
        case turn(FileTurn)
    }

    private struct State {
        /// What is to be done; lines are gathered in blocks that are each written at once.
        var work: [Work] = []
        /// The bytes in `work`, and those that the thread has taken and not yet written.
        var waiting = 0
        var sizeAtOpening = 0
        var failure: LineFailure?
        /// Whether a failure was reported and nothing has been written since.
        var isOutage = false
        var isClosed = false
        var isFinished = false
        var onFinish: [@Sendable () -> Void] = []

        /// Whether lines are being dropped, and the reader has caught up by half of the limit.
        func canRestart(_ limit: Int) -> Bool {
            failure != nil && !isClosed && waiting <= limit / 2
        }

        /// The failure, unless the outage that it belongs to has been reported.
        mutating func reportOnce() -> LineFailure? {
            defer { isOutage = true }
            return isOutage ? nil : failure
        }

        /// Adds a turn; two with no line in between are one, and putting a file away is the more.
        mutating func append(_ turn: FileTurn) {
            sizeAtOpening = 0
            guard case .turn(let last)? = work.last else { return work.append(.turn(turn)) }
            work[work.count - 1] = .turn(last == .rotate ? last : turn)
        }

        /// Drops the lines that wait.
        mutating func dropLines() {
            let turns = work.compactMap { if case .turn(let turn) = $0 { turn } else { nil } }
            work = []
            waiting = 0
            for turn in turns { append(turn) }
        }

        mutating func append(_ line: [UInt8]) {
            waiting += line.count
            if case .lines(var block)? = work.last, block.count + line.count <= blockSize {
                work.removeLast()  // so that the block is not copied
                block += line
                work.append(.lines(block))
            } else {
                work.append(.lines(line))
            }
        }
    }

    /// Lines are gathered up to this size, so that many small ones cost one call of the system.
    private static let blockSize = 65_536

    private let limit: Int
    private let monitor = Monitor(State())

    /// A queue in which at most `limit` bytes wait.
    init(limit: Int) { self.limit = limit }

    /// Why lines are being dropped, if they are.
    var failure: LineFailure? { monitor.read { $0.failure } }

    /// Whether ``restart(with:after:)`` takes a line that is not too long.
    var canRestart: Bool { monitor.read { $0.canRestart(limit) } }

    /// The bytes that are accepted and not written.
    var waiting: Int { monitor.read { $0.waiting } }

    /// The bytes that were in the file when it was opened after the last turn; 0 until it is.
    var sizeAtOpening: Int { monitor.read { $0.sizeAtOpening } }

    /// Takes a line; after a failure, and when closed, it is dropped.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - turn: What is done before it is written, and also if it is dropped, unless closed.
    /// - Returns: The failure, if this line is the first one that does not fit.
    func offer(_ line: [UInt8], after turn: FileTurn? = nil) -> LineFailure? {
        monitor.change { state in
            guard !state.isClosed else { return nil }
            if let turn { state.append(turn) }
            guard state.failure == nil else { return nil }
            guard state.waiting + line.count <= limit else {
                state.failure = .tooSlow(waiting: state.waiting)
                return state.reportOnce()
            }
            state.append(line)
            return nil
        }
    }

    /// Goes on after a failure, if there is one and the reader has caught up by half; lines before
    /// stay lost.
    ///
    /// - Parameters:
    ///   - line: The first line that is taken again.
    ///   - turn: What is done before it is written.
    /// - Returns: Whether lines are taken again.
    func restart(with line: [UInt8], after turn: FileTurn? = nil) -> Bool {
        monitor.change { state in
            guard state.canRestart(limit), state.waiting + line.count <= limit else {
                return false
            }
            state.failure = nil
            if let turn { state.append(turn) }
            state.append(line)
            return true
        }
    }

    /// What the thread finds.
    enum Finding: Equatable {
        case work(Work)
        /// There was nothing until the deadline.
        case nothing
        /// The queue is closed and empty.
        case end
    }

    /// Waits for something to do.
    func take(until deadline: ContinuousClock.Instant? = nil) -> Finding {
        monitor.wait(until: deadline) { state -> Finding? in
            if !state.work.isEmpty { return .work(state.work.removeFirst()) }
            return state.isClosed ? .end : nil
        } ?? .nothing
    }

    /// Tells that `count` bytes are written.
    ///
    /// - Returns: Whether they are the first ones after an outage.
    func written(_ count: Int) -> Bool {
        monitor.change { state in
            state.waiting -= count
            defer { if state.failure == nil { state.isOutage = false } }
            return state.isOutage && state.failure == nil
        }
    }

    /// Tells that the file was opened, with so many bytes in it.
    func opened(withSize size: Int) {
        monitor.change { state in
            let turnsAgain = state.work.contains { if case .turn = $0 { true } else { false } }
            if !turnsAgain { state.sizeAtOpening = size }
        }
    }

    /// Tells that lines cannot be written; all that wait are dropped, and no turn is.
    ///
    /// - Returns: The failure, if an outage begins with it.
    func failed(_ failure: LineFailure) -> LineFailure? {
        monitor.change { state in
            state.failure = failure
            state.dropLines()
            return state.reportOnce()
        }
    }

    /// Takes no more lines.
    ///
    /// - Parameter onFinish: Called when the thread has ended, at once if it has already.
    func close(_ onFinish: @escaping @Sendable () -> Void) {
        let isFinished = monitor.change { state in
            state.isClosed = true
            if !state.isFinished { state.onFinish.append(onFinish) }
            return state.isFinished
        }
        if isFinished { onFinish() }
    }

    /// Tells that the thread ends.
    func finish() {
        let waiters = monitor.change { state in
            state.isFinished = true
            defer { state.onFinish = [] }
            return state.onFinish
        }
        for waiter in waiters { waiter() }
    }
}
