// Turns what happened into changes for hooks, and hands them to their programs.
import FoundationEssentials
import PeerHappenings
package import PeerModel
package import PeerRecording

/// The output of a session that runs the programs of hooks.
package final class HookOutput: ListOutput {
    private let runners: [HookRunner]
    /// The absences of each hook that waits for them to last.
    private var absences: [LastingAbsences]

    package init(_ runners: [HookRunner]) {
        self.runners = runners
        absences = runners.map { LastingAbsences(for: $0.hook.absence) }
    }

    package var isGrouped: Bool { true }
    package var due: ContinuousClock.Instant? { absences.compactMap(\.due).min() }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        let now = ContinuousClock.now
        switch event {
        case .happened(let events):
            for event in events.compactMap(\.ofItem) {
                let change = ItemChange(event)
                for index in runners.indices where absences[index].passes(event, at: now) {
                    if let change { runners[index].add(change) }
                }
            }
        case .tick: break
        // The session reads no more notices.
        case .ended: for runner in runners { runner.beginEnding() }
        case .began, .lost, .fill, .updated, .handedOver, .sighted, .observers, .noticed, .reopened:
            return
        }
        for index in runners.indices {
            for change in absences[index].removeDue(at: now) { runners[index].add(change) }
        }
    }

    /// Does not wait for the programs, which ``HookRunner/stop(within:)`` ends.
    package func close(within limit: Duration) async -> LineFailure? { nil }
}

extension ItemChange {
    /// Creates the change that hooks get for what happened; `nil` if they get none.
    init?(_ happening: ItemHappening) {
        let item = happening.item
        let isNew = item.peer.isNew
        let (events, content): ([Event], Content?) =
            switch happening.event {
            case .there: (isNew ? [.new] : [], .arrived)
            case .arrived where happening.reason == .link: ([.link], .arrived)
            case .arrived: (isNew ? [.new, .arrived] : [.arrived], .arrived)
            case .left where happening.reason == .link: ([.link], .departed(.link))
            case .left: ([.departed], .departed(happening.reason?.departure ?? .removed))
            case .silent: ([.unanswered, .changed], happening.was.map { .changed(was: $0) })
            case .answers, .changed, .identified:
                ([.changed], happening.was.map { .changed(was: $0) })
            }
        guard let content, !events.isEmpty else { return nil }
        self.init(events, item, content, at: happening.time)
    }
}

extension ItemHappening {
    /// Whether the item is there and answers after the event; `nil` if the event does not tell.
    fileprivate var isThere: Bool? {
        switch event {
        case .arrived, .there: true
        case .left: false
        case .silent, .answers, .changed, .identified:
            item.peer.presence == .unknown ? nil : !item.peer.presence.isSilent
        }
    }
}

/// The departures and silences of a hook that is run only when they have lasted.
///
/// Of an absence that ends earlier, the hook gets neither the begin nor the end.
struct LastingAbsences {
    typealias Instant = ContinuousClock.Instant

    /// The maximum number of items that are away; the changes of others are not kept back.
    static let limit = 10_000

    /// The time that an absence has to last; `nil` if nothing is kept back.
    private let time: Duration?
    private var kept: [UUID: (changes: [ItemChange], due: Instant)] = [:]

    init(for time: Duration?) { self.time = time }

    /// The time at which the first absence has lasted.
    var due: Instant? { kept.values.lazy.map(\.due).min() }

    /// Whether the change of an event goes to the program now.
    mutating func passes(_ event: ItemHappening, at now: Instant) -> Bool {
        guard let time else { return true }
        let id = event.item.id
        // A device that is back under another identifier is back.
        for former in [event.former, event.was?.id] {
            guard let former, former != id, let absence = kept.removeValue(forKey: former) else {
                continue
            }
            kept[id] = kept[id] ?? absence
        }
        guard let isThere = event.isThere else { return true }
        if isThere { return kept.removeValue(forKey: id) == nil }
        guard let change = ItemChange(event), kept[id] != nil || kept.count < Self.limit else {
            return true
        }
        kept[id, default: ([], now + time)].changes.append(change)
        return false
    }

    /// Removes and returns the changes of absences that have lasted.
    mutating func removeDue(at now: Instant) -> [ItemChange] {
        let due = kept.filter { $0.value.due <= now }
        for id in due.keys { kept[id] = nil }
        return due.values.flatMap(\.changes).sorted {
            ($0.time, $0.item.id) < ($1.time, $1.item.id)
        }
    }
}

extension ItemChange {
    /// The share of a bound on memory: 1, and more for a device of many services.
    var weight: Int { 1 + item.peer.services.count / 20 }
}
