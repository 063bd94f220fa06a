// The expectations that are neither met nor faults at the end of what is known.
import FoundationEssentials
import PeerHappenings
package import PeerModel
import PeerText

/// An expectation that is neither met nor broken, or a device that may not be expected.
package struct Undecided: Equatable, Sendable {
    package enum Reason: String, Sendable, CaseIterable {
        /// It is broken, but has not been for the time that the file states.
        case pending
        /// Too little can be heard to know.
        case unknown
    }

    package let reason: Reason
    /// The name of the expectation; `nil` for devices that no expectation is about.
    package let expectation: String?
    /// The time since which a pending one is broken.
    package let since: Timestamp?
    /// A clause that says what is wrong, or why nothing is known.
    package let text: String

    /// An expectation that is broken, but has not been for its time.
    init(_ text: String, of expectation: String?, since: Timestamp) {
        (reason, self.expectation, self.since, self.text) = (.pending, expectation, since, text)
    }

    /// An expectation of which too little is known.
    init(_ text: String, of expectation: String? = nil) {
        (reason, self.expectation, since, self.text) = (.unknown, expectation, nil, text)
    }
}

/// The words of undecided expectations, by the devices of a moment.
struct UndecidedWording {
    let devices: ExpectedDevices
    let broken: BrokenExpectations

    /// The undecided expectations in the order of the file, and then the devices that may not be expected.
    var all: [Undecided] {
        devices.file.expectations.indices.compactMap(undecided) + newcomers
    }

    private var newcomers: [Undecided] {
        guard devices.file.reportsNewcomers else { return [] }
        let newcomers = broken.pending.compactMap { condition, pending -> Undecided? in
            guard case .newcomer(let id) = condition,
                let text = devices.entries[id]?.device.description
            else { return nil }
            return pending.isUnknown
                ? Undecided("whether \(text) is there is not known: \(awayText([id]))")
                : Undecided("\(text) is not expected", of: nil, since: pending.since)
        }
        if newcomers.isEmpty, devices.isBlind {
            return [Undecided("unexpected devices are not known: \(awayText())")]
        }
        return newcomers.sorted { $0.text < $1.text }
    }

    private func undecided(_ index: Int) -> Undecided? {
        let (expectation, tally) = (devices.file.expectations[index], devices.tallies[index])
        let (name, count) = (quoted(expectation.name), tally.there.count)
        let conditions = Condition.Aspect.allCases.map { Condition.expectation(index, $0) }
        guard !conditions.contains(where: { broken.faults[$0] != nil }) else { return nil }
        var isBroken = false
        for condition in conditions {
            guard let pending = broken.pending[condition] else { continue }
            isBroken = true
            var wording = FaultWording(devices, searches: false)
            if BrokenExpectations.due(condition, pending, devices) != nil,
                let fault = wording.fault(condition, since: pending.since)
            {
                return Undecided(fault.text, of: expectation.name, since: pending.since)
            }
        }
        if devices.isCapture, devices.hasHeard,
            broken.pending[.expectation(index, .few)] != nil
        {
            return Undecided(
                count == 0
                    ? "\(name) was not heard in the capture"
                    : "only \(count) of \(name) \(count == 1 ? "was" : "were") heard in the capture",
                of: expectation.name)
        }
        if isBroken || tally.knownCount < expectation.count.lowerBound || devices.isBlind {
            let text = awayText(tally.unknown, paths: tally.loss?.paths)
            return Undecided("\(name) is not known: \(text)", of: expectation.name)
        }
        guard expectation.count.upperBound > 0, count > 0 else { return nil }
        let isChecked =
            !expectation.services.isEmpty || !expectation.vouched.isEmpty || expectation.asks
        let isUndecided =
            expectation.isSet
            ? !tally.unchecked.isEmpty
            : isChecked
                && tally.there.isSubset(
                    of: tally.unchecked.union(tally.wrong).union(tally.unknown))
        guard isUndecided else { return nil }
        return Undecided(
            expectation.asks
                ? "whether \(name) answers at its addresses is not known"
                : "not enough was heard of \(name) to know its services or who vouches for it",
            of: expectation.name)
    }

    /// Says what is away: the observers of devices that cannot be heard, or else what devices of some interfaces or
    /// observers, or all devices, are heard through.
    private func awayText(_ ids: Set<UUID> = [], paths: Set<String>? = nil) -> String {
        var away = Set(
            ids.lazy.compactMap { devices.entries[$0]?.device.item.peer.views }.joined().filter {
                $0.presence == .unknown
            }.map(\.name.source))
        if away.isEmpty { away = devices.sources.away(paths) }
        if away.isEmpty {
            if devices.isCapture, !devices.hasHeard { return "nothing was heard in the capture" }
            return devices.sources.observers == nil
                ? "it cannot be heard now" : "no observer is there"
        }
        return listed(away.sorted(), limit: 3) + (away.count == 1 ? " is away" : " are away")
    }
}
