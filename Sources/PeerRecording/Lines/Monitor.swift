// State that threads share, and for whose changes they wait.
import Glibc

/// State that threads share: one at a time reads or changes it, and others wait for a change.
@safe final class Monitor<State: Sendable>: @unchecked Sendable {
    // @unchecked: `state` is read and written only with the mutex held. A pthread mutex, because
    // the thread sanitizer does not see the one of Synchronization.
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ state: State) {
        self.state = state
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe changed.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // Setting the clock of the day must not make anybody wait longer.
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

    /// Reads the state.
    func read<Result>(_ body: (State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(state)
    }

    /// Changes the state, and wakes those who wait for that.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// Waits until the state gives something, and returns that.
    ///
    /// - Parameters:
    ///   - deadline: When the waiting ends; `nil`: never.
    ///   - body: Asked again after every change. It may take something out of the state.
    /// - Returns: What it gave, or `nil` at the deadline.
    @discardableResult
    func wait<Result>(
        until deadline: ContinuousClock.Instant? = nil, for body: (inout State) -> Result?
    ) -> Result? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            guard let deadline else {
                unsafe pthread_cond_wait(changed, mutex)
                continue
            }
            let rest = deadline - .now
            guard rest > .zero else { return nil }
            var end = monotonicTime(after: rest)
            unsafe pthread_cond_timedwait(changed, mutex, &end)
        }
    }
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
