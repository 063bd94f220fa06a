// Tells devices of one name apart.
package import FoundationEssentials

/// The names of the listed devices, and which of them several devices have.
///
/// A change of one device takes constant time, whatever the number of devices with its name.
package struct DistinctNames {
    private var names: [UUID: String] = [:]
    private var holders: [String: Set<UUID>] = [:]
    /// The other devices that are not alone with their name any more, or are alone again.
    private var affected: Set<UUID> = []

    package init() {}

    /// Sets the name that a device has by itself; `nil` if it is not listed.
    package mutating func set(_ name: String?, of id: UUID) {
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
    package mutating func removeAffected() -> Set<UUID> {
        defer { affected = [] }
        return affected
    }

    /// Whether several devices have a name.
    package func isShared(_ name: String) -> Bool { holders[name, default: []].count > 1 }

    /// Returns the name of a device, with what tells it from the others of that name: a longer name that it
    /// announces, or else its host.
    package func name(of peer: Peer, longer: @autoclosure () -> String? = nil) -> String {
        guard isShared(peer.name) else { return peer.name }
        if let longer = longer() { return longer }
        guard let host = Self.host(of: peer), !peer.name.hasSuffix("(\(host))") else {
            return peer.name
        }
        return "\(peer.name) (\(host))"
    }

    /// Returns a name with the site of a fleet as well: `TV (lounge, office)` if it ends with the host of the
    /// device, or else `TV (office)`.
    package static func name(_ name: String, of peer: Peer, at site: String) -> String {
        if let host = host(of: peer), name.hasSuffix("(\(host))") {
            return "\(name.dropLast()), \(site))"
        }
        return "\(name) (\(site))"
    }

    /// Returns the host of a device as it tells apart devices of one name; `nil` if it says no more than the name.
    private static func host(of peer: Peer) -> String? {
        guard let label = peer.host?.split(separator: ".").first.map(String.init),
            label.lowercased() != peer.name.lowercased()
        else { return nil }
        // The end of an identifier is as distinct, and can be read.
        return DeviceName.of(label) == label ? label : String(label.suffix(6))
    }
}
