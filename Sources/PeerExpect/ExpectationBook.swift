// Compares what happens on a network with what is expected, and finds faults and their ends.
package import FoundationEssentials
package import PeerHappenings
package import PeerModel

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

    private var devices: ExpectedDevices
    private var broken = BrokenExpectations(newcomerLimit: Self.newcomerLimit)
    /// Whether everything that was there at the start is known.
    package private(set) var isReady = false

    package init(_ file: ExpectationFile) { devices = ExpectedDevices(file) }

    package var file: ExpectationFile { devices.file }

    /// The interfaces, backends, brokers and observers that are away, as the account of the list has them.
    package var sources: AbsentSources {
        get { devices.sources }
        set { devices.sources = newValue }
    }

    /// Whether the list is that of a capture, which has only what others asked for.
    package var isCapture: Bool {
        get { devices.isCapture }
        set { devices.isCapture = newValue }
    }

    /// The number of devices that are there and answer.
    package var presentCount: Int { devices.entries.values.count(where: \.isPresent) }

    /// The number of devices of an expectation that are known to be there.
    package func count(of index: Int) -> Int { devices.tallies[index].knownCount }

    /// The devices that are there, if an expectation of one device is about several.
    func several(of index: Int) -> [ExpectedDevice] {
        let (expectation, there) = (file.expectations[index], devices.tallies[index].there)
        guard !expectation.isSet, expectation.count.upperBound > 1, there.count > 1 else {
            return []
        }
        return there.compactMap { devices.entries[$0]?.device }.sorted {
            ($0.title, $0.id) < ($1.title, $1.id)
        }
    }

    /// The faults that are not over, in the order of their beginnings.
    package var faults: [Fault] { broken.faults.values.sorted(by: Fault.precedes) }

    /// The number of unexpected devices that were left out.
    package var omittedCount: Int { broken.omittedCount }

    /// The expectations that are neither met nor faults, in the order of the file, and devices that may not be expected.
    package var undecided: [Undecided] {
        guard isReady else { return [Undecided("it is not known what is there")] }
        return UndecidedWording(devices: devices, broken: broken).all
    }

    // MARK: What is there

    /// Begins a list; nothing is known of it yet. A fault goes on if the new list has it too.
    package mutating func begin() {
        broken.begin()
        (devices, isReady) = (ExpectedDevices(file), false)
    }

    /// Compares all that is there, once it is known.
    package mutating func becomeReady(at time: Timestamp) {
        guard !isReady else { return }
        isReady = true
        update(Set(file.expectations.indices), at: time)
        for id in broken.newcomers.union(devices.entries.keys) { updateNewcomer(id, at: time) }
    }

    /// Adds an item of a list as it is at a moment.
    package mutating func add(_ item: ListItem, at time: Timestamp) {
        guard item.peer.isResolved else { return }
        replace(item.id, by: FollowedDevice(item), at: time)
    }

    /// Takes over what is known of an item: all of it in the initial fill, and then what no event tells.
    package mutating func refresh(_ item: ListItem, during fill: InitialFill, at time: Timestamp) {
        guard var entry = devices.entries[item.id], entry.refresh(item, during: fill) else {
            return
        }
        replace(item.id, by: entry, at: time)
    }

    /// The devices that are there and are to be asked whether they answer at their addresses.
    package var devicesToAsk: Set<UUID> {
        Set(
            devices.entries.lazy.filter { _, entry in
                entry.isPresent && !entry.device.item.peer.isSelf
                    && entry.matches.contains { self.file.expectations[$0].asks }
            }.map(\.key))
    }

    /// Takes over the answers of a device at its addresses.
    package mutating func setAnswers(
        _ addresses: [AddressAnswer], of id: UUID, at time: Timestamp
    ) {
        guard let entry = devices.entries[id] else { return }
        devices.answers[id] = addresses
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
        let known = devices.entries[id]
        switch event.event {
        case .left: leave(event)
        case .silent:
            if let known { note(event.item, "does not answer", in: known.matches) }
            replace(id, by: FollowedDevice(event.item, isSilent: true), at: time)
        case .answers: replace(id, by: FollowedDevice(event.item, isSilent: false), at: time)
        case .changed:
            replace(id, by: FollowedDevice(event.item, isSilent: known?.isSilent), at: time)
        case .arrived, .there: replace(id, by: FollowedDevice(event.item), at: time)
        case .identified:
            let former = event.was.flatMap { $0.id == id ? nil : $0.id }
            replace(id, by: FollowedDevice(event.item), removing: former, at: time)
        }
    }

    private mutating func leave(_ event: ItemHappening) {
        let (id, time) = (event.item.id, event.time)
        guard var entry = devices.entries[id] else { return }
        let isUnheard = event.reason == .link || event.reason == .backend
        if isUnheard, sources.concern(event.item.paths) {
            entry.hearing = .outOfReach
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
        // No path is left to a device whose observers were forgotten.
        let loss = (Fault.Device(item), how, how == unseen ? [] : item.paths)
        for index in matches {
            devices.tallies[index].loss = loss
            // Before, it was not known whether anything was missing in a capture.
            if isCapture { broken.forget(.expectation(index, .few)) }
        }
    }

    /// Replaces or removes the entry of a device, and may remove another.
    private mutating func replace(
        _ id: UUID, by entry: FollowedDevice?, removing other: UUID? = nil, at time: Timestamp
    ) {
        let touched = devices.replace(id, by: entry, removing: other)
        guard isReady else { return }
        update(touched, at: time)
        updateNewcomer(id, at: time)
        if let other { updateNewcomer(other, at: time) }
        for index in touched where devices.tallies[index].loss?.device.id == id {
            guard devices.tallies[index].there.contains(id) else { continue }
            // Whether another one is missing in a capture is not known.
            if isCapture { set(index, .few, false, at: time) }
            devices.tallies[index].loss = nil
            if isCapture { update([index], at: time) }
        }
    }

    /// Removes the devices out of reach that could be heard again, and says how they were lost.
    private mutating func endAbsences(at time: Timestamp, _ how: String) {
        for (id, entry) in devices.entries
        where entry.hearing == .outOfReach && !sources.concern(entry.device.item.paths) {
            note(entry.device.item, how, in: entry.matches)
            replace(id, by: nil, at: time)
        }
    }

    // MARK: What is broken

    private mutating func update(_ indices: Set<Int>, at time: Timestamp) {
        for index in indices {
            let (expectation, tally) = (file.expectations[index], devices.tallies[index])
            let (count, wanted) = (tally.there.count, expectation.count)
            set(index, .few, count < wanted.lowerBound, at: time)
            set(
                index, .many, count > wanted.upperBound,
                isUnknown: tally.knownCount <= wanted.upperBound, at: time)
            guard wanted.upperBound > 0 else { continue }
            // One device that is as it should be is enough for a single one.
            let isWrong = tally.wrong.count >= (expectation.isSet ? 1 : max(1, count))
            for (aspect, wrong) in [
                (Condition.Aspect.services, tally.lacking), (.vouching, tally.misvouched),
                (.reach, tally.unreached),
            ] {
                set(
                    index, aspect, isWrong && !wrong.isEmpty,
                    isUnknown: wrong.isSubset(of: tally.unknown), at: time)
            }
        }
    }

    private mutating func set(
        _ index: Int, _ aspect: Condition.Aspect, _ isBroken: Bool, isUnknown: Bool = false,
        at time: Timestamp
    ) {
        broken.set(
            .expectation(index, aspect), isBroken, isUnknown: isUnknown, at: time, devices)
    }

    private mutating func updateNewcomer(_ id: UUID, at time: Timestamp) {
        guard file.reportsNewcomers else { return }
        let entry = devices.entries[id]
        let isBroken = entry.map {
            $0.matches.isEmpty && !$0.isSilent && !$0.device.item.peer.isSelf
        }
        broken.set(
            .newcomer(id), isBroken ?? false, isUnknown: entry?.isUnknown ?? false, at: time,
            devices)
    }

    // MARK: What is said

    /// The time at which something is to be said; `nil` if there is nothing.
    package var due: Timestamp? {
        [broken.due(devices)?.advanced(by: Self.settling), sources.due].compactMap(\.self).min()
    }

    /// Removes and returns the faults that have begun or ended at a time, in order.
    package mutating func removeDue(at time: Timestamp) -> [FaultEvent] {
        endOutages(at: time)
        return broken.removeEvents(until: time.advanced(by: -Self.settling), devices)
    }

    /// Removes and returns what is left at the end of the account, which is not late any more.
    package mutating func removeAll(at time: Timestamp) -> [FaultEvent] {
        endOutages(at: time)
        return broken.removeEvents(until: time, devices)
    }

    /// Forgets sources that have been back for long enough, and the devices that were not found again.
    private mutating func endOutages(at time: Timestamp) {
        guard devices.sources.removeReturned(at: time) else { return }
        endAbsences(at: time, "was not found again after an outage")
    }

    /// Makes a fault of everything that is known to be broken at the moment, whatever time the file states.
    package mutating func judge() -> [Fault] {
        broken.judge(devices)
        return faults
    }
}

/// The clause for the loss of a device whose observers were forgotten.
private let unseen = "is seen by no observer any more"
