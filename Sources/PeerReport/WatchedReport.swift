// Keeps the page of `peerlist report --watch` up to date.
import FoundationEssentials
import Glibc
package import PeerExpect
import PeerHappenings
package import PeerModel
package import PeerRecording
import PeerSystem
import PeerText

/// A page with the devices of now and of the last days.
///
/// The page is written when the initial fill is over; then at most once in ten seconds after changes, and once in a
/// minute without, so that its age tells whether it is still written. A page that takes long to make is written less
/// often.
package final class WatchedReport: ListOutput {
    /// The time that the page shows.
    package static let days: Int64 = 7
    /// The times from one page to the next, with changes and without.
    private static let intervals = (changed: Duration.seconds(10), unchanged: Duration.seconds(60))
    /// The multiple of the time that a page takes to make, after which the next one is made.
    private static let pause = 20
    static let limits = Report.Limits(
        devices: 200, intervals: 10_000, gaps: 200, hours: 200, newcomers: 50, types: 50)

    private let path: String
    /// The presences in recordings of the time before, and messages about them.
    private var past: [RecordedPresence]
    private let notices: [String]
    /// The comparison with what is expected; `nil` if nothing is.
    private var watch: FaultWatch?
    private let offset: @Sendable (Timestamp) -> Int64
    private var reader = PresenceReader()
    /// The observers of a fleet, and whether they are online.
    private var online: [ObserverName: Bool] = [:]
    /// The end of the initial fill.
    private var fillEnd: ContinuousClock.Instant?
    private var isStale = true
    /// The end of the last try to write the page, and the time that it took.
    private var last: (end: ContinuousClock.Instant, cost: Duration)?
    private var failure: LineFailure?

    /// Creates the output; writes nothing yet.
    package init(
        path: String, past: [RecordedPresence] = [], notices: [String] = [],
        expecting file: ExpectationFile? = nil,
        offset: @escaping @Sendable (Timestamp) -> Int64 = { LocalTime.offset(at: $0) }
    ) {
        (self.path, self.past, self.notices, self.offset) = (path, past, notices, offset)
        watch = file.map { FaultWatch($0) }
    }

    /// Returns why the page cannot be written, if that is known before, and what to do.
    package static func obstacle(_ path: String) -> String? {
        do throws(FileRefusal) {
            let entry = try FileEntry(path)
            try entry.checkReplacement()
            try ReportPage.check(entry)
            return nil
        } catch {
            return error.description
        }
    }

    /// The time of the next page.
    package var due: ContinuousClock.Instant? {
        guard fillEnd != nil, let last else { return fillEnd }
        let interval = isStale ? Self.intervals.changed : Self.intervals.unchanged
        return last.end + max(interval, last.cost * Self.pause)
    }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        if watch?.handle(event, at: time)?.isEmpty == false { isStale = true }
        reader.handle(event, at: time)
        switch event {
        case .fill(let fill): (fillEnd, isStale) = (fill == .running ? nil : .now, true)
        case .updated, .happened: isStale = true
        case .sources(let sources): (online, isStale) = (sources.observers ?? [:], true)
        case .tick:
            if let due, due <= .now { write(at: time) }
        case .ended:
            if fillEnd != nil {
                write(at: time, isLast: true)
            } else {
                complain("\(path) was not written: the list was not complete yet")
                failure = .system(code: ECANCELED)
            }
        case .began, .lost, .handedOver, .sighted, .noticed, .answered, .reopened: break
        }
    }

    package func close(within limit: Duration) async -> LineFailure? { failure }

    private func write(at time: Timestamp, isLast: Bool = false) {
        let begin = ContinuousClock.now
        defer { last = (.now, .now - begin) }
        let limit = time.advanced(by: -Self.days * 86_400_000_000)
        reader.forget(before: limit)
        for index in past.indices { past[index].forget(before: limit) }
        past.removeAll { $0.coverage.isEmpty }
        if !online.isEmpty { reader.setObservers(online.keys.map(\.title)) }
        let (live, present) = reader.snapshot(at: time)
        guard
            let report = Report(
                past + [live], present: present, limits: Self.limits, offset: offset)
        else { return }
        let state = PageState(
            time: time, away: online.filter { !$0.value }.keys.map(\.title).sorted(),
            faults: watch.flatMap { $0.isReady ? $0.faults : nil },
            unknown: watch?.unknown ?? [], isLast: isLast)
        let page = ReportPage(
            report, notices: notices + live.notices(on: "the list since the start"), state: state)
        let wasFailing = failure != nil
        do throws(FileRefusal) {
            let entry = try FileEntry(path)
            try ReportPage.check(entry)
            try entry.replace(by: Array(page.text.utf8))
            (isStale, failure) = (false, nil)
            if wasFailing { complain("\(path) is written again") }
        } catch {
            failure = .notOpened(OutputFile.Refusal(error))
            if !wasFailing { complain("\(error); it is tried again") }
        }
    }
}
