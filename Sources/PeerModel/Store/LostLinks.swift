// The paths of this machine that are lost at present, and the notices of their loss and return.

/// The paths that this machine has lost.
struct LostLinks {
    private(set) var paths: Set<NetworkPath> = []
    /// The interfaces whose loss was reported to the user, and whether it was also reported that what was seen through
    /// them has left.
    private var reported: [NetworkInterface: Bool] = [:]

    /// Sets the lost families of an interface.
    mutating func lose(_ interface: NetworkInterface, _ families: Set<AddressFamily>) {
        remove(interface, Set(AddressFamily.allCases))
        for family in families { paths.insert(NetworkPath(interface: interface, family: family)) }
    }

    /// Whether a service was seen only through lost paths.
    func contains(_ service: ServiceState) -> Bool {
        !paths.isEmpty && service.sightings.keys.allSatisfy { paths.contains($0.path) }
    }

    mutating func reportLoss(
        of interface: NetworkInterface, reason: String, _ touched: inout StoreChanges
    ) {
        reported[interface] = false
        touched.report(
            .linkLost, "\(reason): what was seen through it is unknown until it is back",
            interface: interface.name)
    }

    /// Reports that an interface is back if its loss was reported.
    mutating func reportReturn(
        of interface: NetworkInterface, _ touched: inout StoreChanges
    ) {
        guard reported.removeValue(forKey: interface) != nil else { return }
        touched.report(.linkBack, "\(interface.name) is back", interface: interface.name)
    }

    /// Removes families of an interface from the lost paths, and reports that if the loss was reported.
    mutating func expire(
        _ interface: NetworkInterface, _ families: Set<AddressFamily>,
        _ touched: inout StoreChanges
    ) {
        remove(interface, families)
        guard reported[interface] == false else { return }
        reported[interface] = true
        touched.report(
            .linkExpired,
            "\(interface.name) was down for long, or is on another network: what was seen through it has left",
            interface: interface.name)
    }

    private mutating func remove(_ interface: NetworkInterface, _ families: Set<AddressFamily>) {
        for family in families { paths.remove(NetworkPath(interface: interface, family: family)) }
    }
}
