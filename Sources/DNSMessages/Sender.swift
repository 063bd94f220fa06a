// Identifies a machine on a link, and the path of its packets.

/// An interface with an address family, over which messages are received.
package struct RecordPath: Sendable, Hashable {
    /// The index of the interface.
    package let interface: Int32
    package let isIPv6: Bool

    package init(interface: Int32, isIPv6: Bool) {
        (self.interface, self.isIPv6) = (interface, isIPv6)
    }
}

/// A machine on a link, by the source of its packets.
package struct Sender: Sendable, Hashable {
    /// The source address, of 4 or 16 bytes.
    package let address: [UInt8]
    /// The index of the interface on which the packets arrive.
    package let interface: Int32

    package init(address: [UInt8], interface: Int32) {
        (self.address, self.interface) = (address, interface)
    }

    /// The interface and the address family of the packets.
    package var path: RecordPath { RecordPath(interface: interface, isIPv6: address.count > 4) }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes: address)
        hasher.combine(interface)
    }
}
