// The thread on which libavahi runs: its poll loop, which is also an actor's executor.
import CAvahi
import Glibc
import PeerSystem
import Synchronization

/// One thread that runs libavahi's callbacks, an actor's jobs, and work that other threads post, one at a time.
///
/// libavahi is not thread-safe, and many of its calls are blocking round trips over D-Bus. An actor with
/// this loop as its executor may call libavahi directly, and callbacks may enter the actor with
/// `assumeIsolated`.
///
/// A paused loop only runs an actor's jobs: it neither reads descriptors nor runs posted work, so that senders have
/// to wait.
@safe package final class EventLoop: SerialExecutor, @unchecked Sendable {
    /// The number of waiting posted jobs at which a loop that posts another one is paused.
    private static let postLimit = 256

    // @unchecked: `poll` is used on the loop's thread only.
    private let poll: OpaquePointer
    private let wakeUp: Int32
    private let queue = Mutex(Queue())

    private struct Queue: Sendable {
        var jobs: [UnownedJob] = []
        var posted: [@Sendable () -> Void] = []
        /// The loop that is paused until the posted work is done.
        var poster: EventLoop?
        var thread: pthread_t?
        var isPaused = false
        var isEnding = false
        /// Whether the loop will check the queue without being woken.
        var isWoken = false

        /// Whether descriptors are read and posted work is run.
        var isReading: Bool { !isPaused || isEnding }
    }

    package init() {
        guard let poll = unsafe avahi_simple_poll_new() else {
            fatalError("out of memory")  // as everywhere in Swift when an allocation fails
        }
        unsafe self.poll = poll
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        precondition(wakeUp >= 0, "no file descriptor is left for the event loop")
        startThread()
    }

    deinit {
        unsafe avahi_simple_poll_free(poll)
        close(wakeUp)
    }

    /// The poll API that libavahi's constructors take; to be used on the loop only.
    var api: UnsafePointer<AvahiPoll>? { unsafe avahi_simple_poll_get(poll) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        wake { $0.jobs.append(job) }
    }

    /// Runs work on the loop, after all work that was posted before.
    func post(_ work: @escaping @Sendable () -> Void) {
        wake { $0.posted.append(work) }
    }

    /// Runs work posted by another loop, and pauses that loop while too much posted work waits.
    func post(from poster: EventLoop, _ work: @escaping @Sendable () -> Void) {
        wake { queue in
            queue.posted.append(work)
            guard queue.posted.count >= Self.postLimit, !queue.isEnding else { return }
            queue.poster = poster
            poster.pause()
        }
    }

    /// Stops reading descriptors and running posted work until ``resume()``, so that messages to this
    /// process wait in their sockets; the jobs of actors still run.
    func pause() { queue.withLock { $0.isPaused = true } }

    func resume() { wake { $0.isPaused = false } }

    /// Ends the thread once all jobs so far have run.
    package func end() { wake { $0.isEnding = true } }

    package func checkIsolated() { precondition(isOnLoop, "called off the event loop's thread") }

    package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    private var isOnLoop: Bool {
        queue.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// Changes the queue, and wakes the loop unless it will check the queue anyway.
    private func wake(after change: (inout Queue) -> Void) {
        let isWoken = queue.withLock { queue in
            change(&queue)
            defer { queue.isWoken = true }
            return queue.isWoken
        }
        // An eventfd, because `avahi_simple_poll_wakeup` loses a wake-up between two polls.
        if !isWoken { eventfd_write(wakeUp, 1) }
    }

    private func startThread() {
        var thread = pthread_t()
        // The thread retains the loop until it ends.
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let status = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        precondition(status == 0, "no thread is left for the event loop")
        pthread_detach(thread)
    }

    /// Runs the posted work until the loop is paused; returns whether there was any.
    private func runPosted() -> Bool {
        let (batch, poster) = queue.withLock { queue -> ([@Sendable () -> Void], EventLoop?) in
            guard queue.isReading else { return ([], nil) }
            defer { (queue.posted, queue.poster) = ([], nil) }
            return (queue.posted, queue.poster)
        }
        poster?.resume()
        for (index, work) in batch.enumerated() {
            let isReading = queue.withLock { queue in
                if !queue.isReading { queue.posted.insert(contentsOf: batch[index...], at: 0) }
                return queue.isReading
            }
            guard isReading else { break }
            work()
        }
        return !batch.isEmpty
    }

    private func run() {
        queue.withLock { $0.thread = pthread_self() }
        let watch = unsafe api?.pointee.watch_new(
            api, wakeUp, AVAHI_WATCH_IN,
            { _, wakeUp, _, _ in
                var count: eventfd_t = 0
                unsafe eventfd_read(wakeUp, &count)
            }, nil)
        defer { unsafe api?.pointee.watch_free(watch) }

        while true {
            let (jobs, isEnding) = queue.withLock { queue in
                defer { (queue.jobs, queue.isWoken) = ([], false) }
                return (queue.jobs, queue.isEnding)
            }
            for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
            let isIdle = !runPosted() && jobs.isEmpty
            if isEnding, isIdle { return }
            if queue.withLock(\.isReading) {
                // Fails only when poll(2) fails, after which the loop is unusable.
                let status = unsafe avahi_simple_poll_iterate(poll, isIdle ? -1 : 0)
                precondition(status >= 0, "poll failed in the event loop")
            } else {
                var count: eventfd_t = 0
                var waiting = pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)
                if unsafe Glibc.poll(&waiting, 1, isIdle ? -1 : 0) > 0 {
                    unsafe eventfd_read(wakeUp, &count)
                }
            }
        }
    }
}
