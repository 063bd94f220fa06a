// Words faults by what is known of the devices.
import FoundationEssentials
import PeerModel
import PeerText

/// A way in which the devices can differ from what is expected.
enum Condition: Hashable {
    enum Aspect: CaseIterable {
        /// The number of devices is too small, or too large.
        case few, many
        /// Devices lack a service, have a wrong machine vouch for them, or do not answer at their addresses.
        case services, vouching, reach
    }

    /// An aspect of the expectation at an index.
    case expectation(Int, Aspect)
    /// A device that no expectation is about.
    case newcomer(UUID)
}

/// The words of faults, by the devices of a moment.
struct FaultWording {
    private let devices: ExpectedDevices
    /// Whether devices are searched for that a missing one may be.
    private let searches: Bool
    private lazy var candidates = Candidates(
        devices.entries.values.lazy.filter { [file = devices.file] entry in
            !entry.isSilent && !entry.matches.contains { !file.expectations[$0].isSet }
        }.map(\.device))

    init(_ devices: ExpectedDevices, searches: Bool = true) {
        (self.devices, self.searches) = (devices, searches)
    }

    /// Returns the fault of a broken expectation; `nil` if the unexpected device is not there any more.
    mutating func fault(_ condition: Condition, since: Timestamp) -> Fault? {
        switch condition {
        case .expectation(let index, let aspect):
            return fault(
                devices.file.expectations[index], devices.tallies[index], aspect, since: since)
        case .newcomer(let id):
            guard let device = devices.entries[id]?.device else { return nil }
            return Fault(
                kind: .unexpected, expectation: nil, since: since,
                text: "\(device.description) is not expected", devices: [.init(device.item)],
                deviceCount: 1, candidates: [])
        }
    }

    private mutating func fault(
        _ expectation: Expectation, _ tally: ExpectationTally, _ aspect: Condition.Aspect,
        since: Timestamp
    ) -> Fault {
        let name = quoted(expectation.name)
        var (ids, text, near): (Set<UUID>, String, [ExpectedDevice]) = ([], "", [])
        switch aspect {
        case .few:
            let found =
                searches && tally.there.isEmpty ? candidates.search(for: expectation) : nil
            let loss = tally.loss.map { loss in
                let isNamed = expectation.isSet || loss.device.name != expectation.name
                return (isNamed ? "\(quoted(loss.device.name)) " : "it ") + loss.how
            }
            let lack =
                expectation.isSet ? expectation.countText(tally.there.count) : "\(name) is missing"
            text = [lack, loss, found?.text].compactMap(\.self).joined(separator: "; ")
            near = found?.devices ?? []
        case .many:
            (ids, text) = (tally.there, expectation.countText(tally.there.count))
        case .services:
            ids = tally.lacking
            let types = Set(
                ids.compactMap { devices.entries[$0] }.flatMap {
                    expectation.servicesMissing(on: $0.device)
                })
            let lack = ids.count == 1 ? "lacks" : "lack"
            text = "\(name) \(lack) \(listed(types.sorted(), limit: 5))"
        case .vouching:
            ids = tally.misvouched
            let senders = Set(
                ids.compactMap { devices.entries[$0]?.device.item.peer.vouchedBy?.senderText })
            text = "\(name) is vouched for by \(listed(senders.sorted(), limit: 3))"
        case .reach:
            ids = tally.unreached
            let answer = ids.sorted().lazy.compactMap { [answers = devices.answers] in answers[$0] }
                .first
            let best = answer.flatMap { AddressAnswer.best(of: $0) }
            let place = expectation.port.map { " on port \($0)" } ?? ""
            text =
                "\(name) does not answer\(place)"
                + (best.map { " (\($0.address): \($0.text))" } ?? "")
        }
        let wrong = ids.compactMap { devices.entries[$0].map { Fault.Device($0.device.item) } }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        let named = Array(wrong.prefix(Fault.deviceLimit))
        if !named.isEmpty {
            let more = wrong.count - named.count
            text += ": \(listed(named.map { quoted($0.name) }, limit: 3))"
            text += more > 0 ? " and \(more) more" : ""
        }
        return Fault(
            kind: aspect == .many ? .unexpected : .missing, expectation: expectation.name,
            since: since, text: text, devices: named, deviceCount: wrong.count,
            candidates: near.prefix(Fault.deviceLimit).map { Fault.Device($0.item) })
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
}
