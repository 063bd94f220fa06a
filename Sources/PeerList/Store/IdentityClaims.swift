// Who announces which identifier, and whom it is granted to.
import FoundationEssentials

/// The identifiers that hosts announce, and to whom each is granted.
///
/// An announced identifier is only a claim. It is granted to a host while no
/// other host that is there claims the same, be it by announcing it or by
/// bearing the name that it follows from. A host that is silent does not
/// count, so that a renamed machine keeps its identifier.
///
/// A stranger can have thousands of hosts claim one identifier, so what one of
/// them does costs nothing for the others unless it decides between them.
struct IdentityClaims {
    private struct Host {
        var claim: UUID?
        var id: UUID
        var isSilent: Bool
    }

    /// Who announces one identifier.
    private struct Claim {
        var hosts: Set<String> = []
        /// Those of them that are not silent.
        var present: Set<String> = []
        /// To whom it was granted last.
        var owner: String?
        var isInDispute = false
    }

    /// So many of the hosts in a dispute are named.
    private static let namedLimit = 8

    private var hosts: [String: Host] = [:]
    private var claims: [UUID: Claim] = [:]
    private var named: [UUID: String] = [:]
    private var affected: Set<UUID> = []

    /// Takes note of what a host claims now, or that it is gone.
    ///
    /// - Complexity: O(1).
    mutating func update(_ name: String, to state: HostState?) {
        let before = hosts[name]
        let after = state.map { state in
            Host(
                claim: state.announcement?.claim, id: state.id,
                isSilent: state.presence == .unanswered)
        }
        hosts[name] = after
        if let claim = before?.claim {
            if claim != after?.claim { claims[claim]?.hosts.remove(name) }
            claims[claim]?.present.remove(name)
        }
        if let after, let claim = after.claim {
            claims[claim, default: Claim()].hosts.insert(name)
            if !after.isSilent { claims[claim]?.present.insert(name) }
        }
        if let id = before?.id ?? after?.id { named[id] = after == nil ? nil : name }
        for id in [before?.claim, after?.claim, before?.id, after?.id].compactMap({ $0 })
        where claims[id] != nil {
            affected.insert(id)
        }
    }

    /// The host that an announced identifier is granted to, or `nil` where that is in dispute; as of
    /// the last ``takeAffected(hosts:_:)``.
    func owner(of claim: UUID) -> String? { claims[claim]?.owner }

    /// The hosts whose identifier may have changed since the last call, because that of another did.
    ///
    /// - Parameters:
    ///   - hosts: What is known of the hosts, for their names.
    ///   - notices: Gets a notice for every dispute that is new.
    /// - Returns: The hosts, in canonical form.
    /// - Complexity: O(1) for each claim that another host has than before, else O(*n*), where *n* is
    ///   the number of its claimants.
    mutating func takeAffected(
        hosts: [String: HostState], _ notices: inout [(code: Notice.Code, message: String)]
    ) -> Set<String> {
        var names: Set<String> = []
        for id in affected {
            guard var claim = claims[id] else { continue }
            let owner = grant(claim, id)
            let isInDispute = !claim.hosts.isEmpty && owner == nil
            if owner != claim.owner { names.formUnion(claim.hosts) }
            if isInDispute, !claim.isInDispute { notices.append(dispute(claim, id, hosts)) }
            (claim.owner, claim.isInDispute) = (owner, isInDispute)
            claims[id] = claim.hosts.isEmpty ? nil : claim
        }
        affected = []
        return names
    }

    /// Whom an identifier is granted to now, or `nil` where that is in dispute.
    private func grant(_ claim: Claim, _ id: UUID) -> String? {
        let name = named[id].flatMap { hosts[$0]?.isSilent == false ? $0 : nil }
        let isNamed = name.map { !claim.present.contains($0) } ?? false
        switch claim.present.count + (isNamed ? 1 : 0) {
        case 0: return claim.hosts.min()
        case 1: return isNamed ? name : claim.present.first
        default: return nil
        }
    }

    private func dispute(
        _ claim: Claim, _ id: UUID, _ hosts: [String: HostState]
    ) -> (code: Notice.Code, message: String) {
        let all = claim.hosts.union([named[id]].compactMap { $0 }).sorted()
        let list = all.prefix(Self.namedLimit).compactMap { hosts[$0]?.name }
            .joined(separator: ", ")
        let more = all.count > Self.namedLimit ? " and \(all.count - Self.namedLimit) more" : ""
        return (
            .identityConflict,
            """
            several hosts claim the identifier \(id.uuidString.lowercased()) (\(list)\(more)), so \
            each is known by its host name
            """
        )
    }
}
