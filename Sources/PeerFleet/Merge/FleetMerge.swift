// Merges what the observers of a fleet know into one list of devices.
package import FoundationEssentials
package import PeerModel
package import PeerRecording

/// A change of what an observer has published; indirect, as many wait to be applied and are copied.
package indirect enum FleetChange: Sendable {
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
    /// The name of an observer at a broker. An observer that bridged brokers both have is there twice.
    private struct Key: Hashable {
        let name: ObserverName
        let broker: Int
    }

    /// An observer, with the peers that it has published.
    private struct Observer {
        let key: Key
        var name: ObserverName { key.name }
        var status: ObserverStatus?
        /// The device of each of its peers.
        var peers: [UUID: UUID] = [:]

        /// Whether the observer's peers are up to date.
        var isOnline: Bool { status?.state == .online }
    }

    /// A peer as an observer has published it.
    private struct View {
        /// The index of the observer.
        let observer: Int
        /// The identifier of the peer.
        let id: UUID
        let presence: Presence
        let interfaces: [String]
        let vouching: StoredVouching
        /// A row with the other properties of the peer. If the device has one view, it is the row in the list, so
        /// that both share their memory.
        var item: ListItem
    }

    private var observers: [Observer] = []
    private var indices: [Key: Int] = [:]
    private var brokerCount = 1
    /// The indices of observers that have published nothing any more.
    private var unused: [Int] = []
    /// The views of each device, by the names of their observers.
    private var devices: [UUID: [View]] = [:]

    /// The observers that have a status, and whether they are online.
    private(set) var online: [ObserverName: Bool] = [:]

    /// The statuses of the observers, by their names.
    var statuses: [(name: ObserverName, status: ObserverStatus)] {
        observers.compactMap { observer in observer.status.map { (observer.name, $0) } }
            .sorted { $0.0 < $1.0 }
    }

    func peerCount(of name: ObserverName) -> Int { all(name).map(\.peers.count).max() ?? 0 }

    /// Returns an observer as each broker has it.
    private func all(_ name: ObserverName) -> [Observer] {
        (0..<brokerCount).compactMap { indices[Key(name: name, broker: $0)].map { observers[$0] } }
    }

    /// Applies a change that a broker has sent, and returns the devices that it may have changed.
    mutating func apply(_ change: FleetChange, from broker: Int) -> Set<UUID> {
        brokerCount = max(brokerCount, broker + 1)
        switch change {
        case .status(let name, let status):
            let index = index(of: Key(name: name, broker: broker))
            let was = (observers[index].isOnline, observers[index].status?.host)
            observers[index].status = status
            let states = all(name).compactMap(\.status?.state)
            let isOnline = states.isEmpty ? nil : states.contains(.online)
            if online[name] != isOnline { online[name] = isOnline }
            if status == nil { release(index) }
            guard was != (observers[index].isOnline, status?.host) else { return [] }
            return Set(observers[index].peers.values)
        case .peer(let name, let id, let peer):
            let index = index(of: Key(name: name, broker: broker))
            let was = observers[index].peers[id]
            let device = peer.map { Self.device($0, site: name.site) }
            let former = was.flatMap { remove(id, of: index, from: $0) }
            observers[index].peers[id] = device
            if let peer, let device {
                let like = former ?? devices[device]?.first
                place(view(of: peer, id, by: index, like: like), in: device)
            } else {
                release(index)
            }
            return Set([was, device].compactMap(\.self))
        }
    }

    /// Returns the view of a peer; it shares the memory of equal parts with another view.
    private func view(
        of peer: Peer, _ id: UUID, by observer: Int, like other: View?
    ) -> View {
        let own = observers[observer].status?.interfaces ?? []
        var item = ListItem.peer(peer)
        if let host = peer.host, peer.identity.value.utf8.elementsEqual(host.utf8) {
            item.peer.identity.value = host
        }
        return View(
            observer: observer, id: id, presence: peer.presence,
            interfaces: peer.interfaces == own ? own : peer.interfaces, vouching: peer.vouching,
            item: other.map { item.sharing($0.item) } ?? item)
    }

    /// Removes and returns the view of a peer of an observer.
    private mutating func remove(_ id: UUID, of observer: Int, from device: UUID) -> View? {
        let position = position(of: id, of: observer, in: device)
        let view = devices[device]?.remove(at: position)
        if devices[device]?.isEmpty == true { devices[device] = nil }
        return view
    }

    private mutating func place(_ view: View, in device: UUID) {
        let position = position(of: view.id, of: view.observer, in: device)
        devices[device, default: []].insert(view, at: position)
    }

    private func position(of id: UUID, of observer: Int, in device: UUID) -> Int {
        let key = observers[observer].key
        return devices[device]?.partitionIndex {
            let other = observers[$0.observer].key
            return (other.name, $0.id, other.broker) >= (key.name, id, key.broker)
        } ?? 0
    }

    private mutating func index(of key: Key) -> Int {
        if let index = indices[key] { return index }
        let index = unused.popLast() ?? observers.count
        if index == observers.count { observers.append(Observer(key: key)) }
        observers[index] = Observer(key: key)
        indices[key] = index
        return index
    }

    /// Frees the index of an observer that has published nothing.
    private mutating func release(_ index: Int) {
        guard observers[index].status == nil, observers[index].peers.isEmpty else { return }
        indices[observers[index].key] = nil
        unused.append(index)
    }

    /// Returns the identifier of the device that a peer of a site is.
    ///
    /// A host name identifies a device only within its site, so a device outside the standard site
    /// gets the identifier of `SITE/HOST`.
    private static func device(_ peer: Peer, site: String) -> UUID {
        switch peer.identity.source {
        case .announced, .txt, .name: return peer.id
        case .hostName, .service:
            guard site != FleetTopics.standardSite else { return peer.id }
            return Identity.uuid(forName: "\(site)/\(peer.identity.value)")
        }
    }

    // MARK: Rows

    /// Returns the row of a device as all its observers see it; `nil` if none does.
    ///
    /// Its presence is the best one among observers that are online. The first view of this presence gives
    /// its name and its host, the others add addresses, services and what the first one lacks.
    ///
    /// - Complexity: O(*v*), where *v* is the number of its views.
    mutating func item(_ id: UUID) -> ListItem? {
        guard let views = devices[id] else { return nil }
        let online = views.filter { observers[$0.observer].isOnline }
        let presence = online.isEmpty ? .unknown : Presence.combined(online.lazy.map(\.presence))
        guard var merged = (online.first { $0.presence == presence } ?? views.first)?.item
        else { return nil }
        // Addresses and services of an observer that is away may be outdated.
        if views.count > 1 { for view in online { merged.merge(view.item) } }
        (merged.peer.id, merged.peer.presence) = (id, presence)
        (merged.peer.isSelf, merged.peer.interfaces, merged.peer.isNew) = (false, [], false)
        merged.peer.firstSeen = views.lazy.map(\.item.peer.firstSeen).min() ?? merged.peer.firstSeen
        merged.peer.lastSeen = views.lazy.map(\.item.peer.lastSeen).max() ?? merged.peer.lastSeen
        merged.peer.views = merging(views)
        if views.count == 1 { devices[id]?[0].item = merged }
        return merged
    }

    /// Returns what each observer knows of a device.
    private func merging(_ views: [View]) -> [PeerView] {
        var list: [PeerView] = []
        list.reserveCapacity(views.count)
        for view in views {
            let (name, status) = (observers[view.observer].name, observers[view.observer].status)
            // Bridged brokers both have an observer, and a malicious one can publish two peers that are one device.
            if list.last?.name == name {
                guard list.last?.presence == .unknown, status?.state == .online else { continue }
                list.removeLast()
            }
            list.append(
                PeerView(
                    name: name, host: status?.host ?? "",
                    presence: status?.state == .online ? view.presence : .unknown,
                    since: view.item.peer.firstSeen, interfaces: view.interfaces,
                    vouching: view.vouching))
        }
        return list
    }
}
