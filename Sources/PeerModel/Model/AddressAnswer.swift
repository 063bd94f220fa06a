// Whether a machine answers at an announced address, when it is asked.

/// The answer at an address of a device, and on announced TCP ports of it.
public struct AddressAnswer: Sendable, Hashable {
    /// The state of a TCP port.
    public enum Port: String, Sendable, Hashable {
        /// A connection was accepted.
        case open
        /// A connection was refused.
        case closed
        /// A connection was neither accepted nor refused within a second.
        case filtered
    }

    /// The machine that answers.
    public enum Machine: Sendable, Hashable {
        /// The device, by its MAC address as far as that is known; `nil` behind a router.
        case device(MACAddress?)
        /// Another machine has the address: its MAC address is none of the device's.
        case other(MACAddress)
        /// Nothing answers but the address resolution, and with the MAC address of another machine, such as a router's or
        /// an access point's; it may do so for machines that are gone.
        case proxy(MACAddress)
        /// Address resolution failed, or this machine has no route.
        case nobody
        /// Nothing answered, and whether the machine is there cannot be told: the address is behind a router, or the machine
        /// answered address resolution a short time ago, given in whole seconds.
        case unknown(secondsAgo: Int?)
    }

    /// The address as text, with its scope if it has one.
    public let address: String
    /// The machine that answers at the address.
    public let machine: Machine
    /// The ports that were asked.
    public let ports: [UInt16: Port]

    /// Creates an answer.
    public init(address: String, machine: Machine, ports: [UInt16: Port] = [:]) {
        (self.address, self.machine, self.ports) = (address, machine, ports)
    }

    /// Whether a device is there, by its answers at all of its addresses; `nil` if that is not known.
    package static func isThere(_ answers: [AddressAnswer]) -> Bool? {
        if answers.contains(where: \.isOfDevice) { return true }
        let isKnown = answers.allSatisfy { answer in
            switch answer.machine {
            case .other, .nobody: true
            case .device, .proxy, .unknown: false
            }
        }
        return isKnown ? false : nil
    }

    /// Whether the device itself answers.
    public var isOfDevice: Bool { if case .device = machine { true } else { false } }

    /// Whether the device accepts connections on a port, or on one of those asked.
    public func isOpen(_ port: UInt16? = nil) -> Bool {
        guard isOfDevice else { return false }
        return port.map { ports[$0] == .open } ?? ports.values.contains(.open)
    }
}
