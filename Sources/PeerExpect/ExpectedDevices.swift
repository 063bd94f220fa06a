// The devices that are compared with expectations, and the sources through which they are heard.
import FoundationEssentials
import PeerHappenings
import PeerModel

/// The devices of a list, counted for each expectation of a file.
struct ExpectedDevices {
    let file: ExpectationFile
    private(set) var entries: [UUID: FollowedDevice] = [:]
    /// The latest answers of the devices at their addresses.
    var answers: [UUID: [AddressAnswer]] = [:]
    /// The numbers of other devices that can be heard, and of devices that cannot be heard now.
    private var counts = AbsentSources.Count()
    /// Whether any device was heard.
    private(set) var hasHeard = false
    /// The devices of each expectation, by its index.
    var tallies: [ExpectationTally]
    /// The interfaces, backends, brokers and observers that are away.
    var sources = AbsentSources()
    /// Whether the list is that of a capture, which has only what others asked for.
    var isCapture = false

    init(_ file: ExpectationFile) {
        self.file = file
        tallies = file.expectations.map { _ in ExpectationTally() }
    }

    /// Whether no device can be heard, because everything through which devices are heard is away.
    var isBlind: Bool { isCapture && !hasHeard || sources.hearNothing(counts) }

    /// Returns the time at which it is known whether devices of an expectation are missing; `nil` if that is not known
    /// now.
    func knownTime(ofMissing index: Int) -> Timestamp? {
        let loss = tallies[index].loss
        // Nobody may have asked for a device that was never heard in a capture.
        if loss == nil, isCapture { return nil }
        return sources.knownTime(loss?.paths ?? [], in: counts)
    }

    /// Replaces or removes a device, and may remove another; returns the indices of the expectations whose devices have
    /// changed.
    mutating func replace(
        _ id: UUID, by entry: FollowedDevice?, removing other: UUID? = nil
    ) -> Set<Int> {
        var (touched, offered): (Set<Int>, Set<String>) = ([], [])
        let known = entries[id]
        for id in [id, other].compactMap(\.self) {
            guard let former = entries.removeValue(forKey: id) else { continue }
            offered.formUnion(former.offered)
            add(-1, former)
            for index in former.matches {
                tallies[index].remove(id)
                touched.insert(index)
            }
        }
        guard var entry else {
            answers[id] = nil
            return touched
        }
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
            tallies[index].insert(
                entry, for: file.expectations[index], answers[id], isCapture: isCapture)
        }
        entries[id] = entry
        return touched
    }

    private mutating func add(_ number: Int, _ entry: FollowedDevice) {
        counts.add(entry.device.item.peer, isUnknown: entry.isUnknown, number)
        hasHeard = hasHeard || counts.heard > 0
    }
}
