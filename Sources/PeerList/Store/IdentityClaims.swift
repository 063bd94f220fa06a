// Grants announced identifiers to hosts.
import FoundationEssentials

/// The identifiers that hosts announce, and the host to which each is granted.
///
/// An announced identifier is only a claim. It is granted to a host unless another present host claims
/// it too, by announcing it or by having the name from which it is computed. An unanswered host does
/// not count, so that a renamed machine keeps its identifier.
///
/// Strangers can make thousands of hosts claim one identifier, so a change of one claimant costs
/// nothing for the others unless it changes the owner.
struct IdentityClaims {
    private struct Host {
        var claim: UUID?
        var id: UUID
        var isUnanswered: Bool
    }

    private struct Claim {
        var hosts: Set<String> = []
        /// The hosts among them that are not unanswered.
        var present: Set<String> = []
        /// The host to which the identifier was last granted.
        var owner: String?
        var isInConflict = false
    }

    /// The maximum number of hosts named in the notice of a conflict.
    private static let namedHostLimit = 8

    private var hosts: [String: Host] = [:]
    private var claims: [UUID: Claim] = [:]
    /// The hosts by the UUIDs of their names.
    private var hostsByNameID: [UUID: String] = [:]
    private var affected: Set<UUID> = []

    /// Updates the claim of a host, or removes the host if `state` is `nil`, in constant time.
    mutating func update(_ name: String, to state: HostState?) {
        let before = hosts[name]
        let after = state.map { state in
            Host(
                claim: state.announcement?.claim, id: state.id,
                isUnanswered: state.presence == .unanswered)
        }
        hosts[name] = after
        if let claim = before?.claim {
            if claim != after?.claim { claims[claim]?.hosts.remove(name) }
            claims[claim]?.present.remove(name)
        }
        if let after, let claim = after.claim {
            claims[claim, default: Claim()].hosts.insert(name)
            if !after.isUnanswered { claims[claim]?.present.insert(name) }
        }
        if let id = before?.id ?? after?.id { hostsByNameID[id] = after == nil ? nil : name }
        for id in [before?.claim, after?.claim, before?.id, after?.id].compactMap({ $0 })
        where claims[id] != nil {
            affected.insert(id)
        }
    }

    /// Returns the host to which an identifier is granted, as of the last ``grantAffected(hosts:report:)``;
    /// `nil` if it is in conflict.
    func owner(of claim: UUID) -> String? { claims[claim]?.owner }

    /// Grants the identifiers whose claims have changed since the last call, and reports new conflicts.
    ///
    /// - Returns: The claimants of identifiers whose owner changed, by canonical name.
    /// - Complexity: O(1) for each claim whose owner stays, else O(*n*) for its *n* claimants.
    mutating func grantAffected(
        hosts: [String: HostState], report: (String) -> Void
    ) -> Set<String> {
        var names: Set<String> = []
        for id in affected {
            guard var claim = claims[id] else { continue }
            let owner = newOwner(of: claim, id)
            let isInConflict = !claim.hosts.isEmpty && owner == nil
            if owner != claim.owner { names.formUnion(claim.hosts) }
            if isInConflict, !claim.isInConflict { report(conflictMessage(claim, id, hosts)) }
            (claim.owner, claim.isInConflict) = (owner, isInConflict)
            claims[id] = claim.hosts.isEmpty ? nil : claim
        }
        affected = []
        return names
    }

    private func newOwner(of claim: Claim, _ id: UUID) -> String? {
        let name = hostsByNameID[id].flatMap { hosts[$0]?.isUnanswered == false ? $0 : nil }
        let isOtherName = name.map { !claim.present.contains($0) } ?? false
        switch claim.present.count + (isOtherName ? 1 : 0) {
        case 0: return claim.hosts.min()
        case 1: return isOtherName ? name : claim.present.first
        default: return nil
        }
    }

    private func conflictMessage(
        _ claim: Claim, _ id: UUID, _ hosts: [String: HostState]
    ) -> String {
        let all = claim.hosts.union([hostsByNameID[id]].compactMap { $0 }).sorted()
        let list = all.prefix(Self.namedHostLimit).compactMap { hosts[$0]?.name }
            .joined(separator: ", ")
        let rest = all.count - Self.namedHostLimit
        return """
            several hosts claim the identifier \(id.uuidString.lowercased()) (\
            \(list)\(rest > 0 ? " and \(rest) more" : "")), so each is known by its host name
            """
    }
}
