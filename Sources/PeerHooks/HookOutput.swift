// Hands what happened to the programs of hooks.
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
                for index in runners.indices where absences[index].passes(event, at: now) {
                    runners[index].add(event)
                }
            }
        case .sources(let sources):
            for index in absences.indices { absences[index].apply(sources, at: (time, now)) }
        case .tick: break
        // The session reads no more notices.
        case .ended: for runner in runners { runner.beginEnding() }
        case .began, .lost, .fill, .updated, .handedOver, .sighted, .noticed, .answered,
            .reopened:
            return
        }
        for index in runners.indices {
            for change in absences[index].removeDue(at: (time, now)) { runners[index].add(change) }
        }
    }

    /// Does not wait for the programs, which ``HookRunner/stop(within:)`` ends.
    package func close(within limit: Duration) async -> LineFailure? { nil }
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
/// Of an absence that ends earlier, the hook gets neither the begin nor the end. It is not known whether an absence
/// lasts of a device that cannot be heard, so it is not over before the device can be heard again, or not at all.
struct LastingAbsences {
    typealias Instant = ContinuousClock.Instant
    /// The time of day, and the time of the clock that the hook waits by.
    typealias Now = (time: Timestamp, instant: Instant)

    /// The maximum number of items that are away; the changes of others are not kept back.
    static let limit = 10_000

    private struct Kept {
        var changes: [ItemHappening] = []
        let due: Instant
        let paths: Set<String>
        /// Whether it is not known if the absence lasts.
        var isHeld = false
    }

    /// The time that an absence has to last; `nil` if nothing is kept back.
    private let time: Duration?
    /// The changes that are kept back, by the numbers of their absences.
    private var kept: [Int: Kept] = [:]
    /// The numbers of the absences that have lasted, whose events are not kept back any more.
    private var told: Set<Int> = []
    private var sources = AbsentSources()
    /// The time at which the next source has been back for long enough.
    private var sourceDue: Instant?

    init(for time: Duration?) { self.time = time }

    /// The time at which the first absence has lasted.
    var due: Instant? {
        let dues = kept.values.lazy.filter { !$0.isHeld }.map(\.due)
        return [dues.min(), kept.isEmpty ? nil : sourceDue].compactMap(\.self).min()
    }

    /// Decides of an absence whether it is not known if it lasts; that of a link does not wait for the link.
    private mutating func hold(_ number: Int) {
        guard let absence = kept[number] else { return }
        kept[number]?.isHeld =
            absence.changes.first?.hookEvents != [.link] && sources.concern(absence.paths)
    }

    mutating func apply(_ sources: AbsentSources, at now: Now) {
        self.sources = sources
        planSources(at: now)
    }

    private mutating func planSources(at now: Now) {
        for number in kept.keys { hold(number) }
        sourceDue = sources.due.map { due in
            // Bounded, because the clock may have been set back.
            now.instant
                + .microseconds(min(max(0, due.microseconds - now.time.microseconds), 60_000_000))
        }
    }

    /// Whether the change of an event goes to the program now.
    mutating func passes(_ event: ItemHappening, at now: Instant) -> Bool {
        guard let time, let absence = event.absence else { return true }
        // A device that no observer sees any more is not known to be away.
        if event.event == .left, event.item.isUnseen {
            kept[absence] = nil
            return false
        }
        guard let isThere = event.isThere else { return true }
        if isThere {
            told.remove(absence)
            return kept.removeValue(forKey: absence) == nil
        }
        if told.contains(absence) { return true }
        guard !event.hookEvents.isEmpty, kept[absence] != nil || kept.count < Self.limit else {
            return true
        }
        kept[absence, default: Kept(due: now + time, paths: event.item.paths)].changes.append(event)
        hold(absence)
        return false
    }

    /// Removes and returns the changes of absences that have lasted.
    mutating func removeDue(at now: Now) -> [ItemHappening] {
        if sources.removeReturned(at: now.time) { planSources(at: now) }
        let due = kept.filter { $0.value.due <= now.instant && !$0.value.isHeld }
        for number in due.keys {
            kept[number] = nil
            if told.count < Self.limit { told.insert(number) }
        }
        return due.values.flatMap(\.changes).sorted {
            ($0.time, $0.item.id) < ($1.time, $1.item.id)
        }
    }
}
