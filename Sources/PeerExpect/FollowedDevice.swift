// A device of the list, and whether it can be heard.
import FoundationEssentials
import PeerHappenings
import PeerModel

/// A device that is in the list, or has left it because it cannot be heard.
struct FollowedDevice {
    enum Hearing {
        case heard
        /// The device is in the list, but cannot be heard.
        case unheard
        /// The device has left the list because it cannot be heard, which says nothing about the device.
        case outOfReach
    }

    private(set) var device: ExpectedDevice
    /// Whether the device did not answer when it was asked last.
    private(set) var isSilent: Bool
    var hearing: Hearing
    /// The types of the services that the device has offered in the list of a capture.
    var offered: Set<String> = []
    /// The indices of the expectations about the device.
    var matches: [Int] = []

    init(_ item: ListItem, isSilent: Bool? = nil) {
        device = ExpectedDevice(item)
        self.isSilent = isSilent ?? item.peer.presence.isSilent
        hearing = item.peer.presence == .unknown ? .unheard : .heard
    }

    /// Whether it is not known if the device is there.
    var isUnknown: Bool { hearing != .heard }

    /// Whether the device is there and answers.
    var isPresent: Bool { !isSilent && !isUnknown }

    /// Takes over what is known of the item: all of it in the initial fill, and then what no event tells. Returns
    /// whether an expectation may be met or broken by that.
    mutating func refresh(_ item: ListItem, during fill: InitialFill) -> Bool {
        let (wasSilent, former) = (isSilent, hearing)
        let change = ItemChanges.Change(was: device.item, now: item)
        let isLearned = fill == .running || !change.isOfItsOwn
        if isLearned { device = ExpectedDevice(item) }
        if item.peer.presence != .unknown {
            hearing = .heard
        } else if hearing == .heard {
            hearing = .unheard
        }
        switch item.peer.presence {
        case .present: isSilent = false
        case .unanswered, .proxied: if fill == .running { isSilent = true }
        default: break
        }
        return isLearned || isSilent != wasSilent || hearing != former
    }
}
