// Tells devices with the same name apart.
package import FoundationEssentials

/// The names of the listed devices, and the names that several devices share.
///
/// A change of one device takes constant time, whatever the number of devices with its name.
package struct DistinctNames: Sendable {
    private var names: [UUID: String] = [:]
    /// The device of each name that one device has.
    private var sole: [String: UUID] = [:]
    /// The devices of each name that several have.
    private var shared: [String: Set<UUID>] = [:]
    /// The devices whose name another device has begun or ceased to share.
    private var affected: Set<UUID> = []

    package init() {}

    /// Sets a device's own name, without additions; `nil` if the device is not listed.
    package mutating func set(_ name: String?, of id: UUID) {
        let former = names[id]
        guard name != former else { return }
        names[id] = name
        if let former { remove(id, from: former) }
        if let name { add(id, to: name) }
    }

    private mutating func remove(_ id: UUID, from name: String) {
        guard shared[name]?.remove(id) != nil else { return sole[name] = nil }
        guard let devices = shared[name], devices.count == 1, let last = devices.first else {
            return
        }
        shared[name] = nil
        sole[name] = last
        affected.insert(last)
    }

    private mutating func add(_ id: UUID, to name: String) {
        if let first = sole.removeValue(forKey: name) {
            shared[name] = [first, id]
            affected.insert(first)
        } else if shared[name]?.insert(id) == nil {
            sole[name] = id
        }
    }

    /// Returns the other devices whose distinct names may have changed since the last call.
    package mutating func removeAffected() -> Set<UUID> {
        defer { affected = [] }
        return affected
    }

    /// Whether several devices have a name.
    package func isShared(_ name: String) -> Bool { shared[name] != nil }

    /// Returns the name of a device; if other devices share it, a longer name that the device announces, or else the
    /// name followed by the host, or by the interface if hosts of that name are on several networks.
    package func name(of peer: Peer, longer: @autoclosure () -> String? = nil) -> String {
        guard isShared(peer.name) else { return peer.name }
        if let longer = longer() { return longer }
        let host = Self.host(of: peer).flatMap { peer.name.hasSuffix("(\($0))") ? nil : $0 }
        let places = [host, peer.identity.network.map(String.init)].compactMap(\.self)
        return places.isEmpty
            ? peer.name : "\(peer.name) (\(places.joined(separator: ", ")))"
    }

    /// Returns a name with the device's site in a fleet: `TV (lounge, office)` if the name ends with the host of the
    /// device, or else `TV (office)`.
    package static func name(_ name: String, of peer: Peer, at site: String) -> String {
        if let host = host(of: peer), name.hasSuffix("(\(host))") {
            return "\(name.dropLast()), \(site))"
        }
        return "\(name) (\(site))"
    }

    /// Returns the host of a device as it is added to a shared name; `nil` if it only repeats the name.
    private static func host(of peer: Peer) -> String? {
        guard let label = peer.host?.split(separator: ".").first.map(String.init),
            label.lowercased() != peer.name.lowercased()
        else { return nil }
        // The last characters of an identifier are as distinct, and short enough to read.
        return DeviceName.of(label) == label ? label : String(label.suffix(6))
    }
}
