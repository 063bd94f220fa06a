// The lines that wait for the writing thread: bounded, and whole.
import Glibc

/// Lines between those who hand them over, who never wait, and the one thread that writes them.
@safe final class LineQueue: @unchecked Sendable {
    // @unchecked: `state` is read and written only inside `withLock`. A pthread mutex, because
    // the thread sanitizer does not see the one of Synchronization.
    private struct State {
        /// Whole lines, in blocks that are each written at once.
        var blocks: [[UInt8]] = []
        /// The bytes in `blocks`, and those that the thread has taken and not yet written.
        var waiting = 0
        var failure: LineFailure?
        /// Whether a failure was reported and nothing has been written since.
        var isOutage = false
        var isClosed = false
        var isFinished = false
        var onFinish: [@Sendable () -> Void] = []

        /// The failure, unless the outage that it belongs to has been reported.
        mutating func reportOnce() -> LineFailure? {
            defer { isOutage = true }
            return isOutage ? nil : failure
        }
    }

    /// Lines are gathered up to this size, so that many small ones cost one call of the system.
    private static let blockSize = 65_536

    private let limit: Int
    private var state = State()
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// A queue in which at most `limit` bytes wait.
    init(limit: Int) {
        self.limit = limit
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe changed.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Why lines are being dropped, if they are.
    var failure: LineFailure? { withLock { $0.failure } }

    /// The bytes that are accepted and not written.
    var waiting: Int { withLock { $0.waiting } }

    /// Takes a line; after a failure, and when closed, it is dropped.
    ///
    /// - Returns: The failure, if this line is the first one that does not fit.
    func offer(_ line: [UInt8]) -> LineFailure? {
        withLock { state in
            guard state.failure == nil, !state.isClosed else { return nil }
            guard state.waiting + line.count <= limit else {
                state.failure = .tooSlow(waiting: state.waiting)
                return state.reportOnce()
            }
            append(line, to: &state)
            return nil
        }
    }

    /// Goes on after a failure, if there is one and `line` fits; lines before it stay lost.
    ///
    /// - Returns: Whether lines are taken again.
    func restart(with line: [UInt8]) -> Bool {
        withLock { state in
            guard state.failure != nil, !state.isClosed, state.waiting + line.count <= limit else {
                return false
            }
            state.failure = nil
            append(line, to: &state)
            return true
        }
    }

    private func append(_ line: [UInt8], to state: inout State) {
        state.waiting += line.count
        if let last = state.blocks.indices.last,
            state.blocks[last].count + line.count <= Self.blockSize
        {
            state.blocks[last] += line
        } else {
            state.blocks.append(line)
        }
        unsafe pthread_cond_signal(changed)
    }

    /// Waits for lines; `nil` once the queue is closed and empty.
    func take() -> [UInt8]? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while state.blocks.isEmpty, !state.isClosed { unsafe pthread_cond_wait(changed, mutex) }
        return state.blocks.isEmpty ? nil : state.blocks.removeFirst()
    }

    /// Tells that `count` bytes are written.
    ///
    /// - Returns: Whether they are the first ones after an outage.
    func written(_ count: Int) -> Bool {
        withLock { state in
            state.waiting -= count
            defer { if state.failure == nil { state.isOutage = false } }
            return state.isOutage && state.failure == nil
        }
    }

    /// Tells that lines cannot be written; all that wait are dropped.
    ///
    /// - Returns: The failure, if an outage begins with it.
    func failed(_ failure: LineFailure) -> LineFailure? {
        withLock { state in
            state.failure = failure
            state.blocks = []
            state.waiting = 0
            return state.reportOnce()
        }
    }

    /// Takes no more lines.
    ///
    /// - Parameter onFinish: Called when the thread has ended, at once if it has already.
    func close(_ onFinish: @escaping @Sendable () -> Void) {
        let isFinished = withLock { state in
            state.isClosed = true
            if !state.isFinished { state.onFinish.append(onFinish) }
            unsafe pthread_cond_signal(changed)
            return state.isFinished
        }
        if isFinished { onFinish() }
    }

    /// Tells that the thread ends.
    func finish() {
        let waiters = withLock { state in
            state.isFinished = true
            defer { state.onFinish = [] }
            return state.onFinish
        }
        for waiter in waiters { waiter() }
    }
}
