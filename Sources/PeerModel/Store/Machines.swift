// Finds the host names that are one machine, and what identifies it.
import FoundationEssentials

/// The host names of each machine: the names to which evidence is granted together, or that live at the same addresses,
/// and the devices without a host name at its addresses.
///
/// Hosts of one name on several networks are one machine if they have an address or a MAC address in common. Otherwise
/// the name alone identifies none of them (RFC 6762, section 3).
struct Machines {
    private var claims = IdentityClaims()
    var sharing = AddressSharing()
    private var owners = AddressOwners()
    /// The keys of the hosts with a network, by canonical name.
    private var namesakes: [String: Set<String>] = [:]

    /// Updates the properties of a host, or removes the host.
    mutating func update(_ name: String, to host: HostState?) {
        claims.update(name, to: host)
        owners.update(name, to: host)
        guard !HostName.isEndpoint(name) else { return }
        noteNamesake(name, isThere: host != nil)
        sharing.update(
            name,
            to: host.map {
                AddressSharing.Host(
                    addresses: $0.completeAddresses.filter { !$0.isOfBridge }, macs: $0.macs,
                    came: $0.firstSeen, isIdentified: $0.evidence.count > 1,
                    isUnanswered: $0.presence == .unanswered)
            })
    }

    /// Grants the evidence whose claims have changed since the last call, and reports new conflicts.
    ///
    /// - Returns: The hosts whose machine or identifier may have changed.
    mutating func grantAffected(
        hosts: [String: HostState], report: (String) -> Void
    ) -> Set<String> {
        claims.grantAffected(hosts: hosts, report: report)
    }

    /// Returns the keys of the machine with a host's key.
    ///
    /// Names with a domain come first, then names of hosts with evidence, then names without the number of a name
    /// conflict; devices without a host name come last. Some responders announce the bare name of a machine, `h1`, while
    /// others on it announce `h1.local`.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of names of the machine, but O(*n*²) if they share evidence.
    func names(of name: String) -> [String] {
        let first = sharing.listedName(ofExcess: name) ?? name
        var names = [first]
        var found: Set = [first]
        var joined: Set<String> = []
        var (next, sharerCount) = (0, 0)
        while next < names.count {
            // A name that was found by another one's addresses has the same others.
            let others = joined.contains(names[next]) ? [] : sharing.others(of: names[next])
            joined.formUnion(others)
            let neighbours = others.union(owners.others(of: names[next]))
            names += neighbours.filter { found.insert($0).inserted }
            names += sameHosts(as: names[next]).filter { found.insert($0).inserted }
            let sharers = claims.sharers(of: names[next]).filter { found.insert($0).inserted }
            (names, sharerCount) = (names + sharers, sharerCount + sharers.count)
            next += 1
            // A chain of hosts, each of which shares evidence with the next one, is no machine.
            guard sharerCount < IdentityClaims.nameLimit else {
                names = [first] + sharing.others(of: first)
                break
            }
        }
        guard names.count > 1 else { return names }
        let ranked = names.map { (name: $0, rank: rank(of: $0)) }
        return ranked.sorted { left, right in
            left.rank == right.rank ? left.name < right.name : left.rank < right.rank
        }.map(\.name)
    }

    /// Returns the rank of a key among the keys of its machine, of which the first has the lowest rank.
    private func rank(of name: String) -> Int {
        let label = String(name.prefix { $0 != "." })
        let kind = HostName.isEndpoint(name) ? 2 : name.contains(".") ? 0 : 1
        let identification = claims.isIdentified(name) ? 0 : 1
        let numbering = DeviceName.unnumbered(label) == label ? 0 : 1
        return 4 * kind + 2 * identification + numbering
    }

    /// Returns the keys whose machines may have changed since the last call, because of the addresses of devices
    /// without a host name.
    mutating func removeChangedOwners() -> Set<String> { owners.removeChanged() }

    /// Returns the name under which the device with a host name is listed.
    func listedName(of name: String) -> String { names(of: name)[0] }

    /// Returns the evidence from which the identifier of the device with a host name is computed.
    ///
    /// - Parameters:
    ///   - name: The key of the host.
    ///   - network: Returns the first interface on which a host is seen.
    /// - Returns: The strongest evidence that is the device's alone; if that is a name which other machines have on other
    ///   networks, the name with the interface.
    func identity(of name: String, network: (String) -> String?) -> Identity {
        let names = names(of: name)
        let identity = claims.identity(ofMachine: names)
        guard identity?.source ?? .hostName == .hostName, isContested(name, names),
            let network = network(name)
        else { return identity ?? Identity(host: HostName.canonical(ofKey: name)) }
        return Identity(host: HostName.canonical(ofKey: name), on: network)
    }
}

// MARK: Networks

extension Machines {
    private mutating func noteNamesake(_ key: String, isThere: Bool) {
        guard isThere || !namesakes.isEmpty else { return }
        let name = HostName.canonical(ofKey: key)
        guard name != key else { return }
        if isThere {
            namesakes[name, default: []].insert(key)
        } else {
            namesakes[name]?.remove(key)
            if namesakes[name]?.isEmpty == true { namesakes[name] = nil }
        }
    }

    /// Returns the keys of the other hosts with the name of a host.
    func namesakes(of key: String) -> Set<String> {
        guard !namesakes.isEmpty else { return [] }
        let name = HostName.canonical(ofKey: key)
        return (namesakes[name] ?? []).union([name]).subtracting([key])
    }

    private func sameHosts(as key: String) -> Set<String> {
        namesakes(of: key).filter { sharing.haveCommonAddress($0, key) }
    }

    /// Whether another machine with the name of a host has no evidence besides that name either.
    private func isContested(_ key: String, _ machine: [String]) -> Bool {
        namesakes(of: key).subtracting(machine).contains {
            claims.identity(ofMachine: names(of: $0))?.source == .hostName
        }
    }
}
