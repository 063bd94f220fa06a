// Merges what the observers of a fleet know into one list of devices.
package import FoundationEssentials
package import PeerList
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
    /// An observer, with the peers that it has published.
    private struct Observer {
        let name: ObserverName
        var status: ObserverStatus?
        var peers: [UUID: View] = [:]

        /// Whether what the observer has published is what is there.
        var isOnline: Bool { status?.state == .online }
    }

    /// A peer as an observer has published it. A class, because a peer is large for a table and to copy.
    private final class View: Sendable {
        /// The index of the observer.
        let observer: Int
        let peer: Peer
        /// The device that the peer is.
        let device: UUID

        init(observer: Int, peer: Peer, device: UUID) {
            (self.observer, self.peer, self.device) = (observer, peer, device)
        }
    }

    private var observers: [Observer] = []
    private var indices: [ObserverName: Int] = [:]
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

    /// Applies a change, and returns the devices that it may have changed.
    mutating func apply(_ change: FleetChange) -> Set<UUID> {
        switch change {
        case .status(let name, let status):
            let index = index(of: name)
            let was = (observers[index].isOnline, observers[index].status?.host)
            observers[index].status = status
            let isOnline = status.map { $0.state == .online }
            if online[name] != isOnline { online[name] = isOnline }
            if status == nil { release(index) }
            guard was != (observers[index].isOnline, status?.host) else { return [] }
            return Set(observers[index].peers.values.map(\.device))
        case .peer(let name, let id, let peer):
            let index = index(of: name)
            let was = observers[index].peers[id]
            let view = peer.map { peer in
                let device = Self.device(peer, site: name.site)
                let like = was ?? devices[device]?.first
                return View(
                    observer: index, peer: like.map { peer.sharing($0.peer) } ?? peer,
                    device: device)
            }
            observers[index].peers[id] = view
            if let was, was.device != view?.device { remove(was) }
            if let view { place(view) } else { release(index) }
            return Set([was?.device, view?.device].compactMap(\.self))
        }
    }

    private mutating func remove(_ view: View) {
        let position = position(of: view)
        devices[view.device]?.remove(at: position)
        if devices[view.device]?.isEmpty == true { devices[view.device] = nil }
    }

    /// Adds a view to its device, in place of the one of the same observer and peer.
    private mutating func place(_ view: View) {
        let position = position(of: view)
        if let other = devices[view.device]?.dropFirst(position).first,
            other.observer == view.observer, other.peer.id == view.peer.id
        {
            devices[view.device]?[position] = view
        } else {
            devices[view.device, default: []].insert(view, at: position)
        }
    }

    private func position(of view: View) -> Int {
        let name = observers[view.observer].name
        return devices[view.device]?.partitionIndex {
            (observers[$0.observer].name, $0.peer.id) >= (name, view.peer.id)
        } ?? 0
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
        let online = views.filter { observers[$0.observer].isOnline }
        let presence =
            online.isEmpty ? .unknown : Presence.combined(online.lazy.map(\.peer.presence))
        guard var merged = (online.first { $0.peer.presence == presence } ?? views.first)?.peer
        else { return nil }
        // Addresses and services of an observer that is away may be outdated.
        for view in online { merged.merge(view.peer) }
        (merged.id, merged.presence) = (id, presence)
        (merged.isSelf, merged.interfaces, merged.isNew) = (false, [], false)
        merged.firstSeen = views.lazy.map(\.peer.firstSeen).min() ?? merged.firstSeen
        merged.lastSeen = views.lazy.map(\.peer.lastSeen).max() ?? merged.lastSeen
        merged.views.reserveCapacity(views.count)
        for view in views {
            let (name, status) = (observers[view.observer].name, observers[view.observer].status)
            // A malicious observer can publish two peers that are one device.
            if merged.views.last?.name == name { continue }
            merged.views.append(
                PeerView(
                    name: name, host: status?.host ?? "",
                    presence: status?.state == .online ? view.peer.presence : .unknown,
                    since: view.peer.firstSeen, interfaces: view.peer.interfaces))
        }
        return merged
    }
}
