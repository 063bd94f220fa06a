// The contents of a report: what recordings tell together, in order and counted.
package import FoundationEssentials
package import PeerModel
import PeerText

/// The contents of a report, as a value.
package struct Report: Sendable {
    /// The limits of what is shown.
    package struct Limits: Sendable {
        /// Those who were there longest.
        var devices = 300
        /// The intervals in the time lines of all devices together.
        var intervals = 40_000
        /// The gaps that are drawn; each is behind every time line.
        var gaps = 1_000
        /// The latest ones with arrivals or departures.
        var hours = 9_600
        var newcomers = 200
        var unanswered = 50
        var types = 200
        /// The types of services of a kind of device.
        var typesOfKind = 12
    }

    /// A device, and when it was there.
    struct Device: Sendable {
        let id: UUID
        var facts: DeviceFacts
        var log: PresenceLog

        /// The intervals in which it was there and answered.
        var present: [Interval] { log.present }
        var arrivals: Int { log.there.count(where: \.hasBeginning) }
        var departures: Int { log.there.count(where: \.hasEnding) }
        var silences: Int { log.unanswered.count(where: \.hasBeginning) }
        /// Whether it arrived, left or fell silent.
        var hasChanged: Bool { arrivals + departures + silences > 0 }
        /// The intervals that are drawn, by name.
        var lines: KeyValuePairs<String, [Interval]> {
            ["present": present, "unanswered": log.unanswered, "unknown": log.unknown]
        }
    }

    /// A device that is listed now.
    struct Present: Sendable {
        let device: Device
        let presence: Presence
        /// The time of its arrival; `nil` if it was there before.
        var since: Timestamp? { device.log.there.last.flatMap { $0.hasBeginning ? $0.start : nil } }
        /// The time since which it does not answer.
        var silence: Timestamp? {
            presence.isSilent ? device.log.unanswered.last?.start : nil
        }
    }

    /// The arrivals and departures in an hour of local time.
    struct Hour: Equatable, Sendable {
        let start: Timestamp
        var arrivals = 0
        var departures = 0
    }

    /// A type of services, and the number of devices that have ever offered it.
    struct ServiceCount: Sendable {
        let type: String
        /// The devices of each kind, the most frequent first; `nil` for unknown kinds.
        let kinds: [(kind: DeviceKind?, count: Int)]
        var count: Int { kinds.reduce(0) { $0 + $1.count } }
    }

    /// The devices of a kind, and the services that they have ever offered.
    struct KindCount: Sendable {
        let kind: DeviceKind?
        let count: Int
        /// The devices with each type of services, the most frequent first.
        let types: [(type: String, count: Int)]
        /// The number of all types.
        let typeCount: Int
    }

    /// Intervals that a recording does not end are continued by another recording after at most this time.
    static let bridge: Int64 = 60_000_000

    let observers: [String]
    /// The time from the first line to the last.
    let span: ClosedRange<Timestamp>
    let coverage: [Interval]
    /// The devices that are shown: the devices that were there longest, newcomers and silent devices. Changed
    /// devices come first; each part is by name.
    let devices: [Device]
    /// The number of all devices.
    let deviceCount: Int
    /// The hours with arrivals or departures, in order.
    let hours: [Hour]
    /// The greatest number of devices at one time.
    let greatestCount: Int
    let arrivals: Int
    let departures: Int
    /// The devices that had never been seen before, the latest first, and the number of all.
    let newcomers: (shown: [Device], count: Int)
    /// The devices that became unanswered, most often first, and the number of all.
    let unanswered: (shown: [Device], count: Int)
    /// The types of services, most devices first, and the number of all.
    let services: (shown: [ServiceCount], count: Int)
    /// The kinds of devices, most devices first.
    let kinds: [KindCount]
    /// The devices that are listed now, by name, and the number of all.
    let present: (shown: [Present], count: Int)
    let limits: Limits
    /// Returns the offset of local time from UTC in seconds.
    let offset: @Sendable (Timestamp) -> Int64

    /// Merges recordings, which need no order; `nil` if none tells of any time.
    ///
    /// - Parameters:
    ///   - recordings: The presences in each recording.
    ///   - present: The devices that are listed now.
    ///   - limits: The limits of what is shown.
    ///   - offset: Returns the offset of local time from UTC in seconds.
    package init?(
        _ recordings: [RecordedPresence], present: [UUID: Presence] = [:],
        limits: Limits = Limits(),
        offset: @escaping @Sendable (Timestamp) -> Int64 = { LocalTime.offset(at: $0) }
    ) {
        coverage = recordings.flatMap(\.coverage).joined(bridging: Self.bridge)
        guard let first = coverage.first, let last = coverage.last else { return nil }
        span = first.start...last.end
        (self.limits, self.offset) = (limits, offset)
        observers = Set(recordings.flatMap(\.observers)).sorted()

        var present = present
        let all = Self.devices(recordings, &present)
        deviceCount = all.count
        let listed = all.compactMap { device in
            present[device.id].map { Present(device: device, presence: $0) }
        }
        self.present = (Array(listed.prefix(limits.devices)), listed.count)
        let there = all.flatMap(\.log.there)
        greatestCount = Self.greatestCount(there)
        arrivals = there.count(where: \.hasBeginning)
        departures = there.count(where: \.hasEnding)
        hours = Array(Self.hours(there, offset).suffix(limits.hours))

        let new = all.compactMap { device in device.facts.newSince.map { ($0, device) } }
            .filter { $0.0 >= first.start }.sorted { $0.0 > $1.0 }.map(\.1)
        newcomers = (Array(new.prefix(limits.newcomers)), new.count)
        let silent = all.filter { !$0.log.unanswered.isEmpty }.sorted {
            ($0.silences, $0.log.unanswered.length) > ($1.silences, $1.log.unanswered.length)
        }
        unanswered = (Array(silent.prefix(limits.unanswered)), silent.count)
        // Sorting is stable, so devices of equal times stay in the order of their names.
        let longest = all.map { ($0, $0.log.there.length) }.sorted { $0.1 > $1.1 }
            .prefix(limits.devices).map(\.0)
        let shown = Set((longest + newcomers.shown + unanswered.shown).map(\.id))
        let inOrder = all.filter { shown.contains($0.id) }
        devices = inOrder.filter(\.hasChanged) + inOrder.filter { !$0.hasChanged }

        let byType = all.flatMap { device in device.facts.types.map { ($0, device.facts.kind) } }
        let types = Dictionary(grouping: byType, by: \.0).map { type, devices in
            ServiceCount(type: type, kinds: Self.counts(devices.map(\.1)) { $0?.title ?? "~" })
        }.sorted { ($1.count, $0.type) < ($0.count, $1.type) }
        services = (Array(types.prefix(limits.types)), types.count)
        let byKind = Dictionary(grouping: all, by: \.facts.kind)
        kinds = Self.counts(all.map(\.facts.kind)) { $0?.title ?? "~" }.map { kind, count in
            let types = Self.counts(byKind[kind, default: []].flatMap(\.facts.types)) { $0 }
            return KindCount(
                kind: kind, count: count, types: Array(types.prefix(limits.typesOfKind)),
                typeCount: types.count)
        }
    }

    /// Returns the distinct values with their numbers, the most frequent first, equal ones by name.
    private static func counts<Value: Hashable>(
        _ values: [Value], by name: (Value) -> String
    ) -> [(Value, Int)] {
        Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +).map { ($0.key, $0.value) }
            .sorted { ($1.1, name($0.0)) < ($0.1, name($1.0)) }
    }

    /// Merges the devices of recordings, even under changed identifiers, and sorts them by name.
    private static func devices(
        _ recordings: [RecordedPresence], _ present: inout [UUID: Presence]
    ) -> [Device] {
        var successors: [UUID: UUID] = [:]
        /// Returns the identifier under which a device is listed.
        func last(_ id: UUID) -> UUID {
            var last = id
            while let next = successors[last] { last = next }
            // Later searches take one step, so that a device with many identifiers costs no more.
            var former = id
            while former != last, let next = successors.updateValue(last, forKey: former) {
                former = next
            }
            return last
        }
        for recording in recordings {
            for (former, next) in recording.successors {
                let (former, next) = (last(former), last(next))
                if former != next { successors[former] = next }
            }
        }
        present = Dictionary(
            present.map { (last($0), $1) }, uniquingKeysWith: { Presence.combined([$0, $1]) })
        var devices: [UUID: Device] = [:]
        // One who was present for one observer was so, whatever the others learned.
        var present: [UUID: [Interval]] = [:]
        for recording in recordings {
            for (id, (facts, log)) in recording.devices {
                let id = last(id)
                present[id, default: []] += log.present
                guard devices[id] != nil else {
                    devices[id] = Device(id: id, facts: facts, log: log)
                    continue
                }
                devices[id]?.facts.merge(facts)
                devices[id]?.log.there += log.there
                devices[id]?.log.unanswered += log.unanswered
                devices[id]?.log.unknown += log.unknown
            }
        }
        // What was under other identifiers for a moment only was never there.
        let sorted = devices.values.filter { !$0.log.there.isEmpty }.map {
            (key: SortKey(name: $0.facts.name, id: $0.id), device: $0)
        }
        .sorted { $0.key < $1.key }
        return sorted.map { _, device in
            var device = device
            device.log.there = device.log.there.joined(bridging: bridge)
            let present = present[device.id, default: []]
            device.log.unanswered = device.log.unanswered.joined(bridging: bridge)
                .subtracting(present)
            device.log.unknown = device.log.unknown.joined(bridging: bridge).subtracting(present)
            return device
        }
    }

    private static func greatestCount(_ there: [Interval]) -> Int {
        // At one time, departures come first.
        let steps = (there.map { ($0.start, 1) } + there.map { ($0.end, -1) }).sorted { $0 < $1 }
        var (count, greatest) = (0, 0)
        for (_, step) in steps {
            count += step
            greatest = max(greatest, count)
        }
        return greatest
    }

    private static func hours(
        _ there: [Interval], _ offset: (Timestamp) -> Int64
    ) -> [Hour] {
        var hours: [Timestamp: Hour] = [:]
        func count(_ time: Timestamp, _ number: WritableKeyPath<Hour, Int>) {
            let local = time.microseconds + offset(time) * 1_000_000
            let start = Timestamp(
                microseconds: time.microseconds - floorDivide(local, 3_600_000_000).remainder)
            hours[start, default: Hour(start: start)][keyPath: number] += 1
        }
        for interval in there {
            if interval.hasBeginning { count(interval.start, \.arrivals) }
            if interval.hasEnding { count(interval.end, \.departures) }
        }
        return hours.values.sorted { $0.start < $1.start }
    }

    /// The offsets of local time from UTC in seconds, each with the time from which it applies.
    var zones: [(start: Timestamp, offset: Int64)] {
        func time(_ second: Int64) -> Timestamp { Timestamp(microseconds: second * 1_000_000) }
        let (first, last) = (span.lowerBound.seconds, span.upperBound.seconds)
        var zones = [(start: time(first), offset: offset(time(first)))]
        for day in stride(from: first, to: last, by: 86_400) {
            // The offset changes at most once in a day.
            let former = offset(time(day))
            var (before, after) = (day, min(day + 86_400, last))
            guard offset(time(after)) != former else { continue }
            while after - before > 1 {
                let middle = (before + after) / 2
                if offset(time(middle)) == former { before = middle } else { after = middle }
            }
            zones.append((time(after), offset(time(after))))
        }
        return zones
    }

    /// The longest pause that time lines leave out, so that they have few enough intervals; -1 for none.
    var omittedPause: Int64 {
        let lines = devices.flatMap { $0.lines.map(\.value) }
        let excess = lines.reduce(0) { $0 + $1.count } - limits.intervals
        guard excess > 0 else { return -1 }
        let pauses = lines.flatMap { line in
            zip(line, line.dropFirst()).map { $1.start.microseconds - $0.end.microseconds }
        }.sorted()
        return pauses.prefix(excess).last ?? -1
    }

    /// The longest gaps between the recordings, in order.
    var gaps: [Interval] {
        zip(coverage, coverage.dropFirst()).map { Interval(start: $0.end, end: $1.start) }
            .sorted { $0.length > $1.length }.prefix(limits.gaps)
            .sorted { $0.start < $1.start }
    }
}

extension Timestamp {
    /// The whole seconds since 1970-01-01 UTC.
    var seconds: Int64 { floorDivide(microseconds, 1_000_000).quotient }
}

extension [Interval] {
    /// The time in all of them together, in microseconds, if they do not overlap.
    var length: Int64 { reduce(0) { $0 + $1.length } }

    /// Returns the union in order, in which two intervals that no event separates are one if at most some
    /// microseconds are between them.
    func joined(bridging gap: Int64) -> [Interval] {
        var joined: [Interval] = []
        for next in sorted(by: { $0.start < $1.start }) {
            guard var last = joined.last else {
                joined.append(next)
                continue
            }
            let isNear =
                !last.hasEnding && !next.hasBeginning
                && next.start.microseconds - last.end.microseconds <= gap
            guard next.start <= last.end || isNear else {
                joined.append(next)
                continue
            }
            // Where a file was rotated at an arrival or departure, the other file did not observe it.
            if next.start == last.start {
                last.hasBeginning = last.hasBeginning || next.hasBeginning
            }
            if next.end > last.end {
                (last.end, last.hasEnding) = (next.end, next.hasEnding)
            } else if next.end == last.end {
                last.hasEnding = last.hasEnding || next.hasEnding
            }
            joined[joined.count - 1] = last
        }
        return joined
    }

    /// Returns the parts of these ordered intervals outside the others. A part after another interval has a
    /// beginning if the latter has an ending.
    func subtracting(_ others: [Interval]) -> [Interval] {
        let others = others.joined(bridging: 0)
        var parts: [Interval] = []
        var next = 0
        for interval in self {
            var rest = interval
            while next < others.count, others[next].end <= rest.start { next += 1 }
            var index = next
            while index < others.count, others[index].start < rest.end {
                let other = others[index]
                if other.start > rest.start {
                    parts.append(
                        Interval(
                            start: rest.start, end: other.start, hasBeginning: rest.hasBeginning,
                            hasEnding: other.hasBeginning))
                }
                (rest.start, rest.hasBeginning) = (other.end, other.hasEnding)
                index += 1
            }
            if rest.start < interval.end || rest == interval { parts.append(rest) }
        }
        return parts
    }

    /// Returns the intervals without pauses of at most some microseconds.
    func omitting(pauses length: Int64) -> [Interval] {
        reduce(into: []) { intervals, next in
            if let last = intervals.last,
                next.start.microseconds - last.end.microseconds <= length
            {
                intervals[intervals.count - 1].end = next.end
            } else {
                intervals.append(next)
            }
        }
    }
}
