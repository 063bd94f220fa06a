// Counts the devices of an expectation, by the ways in which they differ from it.
import FoundationEssentials
import PeerModel

/// The devices of an expectation that are there, or were when they could be heard last.
struct ExpectationTally {
    private(set) var there: Set<UUID> = []
    /// The devices that cannot be heard now.
    private(set) var unknown: Set<UUID> = []
    /// The devices that lack a service.
    private(set) var lacking: Set<UUID> = []
    /// The devices for which a wrong machine answers.
    private(set) var misvouched: Set<UUID> = []
    /// The devices that do not answer at their addresses, or not on the port.
    private(set) var unreached: Set<UUID> = []
    /// The devices of which it is not known whether they offer the services, who vouches for them, or whether they
    /// answer at their addresses.
    private(set) var unchecked: Set<UUID> = []
    /// The latest device that has left or fallen silent, how, and the paths on which it was heard.
    var loss: (device: Fault.Device, how: String, paths: Set<String>)?

    /// The number of devices that are known to be there.
    var knownCount: Int { there.count - unknown.count }

    /// The devices that are not as the expectation states.
    var wrong: Set<UUID> { lacking.union(misvouched).union(unreached) }

    mutating func remove(_ id: UUID) {
        there.remove(id)
        unknown.remove(id)
        lacking.remove(id)
        misvouched.remove(id)
        unreached.remove(id)
        unchecked.remove(id)
    }

    /// Counts a device, given its answers at its addresses.
    mutating func insert(
        _ entry: FollowedDevice, for expectation: Expectation, _ answers: [AddressAnswer]?,
        isCapture: Bool
    ) {
        let (device, id) = (entry.device, entry.device.id)
        there.insert(id)
        if entry.isUnknown { unknown.insert(id) }
        let missing = expectation.servicesMissing(on: device)
        // Nobody may have asked for a service that was never heard in a capture.
        if !missing.isEmpty, !isCapture || missing.contains(where: entry.offered.contains) {
            lacking.insert(id)
        } else if !missing.isEmpty {
            unchecked.insert(id)
        }
        switch expectation.isVouched(device) {
        case true?: break
        case false?: misvouched.insert(id)
        case nil: unchecked.insert(id)
        }
        switch expectation.isReached(device, answers) {
        case true?: break
        case false?: unreached.insert(id)
        case nil: unchecked.insert(id)
        }
    }
}
