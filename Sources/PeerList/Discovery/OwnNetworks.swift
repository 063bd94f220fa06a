// Tells which interfaces of this machine are on one network.

/// The networks of this machine, each named by its first interface.
///
/// Interfaces with a network prefix in common, such as a cable and Wi-Fi of one router, are on one network. An interface
/// without a prefix, such as the end of a container's link, counts as on every network.
struct OwnNetworks: Equatable {
    private var names: [NetworkInterface: String] = [:]

    init(_ interfaces: [LocalInterface] = []) {
        var members: [[LocalInterface]] = []
        for interface in interfaces where !interface.isLoopback && !interface.networks.isEmpty {
            let isJoined = { (group: [LocalInterface]) in
                group.contains { !$0.networks.isDisjoint(with: interface.networks) }
            }
            let joined = members.filter(isJoined).joined() + [interface]
            members.removeAll(where: isJoined)
            members.append(joined)
        }
        guard members.count > 1 else { return }
        for group in members {
            let name = group.map(\.interface.name).min()
            for member in group { names[member.interface] = name }
        }
    }

    /// Whether this machine is on several networks, so that there may be several hosts of one name.
    var areSeveral: Bool { !names.isEmpty }

    /// Returns the network of an interface; `nil` if the interface is on every network.
    func name(of interface: NetworkInterface) -> String? { names[interface] }

    /// Returns the networks of some interfaces.
    func names(of interfaces: some Sequence<NetworkInterface>) -> Set<String> {
        areSeveral ? Set(interfaces.compactMap { names[$0] }) : []
    }
}
