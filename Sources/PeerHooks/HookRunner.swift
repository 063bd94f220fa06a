// Runs the program of a hook for one change after the other, within limits.
import FoundationEssentials
import Glibc
import PeerHappenings
package import PeerModel
import PeerRecording
import PeerSystem
import PeerText
import Synchronization

/// The program of a hook, which runs for one change at a time while others wait in a bounded queue.
package final class HookRunner: Sendable {
    package struct Limits: Sendable {
        /// The maximum weight of the changes that wait for the program.
        var queue = 1_000
        /// The time after which the program is asked to end, by SIGTERM.
        var time = Duration.seconds(30)
        /// The time from then on after which it is killed.
        var grace = Duration.seconds(2)
    }

    /// An event while the program runs.
    private enum Event { case exited, timeIsUp, graceIsOver, listEnded }

    private struct State {
        var queue: HookQueue
        var reports: HookReports
        /// Whether the list has ended, so that reports are returned by ``stop(within:)``.
        var isEnding = false
        /// Whether the program is not run any more.
        var isOver = false
        var running: AsyncStream<Event>.Continuation?
        var lastReports: [String] = []
        /// The task that runs the program.
        var task: Task<Void, Never>?
    }

    let hook: Hook
    private let limits: Limits
    private let report: @Sendable (Notice.Code, String) -> Void
    private let state: Mutex<State>
    /// Yields when a change is added.
    private let added: AsyncStream<Void>.Continuation

    /// Starts to wait for changes.
    ///
    /// - Parameters:
    ///   - hook: The hook.
    ///   - output: The descriptor of the program's standard output and error; `nil` for none.
    ///   - limits: The limits of the program and of its queue.
    ///   - report: Called with notices, until the list ends; must not block.
    package init(
        _ hook: Hook, output: Int32?, limits: Limits = Limits(),
        report: @escaping @Sendable (Notice.Code, String) -> Void
    ) {
        (self.hook, self.limits, self.report) = (hook, limits, report)
        state = Mutex(
            State(queue: HookQueue(limit: limits.queue), reports: HookReports(title: hook.title)))
        let (additions, added) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.added = added
        let environment = ProcessInfo.processInfo.environment
        let task = Task { [self] in
            for await _ in additions { await runAll(environment, output) }
            await runAll(environment, output)
        }
        state.withLock { $0.task = task }
    }

    /// Adds a change if the hook is for it.
    func add(_ change: ItemHappening) {
        guard let event = hook.event(of: change) else { return }
        add(HappeningCall(change: change, event: event))
    }

    /// Adds a call; the oldest of too many are dropped.
    package func add(_ call: some HookCall) {
        state.withLock { $0.queue.append(call) }
        added.yield()
    }

    /// From now on, reports are returned by ``stop(within:)``.
    package func beginEnding() { state.withLock { $0.isEnding = true } }

    /// Ends the hook after the list: lets its program handle what waits, for a time, then ends the program.
    ///
    /// - Returns: What is left to be reported.
    func stop(within limit: Duration) async -> [String] {
        beginEnding()
        let task = state.withLock(\.task)
        added.finish()
        if await withTimeout(limit, { await task?.value }) == nil {
            state.withLock { state in
                state.isOver = true
                state.running?.yield(.listEnded)
            }
            await task?.value
        }
        return state.withLock { state in
            let (left, dropped) = (state.queue.count, state.queue.droppedCount)
            return state.lastReports + state.reports.removeAll(left: left, dropped: dropped)
        }
    }

    /// Ends hooks after the list, all at once; returns what is left to be reported.
    package static func stop(_ runners: [HookRunner], within limit: Duration) async -> [String] {
        await withTaskGroup(of: [String].self) { group in
            for runner in runners { group.addTask { await runner.stop(within: limit) } }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Runs the program for each change that waits.
    private func runAll(_ environment: [String: String], _ output: Int32?) async {
        while let next = nextChange() {
            let outcome = await run(next, environment, output)
            add { $0.outcome(outcome, at: .now) }
        }
    }

    private func nextChange() -> HookQueue.Entry? {
        let next = state.withLock { $0.isOver ? nil : $0.queue.popFirst() }
        if let next, next.droppedCount > 0 { add { $0.dropped(next.droppedCount, at: .now) } }
        return next
    }

    /// Reports what `reports` finds worth it.
    private func add(_ text: (inout HookReports) -> (Notice.Code, String)?) {
        let due = state.withLock { state -> (Notice.Code, String)? in
            guard let due = text(&state.reports) else { return nil }
            if state.isEnding { state.lastReports.append(due.1) }
            return state.isEnding ? nil : due
        }
        if let due { report(due.0, due.1) }
    }

    /// Runs the program for a change; returns what went wrong, if so.
    private func run(
        _ entry: HookQueue.Entry, _ environment: [String: String], _ output: Int32?
    ) async -> String? {
        let (events, event) = AsyncStream.makeStream(of: Event.self)
        let program: StartedProgram
        do throws(StartedProgram.StartError) {
            program = try start(entry, environment, output)
        } catch {
            return "it cannot be started: \(error)"
        }
        let threadCode = startThread {
            program.waitForEnd()
            event.yield(.exited)
        }
        // Without a thread, the end of the program could not be waited for.
        guard threadCode == 0 else {
            _ = program.end()
            return "no thread can be started: \(StartedProgram.StartError(code: threadCode))"
        }
        state.withLock { state in
            state.running = event
            if state.isOver { event.yield(.listEnded) }
        }
        var timer = Self.timer(after: limits.time, event, .timeIsUp)
        var reason: String?
        loop: for await latest in events {
            switch latest {
            case .exited: break loop
            case .timeIsUp, .listEnded:
                guard reason == nil else { break }
                reason =
                    latest == .timeIsUp
                    ? "it ran for more than \(limits.time.components.seconds) s and was ended"
                    : "it was ended with the list"
                program.send(SIGTERM)
                timer.cancel()
                timer = Self.timer(after: limits.grace, event, .graceIsOver)
            case .graceIsOver: program.send(SIGKILL)
            }
        }
        timer.cancel()
        state.withLock { $0.running = nil }
        // What the program started and left in its group ends with it.
        let failure = program.end()
        return reason ?? failure
    }

    private func start(
        _ entry: HookQueue.Entry, _ environment: [String: String], _ output: Int32?
    ) throws(StartedProgram.StartError) -> StartedProgram {
        let variables = environment.merging(entry.call.variables) { $1 }
        let input = try StartedProgram.memoryFile(
            entry.call.line(droppedCount: entry.droppedCount))
        defer { close(input) }
        let silence = output == nil ? unsafe open("/dev/null", O_RDWR | O_CLOEXEC) : -1
        if output == nil, silence < 0 { throw StartedProgram.StartError(code: errno) }
        defer { if silence >= 0 { close(silence) } }
        let output = output ?? silence
        return try StartedProgram(
            hook.arguments, environment: variables.map { "\($0)=\($1)" },
            descriptors: (input, output, output))
    }

    /// Yields an event after a time, unless the task is cancelled before.
    private static func timer(
        after wait: Duration, _ entry: AsyncStream<Event>.Continuation, _ event: Event
    ) -> Task<Void, Never> {
        Task {
            guard (try? await Task.sleep(for: wait)) != nil else { return }
            entry.yield(event)
        }
    }
}

/// The changes that wait for the program of a hook; beyond a limit the oldest are dropped.
struct HookQueue: Sendable {
    struct Entry: Sendable {
        let call: any HookCall
        /// The number of changes dropped between the previous change and this.
        var droppedCount = 0
    }

    private let limit: Int
    private var entries: ArraySlice<Entry> = []
    private var weight = 0
    /// The number of changes that were dropped since the last one was removed.
    private(set) var droppedCount = 0

    init(limit: Int) { self.limit = limit }

    var count: Int { entries.count }

    mutating func append(_ call: some HookCall) {
        entries.append(Entry(call: call))
        weight += call.weight
        while weight > limit, entries.count > 1, let oldest = entries.popFirst() {
            weight -= oldest.call.weight
            droppedCount += 1
        }
    }

    mutating func popFirst() -> Entry? {
        guard var entry = entries.popFirst() else { return nil }
        weight -= entry.call.weight
        (entry.droppedCount, droppedCount) = (droppedCount, 0)
        return entry
    }
}

/// Decides what is reported of a hook: each kind of trouble at once, and then at most once a minute with
/// its count.
struct HookReports: Sendable {
    private struct Trouble {
        private static let interval = Duration.seconds(60)
        private var last: ContinuousClock.Instant?
        private var count = 0

        /// Returns the count since the last report, if one is due.
        mutating func add(_ more: Int, at now: ContinuousClock.Instant) -> Int? {
            count += more
            if let last, now < last + Self.interval { return nil }
            last = now
            return removeCount()
        }

        mutating func removeCount() -> Int {
            defer { count = 0 }
            return count
        }
    }

    private let title: String
    private var failures = Trouble()
    private var drops = Trouble()
    private var lastFailure = ""

    init(title: String) { self.title = title }

    /// Notes how the program ended, `nil` without trouble.
    mutating func outcome(
        _ failure: String?, at now: ContinuousClock.Instant
    ) -> (Notice.Code, String)? {
        guard let failure else { return nil }
        lastFailure = failure
        guard let count = failures.add(1, at: now) else { return nil }
        return (.hookFailed, failureText(count))
    }

    /// Notes changes that were dropped.
    mutating func dropped(
        _ count: Int, at now: ContinuousClock.Instant
    ) -> (Notice.Code, String)? {
        drops.add(count, at: now).map { (.hookLimit, dropText($0)) }
    }

    /// Returns what was not reported, and that changes were dropped and are left at the end.
    mutating func removeAll(left: Int, dropped: Int) -> [String] {
        var texts: [String] = []
        let failureCount = failures.removeCount()
        let dropCount = drops.removeCount() + dropped
        if failureCount > 0 { texts.append(failureText(failureCount)) }
        if dropCount > 0 { texts.append(dropText(dropCount)) }
        if left > 0 {
            texts.append(
                "the hook \(title) was not run for the last \(counted(left, "change")), as the list "
                    + "ended")
        }
        return texts
    }

    private func failureText(_ count: Int) -> String {
        count == 1
            ? "the hook \(title) failed: \(lastFailure)"
            : "the hook \(title) failed \(count) times, the last time: \(lastFailure)"
    }

    private func dropText(_ count: Int) -> String {
        "the hook \(title) is slower than the changes come, so it was not run for "
            + counted(count, "change")
    }
}
