// A fault: an expectation that is broken, or a device that no expectation is about.
package import FoundationEssentials
package import PeerModel

/// A time for which the devices on the network are not as expected.
package struct Fault: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A device or a service of it is not there.
        case missing
        /// A device is there that should not be.
        case unexpected
    }

    /// A device in a fault.
    package struct Device: Equatable, Sendable {
        package let id: UUID
        package let name: String

        init(_ item: ListItem) { (id, name) = (item.id, item.peer.displayName) }
    }

    /// The maximum number of devices that are named.
    static let deviceLimit = 10

    package let kind: Kind
    /// The name of the expectation; `nil` if none is about the device.
    package let expectation: String?
    /// The time since which it lasts.
    package let since: Timestamp
    /// The time at which it ended; `nil` if it has not.
    package var until: Timestamp?
    /// A clause that says what is wrong.
    package let text: String
    /// The present devices that are not as expected, at most ten.
    package let devices: [Device]
    /// The number of all of these devices.
    package let deviceCount: Int
    /// The devices that are there and resemble a missing one most, at most ten.
    package let candidates: [Device]

    /// Whether a fault is before another in the order of their beginnings.
    static func precedes(_ left: Fault, _ right: Fault) -> Bool {
        (left.since, left.expectation ?? "\u{10FFFF}", left.text) < (
            right.since, right.expectation ?? "\u{10FFFF}", right.text
        )
    }
}

/// A fault begins or ends.
package struct FaultEvent: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case missing, unexpected
        /// A fault is over.
        case restored
    }

    package let fault: Fault
    /// The time at which the fault is over, or at which it has lasted for the time that the file states.
    package let time: Timestamp

    package var kind: Kind {
        if fault.until != nil { return .restored }
        return fault.kind == .missing ? .missing : .unexpected
    }
}
