// Tells which interfaces of this machine are on one network.

/// The networks of this machine, each named by its first interface.
///
/// Interfaces with a network prefix in common, such as a cable and Wi-Fi of one router, are on one network. An interface
/// without a prefix, such as the end of a container's link, counts as on every network.
struct OwnNetworks: Equatable {
    private var names: [NetworkInterface: String] = [:]

    init(_ interfaces: [LocalInterface] = []) {
        var groups: [(members: [LocalInterface], networks: Set<LocalInterface.Network>)] = []
        for interface in interfaces where !interface.isLoopback {
            let networks = interface.networks
            guard !networks.isEmpty else { continue }
            var group = (members: [interface], networks: networks)
            for joined in groups where !joined.networks.isDisjoint(with: networks) {
                group.members += joined.members
                group.networks.formUnion(joined.networks)
            }
            groups.removeAll { !$0.networks.isDisjoint(with: networks) }
            groups.append(group)
        }
        guard groups.count > 1 else { return }
        for (members, _) in groups {
            let name = members.map(\.interface.name).min()
            for member in members { names[member.interface] = name }
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
