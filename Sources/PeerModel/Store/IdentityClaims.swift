// Grants the evidence of identities to hosts.
import FoundationEssentials

/// The evidence that hosts claim for the identity of their devices, and the hosts to which it is granted.
///
/// Any host can announce any evidence. So evidence is granted to a host only if no other present host claims it,
/// either by announcing it or by having the name from which its identifier is computed. Claims of unanswered hosts
/// and withdrawn claims cause no conflict, so a renamed device keeps its identifier. Two hosts with a common address
/// are not in conflict either: they are one machine under two names, for example while it is renamed.
///
/// Strangers can make thousands of hosts claim one identifier. So a change of one claimant takes constant time
/// unless the grant changes.
struct IdentityClaims {
    private struct Host: Equatable {
        /// The evidence, the strongest first; the last is the host name.
        var evidence: [Identity]
        /// The identifiers of the evidence that the host has withdrawn.
        var withdrawn: Set<UUID>
        var isUnanswered: Bool
    }

    private struct Claim {
        let value: String
        /// The present hosts that claim the evidence.
        var present: Set<String> = []
        /// The claimants that are unanswered or have withdrawn the evidence.
        var former: Set<String> = []
        /// The hosts to which the evidence was last granted: the names of one machine, or none in a
        /// conflict.
        var granted: Set<String> = []
        var isInConflict = false

        var isAbandoned: Bool { present.isEmpty && former.isEmpty }
    }

    /// The maximum number of hosts named in the notice of a conflict.
    private static let namedHostLimit = 8
    /// The maximum number of notices of conflicts, because strangers can cause any number.
    static let noticeLimit = 64
    /// The maximum number of names of a machine that share evidence.
    static let nameLimit = 8

    private var hosts: [String: Host] = [:]
    /// The claims of all evidence except host names, by identifier.
    private var claims: [UUID: Claim] = [:]
    /// The hosts by the UUIDs of their names.
    private var hostsByNameID: [UUID: String] = [:]
    private var affected: Set<UUID> = []
    private var noticeCount = 0

    /// Updates the claims of a host, or removes the host if `state` is `nil`, in constant time.
    mutating func update(_ name: String, to state: HostState?) {
        let before = hosts[name]
        let after = state.map {
            Host(
                evidence: $0.evidence, withdrawn: $0.withdrawnEvidence,
                isUnanswered: $0.presence == .unanswered)
        }
        if before != after {
            hosts[name] = after
            for evidence in before?.evidence.dropLast() ?? [] {
                claims[evidence.id]?.present.remove(name)
                claims[evidence.id]?.former.remove(name)
                affected.insert(evidence.id)
            }
            for evidence in after?.evidence.dropLast() ?? [] {
                let claim = Claim(value: evidence.value)
                if after?.isUnanswered == true || after?.withdrawn.contains(evidence.id) == true {
                    claims[evidence.id, default: claim].former.insert(name)
                } else {
                    claims[evidence.id, default: claim].present.insert(name)
                }
            }
            if let id = (before ?? after)?.evidence.last?.id {
                hostsByNameID[id] = after == nil ? nil : name
            }
        }
        // Even if `Host` is unchanged: grants also depend on addresses that it does not contain.
        for evidence in after?.evidence ?? before?.evidence.suffix(1) ?? []
        where claims[evidence.id] != nil { affected.insert(evidence.id) }
    }

    /// Grants the evidence whose claims have changed since the last call, and reports new conflicts.
    ///
    /// - Returns: The claimants of evidence whose grant changed, by canonical name.
    /// - Complexity: O(1) for each claim whose grant stays, else O(*n*) for its *n* claimants.
    mutating func grantAffected(
        hosts: [String: HostState], report: (String) -> Void
    ) -> Set<String> {
        var names: Set<String> = []
        for id in affected {
            guard var claim = claims[id] else { continue }
            let granted = newGrant(of: claim, id, hosts)
            let isInConflict = !claim.isAbandoned && granted.isEmpty
            if granted != claim.granted { names.formUnion(claim.present.union(claim.former)) }
            if isInConflict, !claim.isInConflict, noticeCount < Self.noticeLimit {
                noticeCount += 1
                report(conflictMessage(claim, id, hosts))
                if noticeCount == Self.noticeLimit { report(Self.lastNotice) }
            }
            (claim.granted, claim.isInConflict) = (granted, isInConflict)
            claims[id] = claim.isAbandoned ? nil : claim
        }
        affected = []
        return names
    }

    private func newGrant(
        of claim: Claim, _ id: UUID, _ hosts: [String: HostState]
    ) -> Set<String> {
        let present = claim.present
        if let name = hostsByNameID[id], self.hosts[name]?.isUnanswered == false,
            !present.contains(name)
        {
            return present.isEmpty ? [name] : []
        }
        switch present.count {
        case 0: return claim.former.min().map { [$0] } ?? []
        case 1: return present
        case 2...Self.nameLimit:
            let states = present.sorted().compactMap { hosts[$0] }
            return states.allSatisfy { $0.isSameMachine(as: states[0]) } ? present : []
        default: return []
        }
    }

    private static let lastNotice =
        "\(noticeLimit) identifiers were claimed by several hosts, further ones are not reported"

    private func conflictMessage(
        _ claim: Claim, _ id: UUID, _ hosts: [String: HostState]
    ) -> String {
        let all = claim.present.union(claim.former)
            .union([hostsByNameID[id]].compactMap(\.self)).sorted()
        let list = all.prefix(Self.namedHostLimit).compactMap { hosts[$0]?.name }
            .joined(separator: ", ")
        let rest = all.count - Self.namedHostLimit
        return """
            several hosts claim the identifier \(claim.value) (\
            \(list)\(rest > 0 ? " and \(rest) more" : "")), so it identifies none of them
            """
    }
}

// MARK: Grants

extension IdentityClaims {
    /// Whether a host has evidence besides its name.
    func isIdentified(_ name: String) -> Bool { hosts[name].map { $0.evidence.count > 1 } ?? false }

    /// Returns the hosts to which evidence of a host is granted together, because they are one machine.
    func sharers(of name: String) -> Set<String> {
        (hosts[name]?.evidence ?? []).reduce(into: []) { sharers, evidence in
            let granted = claims[evidence.id]?.granted ?? []
            if granted.count > 1, granted.contains(name) { sharers.formUnion(granted) }
        }
    }

    /// Returns the strongest evidence that is granted to the machine with some names, or else the evidence of the first
    /// host name; `nil` if that is unknown. Of evidence of one rank, that of multicast DNS is the strongest, then
    /// that of SSDP, so that a device keeps its identifier when it is heard by another protocol too.
    func identity(ofMachine names: [String]) -> Identity? {
        let granted = names.flatMap { name in
            (hosts[name]?.evidence.dropLast() ?? []).lazy.filter { evidence in
                claims[evidence.id].map { !$0.granted.isDisjoint(with: names) } ?? false
            }.prefix(1)
        }
        func place(_ evidence: Identity) -> Int {
            let source = DiscoveryProtocol(ofType: evidence.type ?? "")
            return DiscoveryProtocol.allCases.firstIndex(of: source) ?? 0
        }
        let strongest = granted.max {
            ($0.rank, place($1), $1.value) < ($1.rank, place($0), $0.value)
        }
        return strongest ?? names.first.flatMap { hosts[$0]?.evidence.last }
    }
}
