// Merges what the observers of a fleet know into one list of devices.
package import FoundationEssentials
package import PeerList
package import PeerRecording

/// A change of what an observer has published.
package enum FleetChange: Sendable {
    /// The status of an observer; `nil` if it was cleared.
    case status(ObserverName, ObserverStatus?)
    /// A peer of an observer; `nil` if it is gone.
    case peer(ObserverName, UUID, Peer?)
}

/// The devices of a fleet: each has a view for every observer that has published it.
///
/// Any order of the same changes makes the same devices, as long as the last change of each status
/// and each peer is the same.
struct FleetMerge {
    /// An observer, with the peers that it has published.
    private struct Observer {
        let name: ObserverName
        var status: ObserverStatus?
        var peers: [UUID: Peer] = [:]

        /// Whether what the observer has published is what is there.
        var isOnline: Bool { status?.state == .online }
    }

    /// A peer that an observer has published.
    private struct View: Hashable {
        /// The index of the observer.
        let observer: Int
        let peer: UUID
    }

    private var observers: [Observer] = []
    private var indices: [ObserverName: Int] = [:]
    /// The indices of observers that have published nothing any more.
    private var unused: [Int] = []
    /// The views of each device, by the names of their observers.
    private var devices: [UUID: [View]] = [:]

    /// The statuses of the observers, by their names.
    var statuses: [(name: ObserverName, status: ObserverStatus)] {
        observers.compactMap { observer in observer.status.map { (observer.name, $0) } }
            .sorted { $0.0 < $1.0 }
    }

    /// Applies a change, and returns the devices that it may have changed.
    mutating func apply(_ change: FleetChange) -> Set<UUID> {
        switch change {
        case .status(let name, let status):
            let index = index(of: name)
            let was = observers[index]
            observers[index].status = status
            if status == nil { release(index) }
            guard was.isOnline != observers[index].isOnline || was.status?.host != status?.host
            else { return [] }
            return Set(was.peers.values.map { Self.device($0, site: name.site) })
        case .peer(let name, let id, let peer):
            let view = View(observer: index(of: name), peer: id)
            var touched: Set<UUID> = []
            if let was = observers[view.observer].peers[id] {
                let device = Self.device(was, site: name.site)
                touched.insert(device)
                if peer.map({ Self.device($0, site: name.site) }) != device {
                    devices[device]?.removeAll { $0 == view }
                    if devices[device]?.isEmpty == true { devices[device] = nil }
                }
            }
            observers[view.observer].peers[id] = peer
            if peer == nil { release(view.observer) }
            if let peer {
                let device = Self.device(peer, site: name.site)
                touched.insert(device)
                add(view, to: device)
            }
            return touched
        }
    }

    private mutating func add(_ view: View, to device: UUID) {
        let views = devices[device] ?? []
        let name = observers[view.observer].name
        let place = views.partitionIndex {
            (observers[$0.observer].name, $0.peer) >= (name, view.peer)
        }
        if !views.indices.contains(place) || views[place] != view {
            devices[device, default: []].insert(view, at: place)
        }
    }

    private mutating func index(of name: ObserverName) -> Int {
        if let index = indices[name] { return index }
        let index = unused.popLast() ?? observers.count
        if index == observers.count { observers.append(Observer(name: name)) }
        observers[index] = Observer(name: name)
        indices[name] = index
        return index
    }

    /// Allows another observer to take the index of one that has published nothing.
    private mutating func release(_ index: Int) {
        guard observers[index].status == nil, observers[index].peers.isEmpty else { return }
        indices[observers[index].name] = nil
        unused.append(index)
    }

    /// Returns the identifier of the device that a peer of a site is.
    ///
    /// A host name identifies a device only within its site, so that those of other sites than the standard
    /// one get the identifier of `SITE/HOST`.
    private static func device(_ peer: Peer, site: String) -> UUID {
        switch peer.identity.source {
        case .announced, .txt, .name: return peer.id
        case .hostName, .service:
            guard site != FleetTopics.standardSite else { return peer.id }
            return Identity.uuid(forName: "\(site)/\(peer.identity.value)")
        }
    }

    // MARK: Rows

    /// Returns a device as all its observers see it; `nil` if none does.
    ///
    /// Its presence is the best one among observers that are online. The first view of this presence gives
    /// its name and its host, the others add addresses, services and what the first one lacks.
    ///
    /// - Complexity: O(*v*), where *v* is the number of its views.
    func peer(_ id: UUID) -> Peer? {
        guard let views = devices[id] else { return nil }
        let seen = views.compactMap { view -> (peer: Peer, observer: Observer)? in
            let observer = observers[view.observer]
            return observer.peers[view.peer].map { ($0, observer) }
        }
        let online = seen.filter(\.observer.isOnline)
        let presence = online.isEmpty ? .unknown : Presence.combined(online.map(\.peer.presence))
        guard var merged = (online.first { $0.peer.presence == presence } ?? seen.first)?.peer
        else { return nil }
        // Addresses and services of an observer that is away may be outdated.
        for (peer, _) in online { merged.add(peer) }
        merged.id = id
        merged.presence = presence
        (merged.isSelf, merged.interfaces, merged.isNew) = (false, [], false)
        for (peer, _) in seen {
            merged.firstSeen = min(merged.firstSeen, peer.firstSeen)
            merged.lastSeen = max(merged.lastSeen, peer.lastSeen)
        }
        merged.views = seen.map { peer, observer in
            PeerView(
                name: observer.name, host: observer.status?.host ?? "",
                presence: observer.isOnline ? peer.presence : .unknown, since: peer.firstSeen,
                interfaces: peer.interfaces)
        }
        // A malicious observer can publish two peers that are one device.
        if merged.views.count > 1 { merged.views = merged.views.removingRepeatedNames() }
        return merged
    }
}

extension Peer {
    /// The maximum number of addresses of a merged peer.
    private static let addressLimit = 64

    /// Adds what another observer knows of the peer, unless this one knows it.
    fileprivate mutating func add(_ other: Peer) {
        // The scope of a link-local address is an interface of the observer.
        for address in other.addresses
        where addresses.count < Self.addressLimit && !address.utf8.contains(UInt8(ascii: "%"))
            && !addresses.contains(address)
        {
            addresses.append(address)
        }
        if !hasSameServices(as: other) {
            // The spelling of a name can differ.
            let known = Set(services.map(\.id))
            for service in other.services where !known.contains(service.id) {
                services.insert(service, at: services.sortedIndex(of: service))
            }
        }
        label = label ?? other.label
        kind = kind ?? other.kind
        model = model ?? other.model
        maker = maker ?? other.maker
        deviceInfo = deviceInfo ?? other.deviceInfo
        if macs != other.macs { macs = Set(macs + other.macs).sorted() }
    }
}

extension [PeerView] {
    fileprivate func removingRepeatedNames() -> [PeerView] {
        indices.filter { $0 == 0 || self[$0].name != self[$0 - 1].name }.map { self[$0] }
    }
}
