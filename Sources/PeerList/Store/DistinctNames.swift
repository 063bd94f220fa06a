// Tells devices of one name apart.
import FoundationEssentials

/// The names of the listed devices, and which of them several devices have.
///
/// A change of one device takes constant time, whatever the number of devices with its name.
struct DistinctNames {
    private var names: [UUID: String] = [:]
    private var holders: [String: Set<UUID>] = [:]
    /// The other devices that are not alone with their name any more, or are alone again.
    private var affected: Set<UUID> = []

    /// Sets the name that a device has by itself; `nil` if it is not listed.
    mutating func set(_ name: String?, of id: UUID) {
        let former = names[id]
        guard name != former else { return }
        names[id] = name
        if let former {
            holders[former]?.remove(id)
            note(former)
            if holders[former]?.isEmpty == true { holders[former] = nil }
        }
        if let name {
            note(name)
            holders[name, default: []].insert(id)
        }
    }

    /// Notes a device that has a name alone.
    private mutating func note(_ name: String) {
        if let others = holders[name], others.count == 1 { affected.formUnion(others) }
    }

    /// Returns the devices, beside the devices that were set, whose names may be told otherwise than at the last call.
    mutating func removeAffected() -> Set<UUID> {
        defer { affected = [] }
        return affected
    }

    /// Returns the name of a device, with what tells it from the others of that name: a longer name that it
    /// announces, or else its host.
    func name(of peer: Peer, longer: @autoclosure () -> String?) -> String {
        guard holders[peer.name, default: []].count > 1 else { return peer.name }
        if let longer = longer() { return longer }
        guard let label = peer.host?.split(separator: ".").first.map(String.init),
            label.lowercased() != peer.name.lowercased()
        else { return peer.name }
        // The end of an identifier is as distinct, and can be read.
        let host = DeviceName.of(label) == label ? label : String(label.suffix(6))
        return "\(peer.name) (\(host))"
    }
}
