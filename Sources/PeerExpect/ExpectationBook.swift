// Compares what happens on a network with what is expected, and finds faults and their ends.
import FoundationEssentials
package import PeerHappenings
package import PeerModel
import PeerSession
import PeerText

/// The devices that are there, and the expectations that are broken.
///
/// It is fed by the account of what happened, so that the steps in which a device becomes known are no events.
/// A broken expectation becomes a fault when it has been broken for the time that the file states. While an
/// interface of this machine, the backend, the broker or an observer is away, it is not known whether devices
/// have left, so none counts as missing.
///
/// All times come from the account, so a recording of a list has the same faults as the list.
package struct ExpectationBook: Sendable {
    /// The time in microseconds by which the account may be late: it says what happened when that has settled.
    package static let settling: Int64 = 3_000_000
    /// The time after the return of an interface or a backend in which devices are found again.
    static let catchUp: Int64 = 15_000_000
    /// The maximum number of unexpected devices that are followed at a time.
    package static let newcomerLimit = 10_000
    /// The maximum number of devices that are compared with a missing one.
    private static let nearestLimit = 5_000

    /// The ways in which an expectation is broken.
    private enum Condition: Hashable {
        case few(Int), many(Int), services(Int), vouching(Int)
        case newcomer(UUID)
    }

    private struct Entry {
        var device: ExpectedDevice
        var isSilent: Bool
        /// Whether it has left the list because it cannot be heard, which says nothing about the device.
        var isOutOfReach = false
        /// The indices of the expectations that are about it.
        var matches: [Int] = []

        init(_ item: ListItem, isSilent: Bool? = nil) {
            device = ExpectedDevice(item)
            self.isSilent = isSilent ?? item.peer.presence.isSilent
        }
    }

    /// The devices of an expectation that are there.
    private struct Tally {
        var there: Set<UUID> = []
        /// Devices that lack a service.
        var lacking: Set<UUID> = []
        /// The devices for which a wrong machine answers.
        var misvouched: Set<UUID> = []
        /// The latest device that has left or fallen silent, and how.
        var lost: (device: Fault.Device, how: String, paths: Set<String>)?
    }

    /// A broken expectation.
    private struct Break {
        let since: Timestamp
        /// The fault, once it was said.
        var fault: Fault?
    }

    package let file: ExpectationFile
    private var entries: [UUID: Entry] = [:]
    private var tallies: [Tally]
    private var breaks: [Condition: Break] = [:]
    private var newcomerCount = 0
    /// The number of unexpected devices that were left out.
    package private(set) var omittedCount = 0
    private var events: [FaultEvent] = []
    /// Whether everything that was there at the start is known.
    package private(set) var isReady = false
    /// The interfaces, backends, brokers and observers that are away, and the times of their return.
    private var sources: [String: Timestamp?] = [:]

    package init(_ file: ExpectationFile) {
        self.file = file
        tallies = file.expectations.map { _ in Tally() }
    }

    /// The number of devices that are there and answer.
    package var presentCount: Int { entries.values.count { !$0.isSilent && !$0.isOutOfReach } }

    /// The number of devices of an expectation that are there.
    package func count(of index: Int) -> Int { tallies[index].there.count }

    /// The devices that are there, if an expectation of one device is about several.
    func several(of index: Int) -> [ExpectedDevice] {
        let (expectation, there) = (file.expectations[index], tallies[index].there)
        guard !expectation.isSet, expectation.count.upperBound > 1, there.count > 1 else {
            return []
        }
        return there.compactMap { entries[$0]?.device }.sorted {
            ($0.title, $0.id) < ($1.title, $1.id)
        }
    }

    /// The faults that are not over, in the order of their beginnings.
    package var faults: [Fault] { breaks.values.compactMap(\.fault).sorted(by: Fault.precedes) }

    // MARK: What is there

    /// Begins a list; nothing is known of it yet. A fault goes on if the new list has it too.
    package mutating func begin() {
        breaks = breaks.filter { $0.value.fault != nil }
        newcomerCount = breaks.keys.count { if case .newcomer = $0 { true } else { false } }
        (entries, sources, isReady) = ([:], [:], false)
        tallies = file.expectations.map { _ in Tally() }
    }

    /// Compares all that is there, once it is known.
    package mutating func becomeReady(at time: Timestamp) {
        guard !isReady else { return }
        isReady = true
        update(Set(file.expectations.indices), at: time)
        let newcomers = Set(entries.keys).union(
            breaks.keys.compactMap { if case .newcomer(let id) = $0 { id } else { nil } })
        for id in newcomers { updateNewcomer(id, at: time) }
    }

    /// Adds an item of a list as it is at a moment.
    package mutating func add(_ item: ListItem, at time: Timestamp) {
        guard item.peer.isResolved else { return }
        replace(item.id, by: Entry(item), at: time)
    }

    /// Takes over what is known of an item: all of it in the initial fill, and then what no event tells.
    package mutating func refresh(_ item: ListItem, during fill: InitialFill, at time: Timestamp) {
        guard let known = entries[item.id] else { return }
        let change = ItemChanges.Change(was: known.device.item, now: item)
        var entry = known
        if fill == .running || !change.isOfItsOwn { entry.device = ExpectedDevice(item) }
        switch item.peer.presence {
        case .present: entry.isSilent = false
        case .unanswered, .proxied: if fill == .running { entry.isSilent = true }
        default: break
        }
        replace(item.id, by: entry, at: time)
    }

    /// Adds something that happened.
    package mutating func apply(_ happening: Happening) {
        switch happening {
        case .item(let event): apply(event)
        case .source(let event): apply(event)
        }
    }

    private mutating func apply(_ event: ItemHappening) {
        let (id, time) = (event.item.id, event.time)
        switch event.event {
        case .left: leave(event)
        case .silent:
            if let entry = entries[id] { note(event.item, "does not answer", in: entry.matches) }
            replace(id, by: Entry(event.item, isSilent: true), at: time)
        case .answers: replace(id, by: Entry(event.item, isSilent: false), at: time)
        case .changed:
            replace(id, by: Entry(event.item, isSilent: entries[id]?.isSilent), at: time)
        case .arrived, .there: replace(id, by: Entry(event.item), at: time)
        case .identified:
            let former = event.was.flatMap { $0.id == id ? nil : $0.id }
            replace(id, by: Entry(event.item), removing: former, at: time)
        }
    }

    private mutating func leave(_ event: ItemHappening) {
        let (id, time) = (event.item.id, event.time)
        guard var entry = entries[id] else { return }
        let isUnheard = event.reason == .link || event.reason == .backend
        if isUnheard, !sources.isEmpty {
            entry.isOutOfReach = true
            return replace(id, by: entry, at: time)
        }
        let how =
            switch event.reason {
            case .expired: "did not answer, and its records have expired"
            case .link, .backend: "was not found again after an outage"
            default: "said goodbye"
            }
        note(event.item, how, in: entry.matches)
        replace(id, by: nil, at: time)
    }

    /// Notes how a device that is not there any more was lost.
    private mutating func note(_ item: ListItem, _ how: String, in matches: [Int]) {
        for index in matches { tallies[index].lost = (Fault.Device(item), how, item.paths) }
    }

    /// Replaces or removes the entry of a device, and may remove another.
    private mutating func replace(
        _ id: UUID, by entry: Entry?, removing other: UUID? = nil, at time: Timestamp
    ) {
        var touched: Set<Int> = []
        for id in [id, other].compactMap(\.self) {
            guard let former = entries.removeValue(forKey: id) else { continue }
            for index in former.matches {
                tallies[index].there.remove(id)
                tallies[index].lacking.remove(id)
                tallies[index].misvouched.remove(id)
                touched.insert(index)
            }
        }
        if var entry {
            entry.matches = file.expectations.indices.filter {
                file.expectations[$0].concerns(entry.device)
            }
            for index in entry.matches where !entry.isSilent {
                tallies[index].there.insert(id)
                touched.insert(index)
                let expectation = file.expectations[index]
                if !expectation.servicesMissing(on: entry.device).isEmpty {
                    tallies[index].lacking.insert(id)
                }
                if expectation.isMisvouched(entry.device) { tallies[index].misvouched.insert(id) }
            }
            entries[id] = entry
        }
        guard isReady else { return }
        update(touched, at: time)
        updateNewcomer(id, at: time)
        if let other { updateNewcomer(other, at: time) }
    }

    // MARK: What the list is heard through

    private mutating func apply(_ event: SourceHappening) {
        switch event.event {
        case .linkLost, .backendLost, .brokerLost, .observerAway:
            sources[event.source] = .some(nil)
        case .linkBack, .backendBack, .brokerBack, .observerBack:
            if sources[event.source] != nil { sources[event.source] = event.time }
        case .filled, .observerJoined: break
        }
    }

    /// Forgets sources that have been back for long enough, and the devices that were not found again.
    private mutating func endOutages(at time: Timestamp) {
        let over = sources.filter {
            $0.value.map { $0.advanced(by: Self.catchUp) <= time } ?? false
        }
        guard !over.isEmpty else { return }
        for source in over.keys { sources[source] = nil }
        guard sources.isEmpty else { return }
        for (id, entry) in entries where entry.isOutOfReach {
            note(entry.device.item, "was not found again after an outage", in: entry.matches)
            replace(id, by: nil, at: time)
        }
    }

    /// Returns the time at which it is known whether an expectation is broken; `nil` if a source is away.
    private func knownTime(of condition: Condition) -> Timestamp? {
        guard case .few(let index) = condition else { return Timestamp(microseconds: .min) }
        let paths = tallies[index].lost?.paths ?? []
        var latest = Timestamp(microseconds: .min)
        for (source, back) in sources {
            let isShared = source.hasPrefix("link ") || source.hasPrefix("observer ")
            if isShared, !paths.isEmpty, !paths.contains(source) { continue }
            guard let back else { return nil }
            latest = max(latest, back.advanced(by: Self.catchUp))
        }
        return latest
    }

    // MARK: What is broken

    private mutating func update(_ indices: Set<Int>, at time: Timestamp) {
        for index in indices {
            let (expectation, tally) = (file.expectations[index], tallies[index])
            let count = tally.there.count
            set(.few(index), count < expectation.count.lowerBound, at: time)
            set(.many(index), count > expectation.count.upperBound, at: time)
            guard expectation.count.upperBound > 0 else { continue }
            // One device that is as it should be is enough for a single one.
            let limit = expectation.isSet ? 1 : max(1, count)
            set(.services(index), tally.lacking.count >= limit, at: time)
            set(.vouching(index), tally.misvouched.count >= limit, at: time)
        }
    }

    private mutating func updateNewcomer(_ id: UUID, at time: Timestamp) {
        guard file.reportsNewcomers else { return }
        let isBroken = entries[id].map {
            $0.matches.isEmpty && !$0.isSilent && !$0.device.item.peer.isSelf
        }
        set(.newcomer(id), isBroken ?? false, at: time)
    }

    private mutating func set(_ condition: Condition, _ isBroken: Bool, at time: Timestamp) {
        if isBroken {
            guard breaks[condition] == nil else { return }
            if case .newcomer = condition {
                guard newcomerCount < Self.newcomerLimit else { return omittedCount += 1 }
                newcomerCount += 1
            }
            breaks[condition] = Break(since: time)
            return
        }
        guard let broken = breaks.removeValue(forKey: condition) else { return }
        if case .newcomer = condition { newcomerCount -= 1 }
        let end = max(time, broken.since)
        var fault = broken.fault
        let begin = broken.since.advanced(by: microseconds(of: condition))
        if fault == nil, begin <= end, knownTime(of: condition).map({ $0 <= end }) ?? false {
            fault = self.fault(condition, since: broken.since)
            if let fault { events.append(FaultEvent(fault: fault, time: begin)) }
        }
        guard var fault else { return }
        fault.until = end
        events.append(FaultEvent(fault: fault, time: end))
    }

    private func microseconds(of condition: Condition) -> Int64 {
        let time =
            switch condition {
            case .few(let index), .many(let index), .services(let index), .vouching(let index):
                file.expectations[index].time
            case .newcomer: file.time
            }
        return time.components.seconds * 1_000_000
    }

    // MARK: What is said

    /// Returns the time at which a fault begins that is not over then.
    private func due(of condition: Condition, _ broken: Break) -> Timestamp? {
        guard broken.fault == nil, let known = knownTime(of: condition) else { return nil }
        return max(known, broken.since.advanced(by: microseconds(of: condition)))
    }

    /// The time at which something is to be said; `nil` if there is nothing.
    ///
    /// - Complexity: O(*n*) for *n* broken expectations and unexpected devices.
    package var due: Timestamp? {
        let faults = breaks.lazy.compactMap { condition, broken in
            due(of: condition, broken)?.advanced(by: Self.settling)
        }
        let outages = sources.values.lazy.compactMap { $0?.advanced(by: Self.catchUp) }
        return [faults.min(), outages.min()].compactMap(\.self).min()
    }

    /// Removes and returns the faults that have begun or ended at a time, in order.
    package mutating func removeDue(at time: Timestamp) -> [FaultEvent] {
        endOutages(at: time)
        say(until: time.advanced(by: -Self.settling))
        defer { events = [] }
        return events.sorted(by: FaultEvent.precedes)
    }

    /// Removes and returns what is left at the end of the account, which is not late any more.
    package mutating func removeAll(at time: Timestamp) -> [FaultEvent] {
        endOutages(at: time)
        say(until: time)
        defer { events = [] }
        return events.sorted(by: FaultEvent.precedes)
    }

    /// Makes a fault of everything that is broken at the moment, whatever time the file states.
    package mutating func judge() -> [Fault] {
        for (condition, broken) in breaks where broken.fault == nil {
            let fault = fault(condition, since: broken.since)
            breaks[condition]?.fault = fault
        }
        return faults
    }

    private mutating func say(until time: Timestamp) {
        for (condition, broken) in breaks {
            guard let due = due(of: condition, broken), due <= time,
                let fault = fault(condition, since: broken.since)
            else { continue }
            breaks[condition]?.fault = fault
            events.append(FaultEvent(fault: fault, time: due))
        }
    }

    private func fault(_ condition: Condition, since: Timestamp) -> Fault? {
        var (kind, name, near) = (Fault.Kind.unexpected, String?.none, [ExpectedDevice]())
        var (ids, text): (Set<UUID>, String) = ([], "")
        switch condition {
        case .newcomer(let id):
            guard let device = entries[id]?.device else { return nil }
            (ids, text) = ([id], "\(device.description) is not expected")
        case .few(let index):
            let (expectation, tally) = (file.expectations[index], tallies[index])
            let found = tally.there.isEmpty ? candidates(for: expectation) : nil
            (kind, name, near) = (.missing, expectation.name, found?.devices ?? [])
            let lost = tally.lost.map { lost in
                let isNamed = expectation.isSet || lost.device.name != expectation.name
                return (isNamed ? "\(quoted(lost.device.name)) " : "it ") + lost.how
            }
            let what =
                expectation.isSet
                ? "\(expectation.countText(tally.there.count))"
                : "\(quoted(expectation.name)) is missing"
            text = ([what, lost, found?.text].compactMap(\.self)).joined(separator: "; ")
        case .many(let index):
            let (expectation, tally) = (file.expectations[index], tallies[index])
            (name, ids) = (expectation.name, tally.there)
            text = expectation.countText(tally.there.count)
        case .services(let index):
            let expectation = file.expectations[index]
            (kind, name, ids) = (.missing, expectation.name, tallies[index].lacking)
            let types = Set(
                ids.compactMap { entries[$0] }.flatMap {
                    expectation.servicesMissing(on: $0.device)
                })
            let lack = ids.count == 1 ? "lacks" : "lack"
            text = "\(quoted(expectation.name)) \(lack) \(listed(types.sorted(), limit: 5))"
        case .vouching(let index):
            (kind, name, ids) = (
                .missing, file.expectations[index].name, tallies[index].misvouched
            )
            let senders = Set(
                ids.compactMap { entries[$0]?.device.item.peer.vouchedBy?.senderText })
            text = "\(quoted(name ?? "")) is vouched for by \(listed(senders.sorted(), limit: 3))"
        }
        let devices = ids.compactMap { entries[$0].map { Fault.Device($0.device.item) } }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        let named = Array(devices.prefix(Fault.deviceLimit))
        if case .newcomer = condition {
        } else if !named.isEmpty {
            let names = listed(named.map { quoted($0.name) }, limit: 3)
            let more = devices.count - named.count
            text += ": \(names)" + (more > 0 ? " and \(more) more" : "")
        }
        return Fault(
            kind: kind, expectation: name, since: since, text: text, devices: named,
            deviceCount: devices.count,
            candidates: near.prefix(Fault.deviceLimit).map { Fault.Device($0.item) })
    }

    /// Returns the devices that are there and resemble a missing one most, and how.
    private func candidates(
        for expectation: Expectation
    ) -> (devices: [ExpectedDevice], text: String)? {
        let there = entries.values.lazy.filter { entry in
            !entry.isSilent && !entry.matches.contains { !file.expectations[$0].isSet }
        }.prefix(Self.nearestLimit).map(\.device).sorted { ($0.title, $0.id) < ($1.title, $1.id) }
        let partial = there.compactMap { device -> (device: ExpectedDevice, unmet: [Criterion])? in
            let isPartial = expectation.criteria.contains { $0.isOfOne && $0.isMet(by: device) }
            return isPartial
                ? (device, expectation.criteria.filter { !$0.isMet(by: device) }) : nil
        }
        if let best = partial.min(by: { $0.unmet.count < $1.unmet.count }) {
            let alike = partial.filter { $0.unmet == best.unmet }.map(\.device)
            let other = listed(best.unmet.map(\.property))
            return (
                alike,
                "\(listed(alike.map(\.description), limit: 3)) \(alike.count == 1 ? "is" : "are") there with "
                    + "another \(other)"
            )
        }
        let directory = DeviceDirectory(there.map { .init($0.item.peer) })
        for word in expectation.words {
            let renamed = there.filter { $0.isRenamed(from: word) }
            if !renamed.isEmpty {
                let names = listed(renamed.map { quoted($0.title) }, limit: 3)
                return (renamed, "\(quoted(word.text)) is there as \(names)")
            }
            let titles = directory.titles(near: word.text)
            guard !titles.isEmpty else { continue }
            let named = there.filter { titles.contains($0.title) }
            let names = listed(named.map(\.description), limit: 3)
            return (
                named,
                (named.count == 1 ? "the nearest name there is " : "near names there are ") + names
            )
        }
        return nil
    }
}

extension Expectation {
    /// Returns the number of present devices, and the expected number.
    fileprivate func countText(_ number: Int) -> String {
        let (low, high) = (count.lowerBound, count.upperBound)
        let wanted =
            if high == 0 { "none" } else if high == .max { "at least \(low)" } else if low == high {
                "\(low)"
            } else {
                low == 0 ? "at most \(high)" : "\(low) to \(high)"
            }
        if !isSet { return "\(quoted(name)) is there and should not be" }
        return "\(number) of \(quoted(name)) \(number == 1 ? "is" : "are") there and not \(wanted)"
    }

    /// The names that its device may have in another form.
    fileprivate var words: [FoldedWord] {
        criteria.compactMap {
            switch $0 {
            case .word(let word), .name(let word), .label(let word), .host(let word): word
            case .id, .kind, .type, .address: nil
            }
        } + (isSet ? [] : [FoldedWord(name)])
    }
}

extension ListItem {
    /// The interfaces and observers through which it is known.
    fileprivate var paths: Set<String> {
        peer.views.isEmpty
            ? Set(peer.interfaces.map { "link \($0)" })
            : Set(peer.views.map { "observer \($0.name.title)" })
    }
}

extension SourceHappening {
    /// The interface, the backend, the broker or the observer.
    fileprivate var source: String {
        switch event {
        case .linkLost, .linkBack: "link \(name)"
        case .backendLost, .backendBack: "backend"
        case .brokerLost, .brokerBack: "broker \(name)"
        case .observerAway, .observerBack, .observerJoined: "observer \(name)"
        case .filled: ""
        }
    }
}

extension Fault {
    fileprivate static func precedes(_ left: Fault, _ right: Fault) -> Bool {
        (left.since, left.expectation ?? "\u{10FFFF}", left.text) < (
            right.since, right.expectation ?? "\u{10FFFF}", right.text
        )
    }
}

extension FaultEvent {
    fileprivate static func precedes(_ left: FaultEvent, _ right: FaultEvent) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if (left.fault.until == nil) != (right.fault.until == nil) {
            return left.fault.until == nil
        }
        return Fault.precedes(left.fault, right.fault)
    }
}
