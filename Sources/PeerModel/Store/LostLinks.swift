// The paths of this machine that are lost at present, as discovery reports them.

/// The paths that this machine has lost.
struct LostLinks {
    private(set) var paths: Set<NetworkPath> = []
    /// The interfaces whose loss was reported to the user, and whether it was also reported that what was seen through
    /// them has left.
    var reported: [NetworkInterface: Bool] = [:]

    /// Sets the lost families of an interface.
    mutating func lose(_ interface: NetworkInterface, _ families: Set<AddressFamily>) {
        expire(interface, Set(AddressFamily.allCases))
        for family in families { paths.insert(NetworkPath(interface: interface, family: family)) }
    }

    /// Removes families of an interface from the lost paths.
    mutating func expire(_ interface: NetworkInterface, _ families: Set<AddressFamily>) {
        for family in families { paths.remove(NetworkPath(interface: interface, family: family)) }
    }

    /// Whether a service was seen only through lost paths.
    func contains(_ service: ServiceState) -> Bool {
        !paths.isEmpty && service.sightings.keys.allSatisfy { paths.contains($0.path) }
    }
}
