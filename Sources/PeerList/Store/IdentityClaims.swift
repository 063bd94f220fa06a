// Who announces which identifier, and whom it is granted to.
import FoundationEssentials

/// The identifiers that hosts announce, and to whom each is granted.
///
/// An announced identifier is only a claim. It is granted to a host while no
/// other host that is there claims the same, be it by announcing it or by
/// bearing the name that it follows from. A host that is silent does not
/// count, so that a renamed machine keeps its identifier.
struct IdentityClaims {
    private struct Host {
        var claim: UUID?
        var id: UUID
        var isSilent: Bool
    }

    private var hosts: [String: Host] = [:]
    private var claimants: [UUID: Set<String>] = [:]
    private var named: [UUID: String] = [:]
    private var affected: Set<UUID> = []
    private var conflicts: Set<UUID> = []

    /// Takes note of what a host claims now, or that it is gone.
    mutating func update(_ name: String, to state: HostState?) {
        let before = hosts[name]
        let after = state.map { state in
            Host(
                claim: state.announcement?.claim, id: state.id,
                isSilent: state.presence == .unanswered)
        }
        hosts[name] = after
        if let claim = before?.claim, claim != after?.claim { claimants[claim]?.remove(name) }
        if let claim = after?.claim { claimants[claim, default: []].insert(name) }
        if let id = before?.id ?? after?.id { named[id] = after == nil ? nil : name }
        for id in [before?.claim, after?.claim, before?.id, after?.id].compactMap({ $0 })
        where claimants[id] != nil {
            affected.insert(id)
        }
    }

    /// The host that an announced identifier is granted to, or `nil` where that is in dispute.
    func owner(of claim: UUID) -> String? {
        let all = claimants[claim] ?? []
        var present = all.filter { hosts[$0]?.isSilent == false }
        if let name = named[claim], hosts[name]?.isSilent == false { present.insert(name) }
        return present.count > 1 ? nil : present.first ?? all.min()
    }

    /// The hosts whose identifier may have changed since the last call, because that of another did.
    ///
    /// - Parameters:
    ///   - hosts: What is known of the hosts, for their names.
    ///   - notices: Gets a notice for every dispute that is new.
    /// - Returns: The hosts, in canonical form.
    mutating func takeAffected(
        hosts: [String: HostState], _ notices: inout [(code: Notice.Code, message: String)]
    ) -> Set<String> {
        var names: Set<String> = []
        for claim in affected {
            let claiming = claimants[claim] ?? []
            names.formUnion(claiming)
            if claiming.isEmpty { claimants[claim] = nil }
            guard !claiming.isEmpty, owner(of: claim) == nil else {
                conflicts.remove(claim)
                continue
            }
            guard conflicts.insert(claim).inserted else { continue }
            let all = claiming.union([named[claim]].compactMap { $0 }).sorted()
            let list = all.compactMap { hosts[$0]?.name }.joined(separator: ", ")
            notices.append(
                (
                    .identityConflict,
                    """
                    several hosts claim the identifier \(claim.uuidString.lowercased()) (\(list)), \
                    so each is known by its host name
                    """
                ))
        }
        affected = []
        return names
    }
}
