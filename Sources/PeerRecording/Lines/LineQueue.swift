// Limits the lines that wait for the writer's thread.
import Glibc

/// A bounded queue of lines between producers, which never wait, and the writer's thread.
@safe final class LineQueue: @unchecked Sendable {
    // @unchecked: all variables are accessed with the mutex held. A pthread mutex, because the
    // thread sanitizer does not know `Synchronization.Mutex`.

    enum WriterTask: Equatable {
        /// Write whole lines.
        case write([UInt8])
        /// Reopen the file; later lines go to the new file.
        case reopen
        /// Sync the file: the deadline has passed without another task.
        case sync
    }

    /// The maximum size of a block of lines in bytes. Short lines are gathered, so that many of them cost one system call.
    private static let blockSize = 65_536

    private let limit: Int
    /// Whether a producer waits for room, instead of dropping lines.
    private let waits: Bool
    private var tasks: [WriterTask] = []
    private var waitingBytes = 0
    private var acceptedBytes = 0
    private var currentFailure: LineFailure?
    /// Whether a failure was reported and nothing has been written since.
    private var isOutage = false
    private var isClosed = false
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// A stream that ends with the thread.
    let ending: AsyncStream<Never>
    private let endingEntry: AsyncStream<Never>.Continuation

    init(limit: Int, waits: Bool = false) {
        (self.limit, self.waits) = (limit, waits)
        (ending, endingEntry) = AsyncStream.makeStream()
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe changed.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // Setting the system clock must not prolong a wait.
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(changed, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }

    // MARK: Producers

    /// The failure that makes the queue drop lines, if any.
    var failure: LineFailure? { locked { currentFailure } }

    /// Whether lines are being dropped and half of the limit is free again.
    var canResume: Bool {
        locked { currentFailure != nil && !isClosed && waitingBytes <= limit / 2 }
    }

    var waiting: Int { locked { waitingBytes } }

    var size: Int { locked { acceptedBytes } }

    /// Adds a line. After a failure, drops it, unless it resumes the output and half of the limit is free.
    ///
    /// The limit applies to the lines that wait already, so that a line of any size is accepted; a piece
    /// that continues a line is accepted if the previous piece was. A requested reopening happens before the
    /// line, also if the line is dropped. Returns whether the line was accepted, and the failure if the line
    /// causes one.
    func add(
        _ line: [UInt8], reopening: Bool = false, resuming: Bool = false, continuing: Bool = false
    ) -> (isAccepted: Bool, failure: LineFailure?) {
        locked {
            guard !isClosed else { return (false, nil) }
            defer { unsafe pthread_cond_signal(changed) }
            if reopening, tasks.last != .reopen { tasks.append(.reopen) }
            while waits, waitingBytes >= limit, currentFailure == nil {
                unsafe pthread_cond_wait(changed, mutex)
            }
            if currentFailure != nil {
                guard resuming, waitingBytes <= limit / 2 else { return (false, nil) }
                currentFailure = nil
            }
            guard continuing || waitingBytes < limit else {
                currentFailure = .tooSlow(waiting: waitingBytes)
                return (false, unreportedFailure())
            }
            waitingBytes += line.count
            acceptedBytes += line.count
            if case .write(var block)? = tasks.last, block.count + line.count <= Self.blockSize {
                tasks.removeLast()  // so that the block is not copied
                block += line
                tasks.append(.write(block))
            } else {
                tasks.append(.write(line))
            }
            return (true, nil)
        }
    }

    func close() {
        locked {
            isClosed = true
            unsafe pthread_cond_signal(changed)
        }
    }

    // MARK: The thread

    /// Waits for the next task: ``WriterTask/sync`` if there is none by the deadline. Returns `nil` once the
    /// queue is closed and empty.
    func next(until deadline: ContinuousClock.Instant? = nil) -> WriterTask? {
        locked {
            while tasks.isEmpty, !isClosed {
                guard let deadline else {
                    unsafe pthread_cond_wait(changed, mutex)
                    continue
                }
                let rest = deadline - .now
                guard rest > .zero else { return .sync }
                var end = monotonicTime(after: rest)
                unsafe pthread_cond_timedwait(changed, mutex, &end)
            }
            return tasks.isEmpty ? nil : tasks.removeFirst()
        }
    }

    /// Records that `count` bytes were written; returns whether they are the first after an outage.
    func wrote(_ count: Int) -> Bool {
        locked {
            waitingBytes -= count
            // The thread itself waits only if nothing else does.
            unsafe pthread_cond_signal(changed)
            guard currentFailure == nil else { return false }
            defer { isOutage = false }
            return isOutage
        }
    }

    /// Records a failure, and drops the waiting lines but not a requested reopening; returns the failure
    /// if it starts an outage.
    func fail(_ failure: LineFailure) -> LineFailure? {
        locked {
            currentFailure = failure
            tasks = tasks.contains(.reopen) ? [.reopen] : []
            waitingBytes = 0
            unsafe pthread_cond_signal(changed)
            return unreportedFailure()
        }
    }

    /// Returns the failure, unless its outage was reported already.
    private func unreportedFailure() -> LineFailure? {
        defer { isOutage = true }
        return isOutage ? nil : currentFailure
    }

    func finish() { endingEntry.finish() }
}

private func monotonicTime(after rest: Duration) -> timespec {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    let (seconds, attoseconds) = rest.components
    let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
    time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
}
