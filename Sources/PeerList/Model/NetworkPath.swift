// One way on which a service is announced: an interface of this machine, and a family of addresses.

/// One way on which a service is announced to this machine.
public struct NetworkPath: Sendable, Hashable {
    /// The name of the interface of this machine, such as `eth0`.
    public let interface: String
    /// The family over which the announcement comes.
    public let family: AddressFamily

    /// A path.
    public init(interface: String, family: AddressFamily) {
        self.interface = interface
        self.family = family
    }
}
