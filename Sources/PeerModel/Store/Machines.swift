// Finds the host names that are one machine, and what identifies it.
import FoundationEssentials

/// The host names of each machine: the names to which evidence is granted together, or that live at the same addresses.
struct Machines {
    private var claims = IdentityClaims()
    var sharing = AddressSharing()

    /// Updates the properties of a host, or removes the host.
    mutating func update(_ name: String, to host: HostState?) {
        claims.update(name, to: host)
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

    /// Returns the canonical names of the machine with a host name.
    ///
    /// Names with a domain come first, then names of hosts with evidence, then names without the number of a name
    /// conflict. Some responders announce the bare name of a machine, `h1`, while others on it announce `h1.local`.
    func names(of name: String) -> [String] {
        let first = sharing.listedName(ofExcess: name) ?? name
        var names = [first]
        var (next, sharerCount) = (0, 0)
        while next < names.count {
            names += sharing.others(of: names[next]).filter { !names.contains($0) }
            let sharers = claims.sharers(of: names[next]).filter { !names.contains($0) }
            (names, sharerCount) = (names + sharers, sharerCount + sharers.count)
            next += 1
            // A chain of hosts, each of which shares evidence with the next one, is no machine.
            guard sharerCount < IdentityClaims.nameLimit else {
                names = [first] + sharing.others(of: first)
                break
            }
        }
        guard names.count > 1 else { return names }
        return names.map { name in
            let label = name.prefix { $0 != "." }
            let isNumbered = DeviceName.unnumbered(String(label)) != label
            return (
                name.contains(".") ? 0 : 1, claims.isIdentified(name) ? 0 : 1, isNumbered ? 1 : 0,
                name
            )
        }.sorted { $0 < $1 }.map(\.3)
    }

    /// Returns the name under which the device with a host name is listed.
    func listedName(of name: String) -> String { names(of: name)[0] }

    /// Returns the evidence from which the identifier of the device with a host name is computed.
    func identity(of name: String) -> Identity {
        claims.identity(ofMachine: names(of: name)) ?? Identity(host: name)
    }
}
