// Makes faults of broken expectations that last, and ends them.
import FoundationEssentials
import PeerModel

/// The expectations that are broken, and the events of their faults that are to be said.
struct BrokenExpectations {
    /// A broken expectation that is no fault yet.
    struct Pending {
        let since: Timestamp
        /// Whether devices that cannot be heard now would have to be as they were.
        var isUnknown: Bool
    }

    private(set) var pending: [Condition: Pending] = [:]
    private(set) var faults: [Condition: Fault] = [:]
    /// The maximum number of unexpected devices that are followed at a time.
    private let newcomerLimit: Int
    private var newcomerCount = 0
    /// The number of unexpected devices that were left out.
    private(set) var omittedCount = 0
    private var events: [FaultEvent] = []

    init(newcomerLimit: Int) { self.newcomerLimit = newcomerLimit }

    /// The identifiers of the unexpected devices.
    var newcomers: Set<UUID> {
        Set(
            (Array(pending.keys) + faults.keys).compactMap {
                if case .newcomer(let id) = $0 { id } else { nil }
            })
    }

    /// Begins a list, in which faults go on until it is known that they are over.
    mutating func begin() {
        pending = [:]
        newcomerCount = newcomers.count
    }

    /// Forgets that an expectation is broken, if it is no fault yet.
    mutating func forget(_ condition: Condition) { pending[condition] = nil }

    /// Notes whether an expectation is broken, and whether that is not known but of devices that cannot be heard.
    mutating func set(
        _ condition: Condition, _ isBroken: Bool, isUnknown: Bool = false, at time: Timestamp,
        _ devices: ExpectedDevices
    ) {
        guard isBroken else { return end(condition, at: time, devices) }
        guard faults[condition] == nil, pending[condition] == nil else {
            pending[condition]?.isUnknown = isUnknown
            return
        }
        if case .newcomer = condition {
            guard newcomerCount < newcomerLimit else { return omittedCount += 1 }
            newcomerCount += 1
        }
        pending[condition] = Pending(since: time, isUnknown: isUnknown)
    }

    private mutating func end(
        _ condition: Condition, at time: Timestamp, _ devices: ExpectedDevices
    ) {
        let former = pending.removeValue(forKey: condition)
        var fault = faults.removeValue(forKey: condition)
        guard let since = former?.since ?? fault?.since else { return }
        if case .newcomer = condition { newcomerCount -= 1 }
        let end = max(time, since)
        if let former, let due = Self.due(condition, former, devices), due <= end {
            var wording = FaultWording(devices)
            fault = wording.fault(condition, since: since)
            let begin = since.advanced(by: Self.microseconds(of: condition, in: devices.file))
            if let fault { events.append(FaultEvent(fault: fault, time: begin)) }
        }
        guard var fault else { return }
        fault.until = end
        events.append(FaultEvent(fault: fault, time: end))
    }

    private static func microseconds(of condition: Condition, in file: ExpectationFile) -> Int64 {
        let time =
            switch condition {
            case .expectation(let index, _): file.expectations[index].time
            case .newcomer: file.time
            }
        return time.components.seconds * 1_000_000
    }

    /// Returns the time at which a broken expectation that is still broken then becomes a fault; `nil` if too little is
    /// known to say that it is broken.
    static func due(
        _ condition: Condition, _ pending: Pending, _ devices: ExpectedDevices
    ) -> Timestamp? {
        guard !pending.isUnknown else { return nil }
        let due = pending.since.advanced(by: microseconds(of: condition, in: devices.file))
        guard case .expectation(let index, .few) = condition else { return due }
        return devices.knownTime(ofMissing: index).map { max($0, due) }
    }

    /// Returns the time at which the next fault begins; `nil` if there is none in sight.
    ///
    /// - Complexity: O(*n*) for *n* broken expectations and unexpected devices that are no faults yet.
    func due(_ devices: ExpectedDevices) -> Timestamp? {
        pending.lazy.compactMap { Self.due($0.key, $0.value, devices) }.min()
    }

    /// Makes faults of everything that is known to be broken, whatever time the file states.
    mutating func judge(_ devices: ExpectedDevices) { _ = makeFaults(until: nil, devices) }

    /// Removes and returns the events of the faults that have begun or ended at a time, in order.
    mutating func removeEvents(until time: Timestamp, _ devices: ExpectedDevices) -> [FaultEvent] {
        defer { events = [] }
        return (events + makeFaults(until: time, devices)).sorted(by: FaultEvent.precedes)
    }

    /// Makes faults of what is due at a time, or at any; returns their beginnings.
    private mutating func makeFaults(
        until time: Timestamp?, _ devices: ExpectedDevices
    ) -> [FaultEvent] {
        var (wording, begun) = (FaultWording(devices), [FaultEvent]())
        for (condition, broken) in pending {
            guard let due = Self.due(condition, broken, devices), due <= time ?? due,
                let fault = wording.fault(condition, since: broken.since)
            else { continue }
            pending[condition] = nil
            faults[condition] = fault
            begun.append(FaultEvent(fault: fault, time: due))
        }
        return begun
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
