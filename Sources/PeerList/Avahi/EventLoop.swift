// The thread on which all of libavahi runs: its poll loop, which is an actor's executor too.
import CAvahi
import Glibc

/// One thread that runs libavahi's callbacks, an actor's jobs and what is posted to it, one at a time.
///
/// libavahi is not thread-safe, and many of its calls are blocking round trips
/// over D-Bus. With this as its executor an actor may call libavahi directly,
/// and its callbacks may enter the actor with `assumeIsolated`.
@safe final class EventLoop: SerialExecutor, @unchecked Sendable {
    /// So many jobs wait at the most before whoever can waits with another.
    private static let postLimit = 256

    // @unchecked: `poll` is used on the loop's thread only, and `queue` under `mutex` only.
    private let poll: OpaquePointer
    private let wakeUp: Int32
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var queue = Queue()

    private enum Job {
        /// Of the actor whose executor this is.
        case ofActor(UnownedJob)
        /// Of another thread, which has something done here.
        case posted(@Sendable () -> Void)
    }

    private struct Queue {
        var jobs: [Job] = []
        var thread: pthread_t?
        var isEnding = false
    }

    init() {
        guard let poll = unsafe avahi_simple_poll_new() else {
            fatalError("out of memory")  // as everywhere in Swift when an allocation fails
        }
        unsafe self.poll = poll
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        precondition(wakeUp >= 0, "no file descriptor is left for the event loop")
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        startThread()
    }

    deinit {
        unsafe avahi_simple_poll_free(poll)
        close(wakeUp)
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// What libavahi's constructors take; only to be used on the loop.
    var api: UnsafePointer<AvahiPoll>? { unsafe avahi_simple_poll_get(poll) }

    func enqueue(_ job: consuming ExecutorJob) {
        enqueue(.ofActor(UnownedJob(job)))
    }

    /// Does something on the loop, after all that was enqueued or posted before.
    func post(_ work: @escaping @Sendable () -> Void) { enqueue(.posted(work)) }

    /// Does something on the loop, for a thread that waits while much is to be done there already.
    ///
    /// So what strangers have another thread tell does not grow here without end.
    func postInTurn(_ work: @escaping @Sendable () -> Void) {
        while withQueue({ $0.jobs.count >= Self.postLimit && !$0.isEnding }) { usleep(1_000) }
        post(work)
    }

    private func enqueue(_ job: Job) {
        withQueue { $0.jobs.append(job) }
        wake()
    }

    /// Ends the thread once all jobs so far have run.
    func end() {
        withQueue { $0.isEnding = true }
        wake()
    }

    func checkIsolated() { precondition(isOnLoop, "called off the event loop's thread") }

    func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    private var isOnLoop: Bool {
        withQueue { queue in queue.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    private func withQueue<Result>(_ body: (inout Queue) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&queue)
    }

    /// An eventfd of our own: `avahi_simple_poll_wakeup` loses a wake-up that comes between two polls.
    private func wake() { eventfd_write(wakeUp, 1) }

    private func startThread() {
        var thread = pthread_t()
        // The thread holds the loop; it gives the retain back when it ends.
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let status = unsafe pthread_create(&thread, nil, runLoop, context)
        precondition(status == 0, "no thread is left for the event loop")
        pthread_detach(thread)
    }

    private func perform(_ job: Job) {
        switch job {
        case .ofActor(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        case .posted(let work): work()
        }
    }

    fileprivate func run() {
        withQueue { $0.thread = pthread_self() }
        let watch = unsafe api?.pointee.watch_new(api, wakeUp, AVAHI_WATCH_IN, drainWakeUp, nil)
        defer { unsafe api?.pointee.watch_free(watch) }

        while true {
            let (jobs, isEnding) = withQueue { queue in
                defer { queue.jobs.removeAll(keepingCapacity: true) }
                return (queue.jobs, queue.isEnding)
            }
            for job in jobs { perform(job) }
            if isEnding, jobs.isEmpty { return }
            // Fails only when poll(2) itself does, after which nothing can be known any more.
            let status = unsafe avahi_simple_poll_iterate(poll, jobs.isEmpty ? -1 : 0)
            precondition(status >= 0, "poll failed in the event loop")
        }
    }
}

private func runLoop(context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

private func drainWakeUp(
    watch: OpaquePointer?, wakeUp: Int32, event: AvahiWatchEvent, context: UnsafeMutableRawPointer?
) {
    var count: eventfd_t = 0
    unsafe eventfd_read(wakeUp, &count)
}
