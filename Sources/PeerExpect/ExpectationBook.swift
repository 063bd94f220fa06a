// Compares what happens on a network with what is expected, and finds faults and their ends.
package import FoundationEssentials
package import PeerHappenings
package import PeerModel
import PeerText

/// The devices that are there, and the expectations that are broken.
///
/// It is fed by the account of what happened, so that the steps in which a device becomes known are no events.
/// A broken expectation becomes a fault when it has been broken for the time that the file states. While an
/// interface of this machine, the backend, the broker or an observer is away, it is not known whether devices
/// have left, so none counts as missing. An expectation of which too little is known is neither met nor broken.
///
/// All times come from the account, so a recording of a list has the same faults as the list.
package struct ExpectationBook: Sendable {
    /// The time in microseconds by which the account may be late: it says what happened when that has settled.
    package static let settling: Int64 = 3_000_000
    /// The maximum number of unexpected devices that are followed at a time.
    package static let newcomerLimit = 10_000

    /// The ways in which an expectation is broken.
    private enum Condition: Hashable {
        case few(Int), many(Int), services(Int), vouching(Int), reach(Int)
        case newcomer(UUID)
    }

    private struct Entry {
        var device: ExpectedDevice
        var isSilent: Bool
        /// Whether it is not known if it is there, because it cannot be heard; it may have left the list for that.
        var isUnknown: Bool
        /// Whether it has left the list because it cannot be heard, which says nothing about the device.
        var isOutOfReach = false
        /// The types of the services that it has offered in this list.
        var offered: Set<String> = []
        /// The indices of the expectations that are about it.
        var matches: [Int] = []

        init(_ item: ListItem, isSilent: Bool? = nil) {
            device = ExpectedDevice(item)
            self.isSilent = isSilent ?? item.peer.presence.isSilent
            isUnknown = item.peer.presence == .unknown
        }
    }

    /// The devices of an expectation that are there, or were when they could be heard last.
    private struct Tally {
        var there: Set<UUID> = []
        /// Those that cannot be heard now.
        var unknown: Set<UUID> = []
        /// Devices that lack a service.
        var lacking: Set<UUID> = []
        /// The devices for which a wrong machine answers.
        var misvouched: Set<UUID> = []
        /// Devices that do not answer at their addresses, or not on the port.
        var unreached: Set<UUID> = []
        /// The devices of which it is not known whether they offer the services, who vouches for them, or whether they
        /// answer at their addresses.
        var unchecked: Set<UUID> = []
        /// The latest device that has left or fallen silent, and how.
        var lost: (device: Fault.Device, how: String, paths: Set<String>)?
    }

    /// A broken expectation.
    private struct Break {
        let since: Timestamp
        /// Whether devices that cannot be heard now would have to be as they were.
        var isUnknown: Bool
        /// The fault, once it was said.
        var fault: Fault?
    }

    package let file: ExpectationFile
    private var entries: [UUID: Entry] = [:]
    /// The latest answers of the devices at their addresses.
    private var answers: [UUID: [AddressAnswer]] = [:]
    /// The numbers of other devices that can be heard, and of devices that cannot be heard now.
    private var counts = AbsentSources.Count()
    /// Whether any device was heard.
    private var hasHeard = false
    private var tallies: [Tally]
    private var breaks: [Condition: Break] = [:]
    /// The broken expectations that are no faults yet.
    private var unsaid: Set<Condition> = []
    private var newcomerCount = 0
    /// The number of unexpected devices that were left out.
    package private(set) var omittedCount = 0
    private var events: [FaultEvent] = []
    /// Whether everything that was there at the start is known.
    package private(set) var isReady = false
    /// The interfaces, backends, brokers and observers that are away, as the account of the list has them.
    package var sources = AbsentSources()
    /// Whether the list is that of a capture, which has only what others asked for.
    package var isCapture = false

    package init(_ file: ExpectationFile) {
        self.file = file
        tallies = file.expectations.map { _ in Tally() }
    }

    /// The number of devices that are there and answer.
    package var presentCount: Int { entries.values.count { !$0.isSilent && !$0.isUnknown } }

    /// The number of devices of an expectation that are known to be there.
    package func count(of index: Int) -> Int {
        tallies[index].there.count - tallies[index].unknown.count
    }

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
        unsaid = []
        newcomerCount = breaks.keys.count { if case .newcomer = $0 { true } else { false } }
        answers = [:]
        (entries, sources, counts, isReady) = ([:], AbsentSources(), AbsentSources.Count(), false)
        (hasHeard, isCapture) = (false, false)
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
        let isLearned = fill == .running || !change.isOfItsOwn
        var entry = known
        if isLearned { entry.device = ExpectedDevice(item) }
        entry.isUnknown = item.peer.presence == .unknown
        entry.isOutOfReach = entry.isOutOfReach && entry.isUnknown
        switch item.peer.presence {
        case .present: entry.isSilent = false
        case .unanswered, .proxied: if fill == .running { entry.isSilent = true }
        default: break
        }
        let (isAway, wasAway) = (
            [entry.isUnknown, entry.isOutOfReach], [known.isUnknown, known.isOutOfReach]
        )
        if isLearned || entry.isSilent != known.isSilent || isAway != wasAway {
            replace(item.id, by: entry, at: time)
        }
    }

    /// The devices that are there and are to be asked whether they answer at their addresses.
    package var devicesToAsk: Set<UUID> {
        Set(
            entries.lazy.filter { _, entry in
                !entry.isSilent && !entry.isUnknown && !entry.device.item.peer.isSelf
                    && entry.matches.contains { self.file.expectations[$0].asks }
            }.map(\.key))
    }

    /// Takes over the answers of a device at its addresses.
    package mutating func setAnswers(
        _ addresses: [AddressAnswer], of id: UUID, at time: Timestamp
    ) {
        guard let entry = entries[id] else { return }
        answers[id] = addresses
        replace(id, by: entry, at: time)
    }

    /// Adds something that happened.
    package mutating func apply(_ happening: Happening) {
        switch happening {
        case .item(let event): apply(event)
        case .source(let event):
            if event.event == .observerForgotten { endAbsences(at: event.time, unseen) }
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
        if isUnheard, sources.concern(event.item.paths) {
            (entry.isOutOfReach, entry.isUnknown) = (true, true)
            return replace(id, by: entry, at: time)
        }
        let how =
            switch event.reason {
            case .link, .backend: "was not found again after an outage"
            // Its observer, which was away, has been forgotten.
            case _ where event.item.isUnseen: unseen
            case .expired: "was not heard, and its records have expired"
            case .revoked: "was withdrawn by another machine"
            default: "said goodbye"
            }
        note(event.item, how, in: entry.matches)
        replace(id, by: nil, at: time)
    }

    /// Notes how a device that is not there any more was lost.
    private mutating func note(_ item: ListItem, _ how: String, in matches: [Int]) {
        for index in matches {
            // No path is left to a device whose observers were forgotten.
            tallies[index].lost = (Fault.Device(item), how, how == unseen ? [] : item.paths)
            // Before, it was not known whether anything was missing in a capture.
            if isCapture, unsaid.remove(.few(index)) != nil { breaks[.few(index)] = nil }
        }
    }

    /// Replaces or removes the entry of a device, and may remove another.
    private mutating func replace(
        _ id: UUID, by entry: Entry?, removing other: UUID? = nil, at time: Timestamp
    ) {
        var (touched, offered): (Set<Int>, Set<String>) = ([], [])
        let known = entries[id]
        for id in [id, other].compactMap(\.self) {
            guard let former = entries.removeValue(forKey: id) else { continue }
            offered.formUnion(former.offered)
            add(-1, former)
            for index in former.matches {
                tallies[index].there.remove(id)
                tallies[index].unknown.remove(id)
                tallies[index].lacking.remove(id)
                tallies[index].misvouched.remove(id)
                tallies[index].unreached.remove(id)
                tallies[index].unchecked.remove(id)
                touched.insert(index)
            }
        }
        if entry == nil { answers[id] = nil }
        if var entry {
            if let known, known.device.isChosen(as: entry.device) {
                entry.matches = known.matches
            } else {
                entry.matches = file.expectations.indices.filter {
                    file.expectations[$0].concerns(entry.device)
                }
            }
            if isCapture { entry.offered = offered.union(entry.device.types) }
            add(1, entry)
            for index in entry.matches where !entry.isSilent {
                touched.insert(index)
                count(id, entry, in: index)
            }
            entries[id] = entry
        }
        guard isReady else { return }
        update(touched, at: time)
        updateNewcomer(id, at: time)
        if let other { updateNewcomer(other, at: time) }
        for index in touched where tallies[index].lost?.device.id == id {
            guard tallies[index].there.contains(id) else { continue }
            // Whether another one is missing in a capture is not known.
            if isCapture { set(.few(index), false, at: time) }
            tallies[index].lost = nil
            if isCapture { update([index], at: time) }
        }
    }

    private mutating func add(_ number: Int, _ entry: Entry) {
        counts.add(entry.device.item.peer, isUnknown: entry.isUnknown, number)
        hasHeard = hasHeard || counts.heard > 0
    }

    /// Counts a device that is there, or was when it could be heard last, for an expectation about it.
    private mutating func count(_ id: UUID, _ entry: Entry, in index: Int) {
        let expectation = file.expectations[index]
        tallies[index].there.insert(id)
        if entry.isUnknown { tallies[index].unknown.insert(id) }
        let missing = expectation.servicesMissing(on: entry.device)
        // Nobody may have asked for a service that was never heard in a capture.
        if !missing.isEmpty, !isCapture || missing.contains(where: entry.offered.contains) {
            tallies[index].lacking.insert(id)
        } else if !missing.isEmpty {
            tallies[index].unchecked.insert(id)
        }
        switch expectation.isVouched(entry.device) {
        case true?: break
        case false?: tallies[index].misvouched.insert(id)
        case nil: tallies[index].unchecked.insert(id)
        }
        switch expectation.isReached(entry.device, answers[id]) {
        case true?: break
        case false?: tallies[index].unreached.insert(id)
        case nil: tallies[index].unchecked.insert(id)
        }
    }

    // MARK: What the list is heard through

    /// Forgets sources that have been back for long enough, and the devices that were not found again.
    private mutating func endOutages(at time: Timestamp) {
        guard sources.removeReturned(at: time) else { return }
        endAbsences(at: time, "was not found again after an outage")
    }

    /// Removes the devices out of reach that could be heard again, and says how they were lost.
    private mutating func endAbsences(at time: Timestamp, _ how: String) {
        for (id, entry) in entries
        where entry.isOutOfReach && !sources.concern(entry.device.item.paths) {
            note(entry.device.item, how, in: entry.matches)
            replace(id, by: nil, at: time)
        }
    }

    /// Returns the time at which it is known whether an expectation is broken; `nil` if that is not known now.
    private func knownTime(of condition: Condition) -> Timestamp? {
        guard case .few(let index) = condition else { return Timestamp(microseconds: .min) }
        let lost = tallies[index].lost
        // Nobody may have asked for a device that was never heard in a capture.
        if lost == nil, isCapture { return nil }
        return sources.knownTime(lost?.paths ?? [], in: counts)
    }

    /// Whether no device can be heard, because everything through which devices are heard is away.
    private var isBlind: Bool {
        isCapture && !hasHeard || sources.hearNothing(counts)
    }

    /// Says what is away: the observers of devices that cannot be heard, or else what devices of some interfaces or
    /// observers, or all devices, are heard through.
    private func awayText(_ ids: Set<UUID> = [], paths: Set<String>? = nil) -> String {
        var away = Set(
            ids.lazy.compactMap { entries[$0]?.device.item.peer.views }.joined().filter {
                $0.presence == .unknown
            }.map(\.name.source))
        if away.isEmpty { away = sources.away(paths) }
        if away.isEmpty {
            if isCapture, !hasHeard { return "nothing was heard in the capture" }
            return sources.observers == nil ? "it cannot be heard now" : "no observer is there"
        }
        return listed(away.sorted(), limit: 3) + (away.count == 1 ? " is away" : " are away")
    }

    // MARK: What is broken

    private mutating func update(_ indices: Set<Int>, at time: Timestamp) {
        for index in indices {
            let (expectation, tally) = (file.expectations[index], tallies[index])
            let count = tally.there.count
            set(.few(index), count < expectation.count.lowerBound, at: time)
            set(
                .many(index), count > expectation.count.upperBound,
                isUnknown: self.count(of: index) <= expectation.count.upperBound, at: time)
            guard expectation.count.upperBound > 0 else { continue }
            // One device that is as it should be is enough for a single one.
            let limit = expectation.isSet ? 1 : max(1, count)
            let isWrong =
                tally.lacking.union(tally.misvouched).union(tally.unreached).count >= limit
            for (condition, wrong) in [
                (Condition.services(index), tally.lacking), (.vouching(index), tally.misvouched),
                (.reach(index), tally.unreached),
            ] {
                set(
                    condition, isWrong && !wrong.isEmpty,
                    isUnknown: wrong.isSubset(of: tally.unknown), at: time)
            }
        }
    }

    private mutating func updateNewcomer(_ id: UUID, at time: Timestamp) {
        guard file.reportsNewcomers else { return }
        let isBroken = entries[id].map {
            $0.matches.isEmpty && !$0.isSilent && !$0.device.item.peer.isSelf
        }
        set(
            .newcomer(id), isBroken ?? false, isUnknown: entries[id]?.isUnknown ?? false, at: time)
    }

    /// Notes whether a condition holds, and whether that is not known but of devices that cannot be heard.
    private mutating func set(
        _ condition: Condition, _ isBroken: Bool, isUnknown: Bool = false, at time: Timestamp
    ) {
        if isBroken {
            guard breaks[condition] == nil else {
                breaks[condition]?.isUnknown = isUnknown
                return
            }
            if case .newcomer = condition {
                guard newcomerCount < Self.newcomerLimit else { return omittedCount += 1 }
                newcomerCount += 1
            }
            breaks[condition] = Break(since: time, isUnknown: isUnknown)
            unsaid.insert(condition)
            return
        }
        guard let broken = breaks.removeValue(forKey: condition) else { return }
        unsaid.remove(condition)
        if case .newcomer = condition { newcomerCount -= 1 }
        let end = max(time, broken.since)
        var fault = broken.fault
        let begin = broken.since.advanced(by: microseconds(of: condition))
        if fault == nil, !broken.isUnknown, begin <= end,
            knownTime(of: condition).map({ $0 <= end }) ?? false
        {
            fault = self.fault(condition, since: broken.since, candidates)
            if let fault { events.append(FaultEvent(fault: fault, time: begin)) }
        }
        guard var fault else { return }
        fault.until = end
        events.append(FaultEvent(fault: fault, time: end))
    }

    private func microseconds(of condition: Condition) -> Int64 {
        let time =
            switch condition {
            case .few(let index), .many(let index), .services(let index), .vouching(let index),
                .reach(let index):
                file.expectations[index].time
            case .newcomer: file.time
            }
        return time.components.seconds * 1_000_000
    }

    // MARK: What is said

    /// Returns the time at which a fault begins that is not over then.
    private func due(of condition: Condition) -> Timestamp? {
        guard let broken = breaks[condition], !broken.isUnknown,
            let known = knownTime(of: condition)
        else { return nil }
        return max(known, broken.since.advanced(by: microseconds(of: condition)))
    }

    /// The time at which something is to be said; `nil` if there is nothing.
    ///
    /// - Complexity: O(*n*) for *n* broken expectations and unexpected devices that are no faults yet.
    package var due: Timestamp? {
        let faults = unsaid.lazy.compactMap { due(of: $0)?.advanced(by: Self.settling) }
        return [faults.min(), sources.due].compactMap(\.self).min()
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

    /// Whether a broken expectation would be a fault if that lasted.
    private func isKnown(_ condition: Condition, _ broken: Break) -> Bool {
        broken.fault == nil && !broken.isUnknown && knownTime(of: condition) != nil
    }

    /// Makes a fault of everything that is known to be broken at the moment, whatever time the file states.
    package mutating func judge() -> [Fault] {
        let candidates = candidates
        for condition in unsaid {
            guard let broken = breaks[condition], isKnown(condition, broken),
                let fault = fault(condition, since: broken.since, candidates)
            else { continue }
            breaks[condition]?.fault = fault
            unsaid.remove(condition)
        }
        return faults
    }

    private mutating func say(until time: Timestamp) {
        let candidates = candidates
        for condition in unsaid {
            guard let broken = breaks[condition], let due = due(of: condition), due <= time,
                let fault = fault(condition, since: broken.since, candidates)
            else { continue }
            breaks[condition]?.fault = fault
            unsaid.remove(condition)
            events.append(FaultEvent(fault: fault, time: due))
        }
    }

    /// The expectations that are neither met nor faults, in the order of the file, and devices that may not be expected.
    package var undecided: [Undecided] {
        guard isReady else { return [Undecided("it is not known what is there")] }
        var newcomers: [Undecided] = []
        for (condition, broken) in breaks where broken.fault == nil {
            guard case .newcomer(let id) = condition, let device = entries[id]?.device else {
                continue
            }
            newcomers.append(
                broken.isUnknown
                    ? Undecided(
                        "whether \(device.description) is there is not known: \(awayText([id]))")
                    : Undecided(
                        "\(device.description) is not expected", of: nil, since: broken.since))
        }
        newcomers.sort { $0.text < $1.text }
        if newcomers.isEmpty, file.reportsNewcomers, isBlind {
            newcomers = [Undecided("unexpected devices are not known: \(awayText())")]
        }
        return file.expectations.indices.compactMap(undecided) + newcomers
    }

    private func undecided(_ index: Int) -> Undecided? {
        let (expectation, tally) = (file.expectations[index], tallies[index])
        let name = expectation.name
        let conditions = [
            Condition.few(index), .many(index), .services(index), .vouching(index), .reach(index),
        ]
        let broken = conditions.compactMap { condition in breaks[condition].map { (condition, $0) }
        }
        guard !broken.contains(where: { $0.1.fault != nil }) else { return nil }
        if let (condition, broken) = broken.first(where: isKnown),
            let fault = fault(condition, since: broken.since, nil)
        {
            return Undecided(fault.text, of: name, since: broken.since)
        }
        if isCapture, hasHeard, breaks[.few(index)] != nil {
            let count = tally.there.count
            return Undecided(
                count == 0
                    ? "\(quoted(name)) was not heard in the capture"
                    : "only \(count) of \(quoted(name)) \(count == 1 ? "was" : "were") heard in the capture",
                of: name)
        }
        if !broken.isEmpty || count(of: index) < expectation.count.lowerBound || isBlind {
            let text = awayText(tally.unknown, paths: tally.lost?.paths)
            return Undecided("\(quoted(name)) is not known: \(text)", of: name)
        }
        guard expectation.count.upperBound > 0, !tally.there.isEmpty else { return nil }
        let doubtful = tally.unchecked.union(tally.lacking).union(tally.misvouched)
            .union(tally.unreached)
        let isChecked =
            !expectation.services.isEmpty || !expectation.vouched.isEmpty || expectation.asks
        let isUndecided =
            expectation.isSet
            ? !tally.unchecked.isEmpty
            : isChecked && tally.there.isSubset(of: doubtful.union(tally.unknown))
        guard isUndecided else { return nil }
        return Undecided(
            expectation.asks
                ? "whether \(quoted(name)) answers at its addresses is not known"
                : "not enough was heard of \(quoted(name)) to know its services or who vouches for it",
            of: name)
    }

    /// Returns a function that prepares the search for missing devices when it is called first.
    private var candidates: () -> Candidates {
        let (entries, expectations) = (entries, file.expectations)
        var prepared: Candidates?
        return {
            let there = entries.values.lazy.filter { entry in
                !entry.isSilent && !entry.matches.contains { !expectations[$0].isSet }
            }
            let candidates = prepared ?? Candidates(there.map(\.device))
            prepared = candidates
            return candidates
        }
    }

    /// Returns the fault of a broken expectation; without candidates, those for a missing device are not searched for.
    private func fault(
        _ condition: Condition, since: Timestamp, _ candidates: (() -> Candidates)?
    ) -> Fault? {
        var (kind, name, near) = (Fault.Kind.unexpected, String?.none, [ExpectedDevice]())
        var (ids, text): (Set<UUID>, String) = ([], "")
        switch condition {
        case .newcomer(let id):
            guard let device = entries[id]?.device else { return nil }
            (ids, text) = ([id], "\(device.description) is not expected")
        case .few(let index):
            let (expectation, tally) = (file.expectations[index], tallies[index])
            let found = tally.there.isEmpty ? candidates?().search(for: expectation) : nil
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
        case .reach(let index):
            let expectation = file.expectations[index]
            (kind, name, ids) = (.missing, expectation.name, tallies[index].unreached)
            let answer = ids.sorted().lazy.compactMap { self.answers[$0] }.first
            let best = answer.flatMap { AddressAnswer.best(of: $0) }
            let place = expectation.port.map { " on port \($0)" } ?? ""
            text =
                "\(quoted(expectation.name)) does not answer\(place)"
                + (best.map { " (\($0.address): \($0.text))" } ?? "")
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
}

/// How a device was lost whose observers were forgotten.
private let unseen = "is seen by no observer any more"

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
