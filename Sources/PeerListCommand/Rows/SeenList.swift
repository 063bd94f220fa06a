// What the session's list holds, kept so that rows in any grouping and order are made quickly.
import FoundationEssentials
import PeerList

/// What the session's list holds: devices with their services, whatever the session groups by.
///
/// Texts are folded and places in the order are found when an item changes, so
/// that making the rows anew is a walk along what is there.
struct SeenList {
    /// The session's items, by their identifiers.
    private(set) var items: [UUID: ListItem] = [:]
    /// Where the session lists services: those of each device.
    private(set) var listings: [UUID: Set<UUID>] = [:]
    private(set) var devices: [UUID: SeenDevice] = [:]

    /// For each service the device whose it is. One that two devices claim, as a recording may say,
    /// is the first one's.
    private(set) var owners: [UUID: UUID] = [:]
    private var contested: Set<UUID> = []

    /// How many services there are of each type.
    private(set) var typeCounts: [String: Int] = [:]

    /// The rows in their order, which is that of `arrangement` unless it is stale.
    private(set) var order = ListOrder()
    private var arrangement = (grouping: Grouping.device, sort: RowSort.name)
    private var isStale = false

    /// The devices whose content has changed since that was last asked.
    private var changed: Set<UUID> = []

    /// With more items than this to be placed at once, the order is made anew.
    private static let manyItems = 64
}

// MARK: Following the session

extension SeenList {
    /// Follows a difference of the session's list.
    ///
    /// - Complexity: O(*k* · (*s* + log *n*)) for *k* items in it, of *s* services each, among *n*;
    ///   with many items O(*n* log *n*) once, when the order is asked for.
    mutating func take(_ update: PeerListUpdate) {
        let count = update.arrivals.count + update.departures.count + update.changes.count
        if count > Self.manyItems { isStale = true }
        var touched: Set<UUID> = []
        for id in update.departures.keys { put(nil, at: id, &touched) }
        for (id, item) in update.arrivals { put(item, at: id, &touched) }
        for (id, change) in update.changes { put(change.now, at: id, &touched) }
        // First all go, then all come: a service that changes hands is free by then.
        var coming: [SeenDevice] = []
        for id in touched {
            let old = devices[id]
            let new = device(id, replacing: old)
            if old != nil, new != nil { changed.insert(id) }
            devices[id] = new
            if let old, let new, old.peer.offersSame(as: new.peer) {
                place(new)
                continue
            }
            if let old { leave(old) }
            if let new { coming.append(new) }
        }
        for device in coming { enter(device) }
        settle()
    }

    private mutating func put(_ item: ListItem?, at id: UUID, _ touched: inout Set<UUID>) {
        if let old = items[id] {
            touched.insert(old.deviceID)
            if case .service = old { listings[old.deviceID]?.remove(id) }
        }
        items[id] = item
        guard let item else { return }
        touched.insert(item.deviceID)
        if case .service = item { listings[item.deviceID, default: []].insert(id) }
    }

    private mutating func leave(_ device: SeenDevice) {
        let id = device.peer.id
        for service in device.peer.services where owners[service.id] == id {
            owners[service.id] = nil
            countTypes(service.type, -1)
            if !isStale, arrangement.grouping == .type { order.remove(service.id) }
        }
        if !isStale, arrangement.grouping == .device { order.remove(id) }
    }

    /// A device as the session's items have it now; `nil` where it is there no more.
    private mutating func device(_ id: UUID, replacing old: SeenDevice?) -> SeenDevice? {
        if case .peer(let peer) = items[id] {
            return SeenDevice(peer, replacing: old)
        }
        let members = (listings[id] ?? []).compactMap { items[$0]?.listing }.sorted(by: precedes)
        if members.isEmpty { listings[id] = nil }
        return SeenDevice(of: id, members, replacing: old)
    }

    private mutating func enter(_ device: SeenDevice) {
        for service in device.peer.services { claim(service, by: device) }
        place(device)
    }

    private mutating func claim(_ service: Service, by device: SeenDevice) {
        if owners[service.id] == nil {
            owners[service.id] = device.peer.id
            countTypes(service.type, 1)
        } else if owners[service.id] != device.peer.id {
            contested.insert(service.id)
        }
    }

    /// Puts a device, or its services, where they stand now.
    private mutating func place(_ device: SeenDevice) {
        guard !isStale else { return }
        let (grouping, sort) = arrangement
        guard grouping == .type else {
            order.place(device.peer.id, inSection: device.section, by: sort.key(of: device))
            return
        }
        for seen in device.services where owners[seen.service.id] == device.peer.id {
            order.place(
                seen.service.id, inSection: seen.service.type, by: sort.key(of: seen, of: device))
        }
    }

    /// Gives services that lost their device to another one that claims them.
    private mutating func settle() {
        let free = contested.filter { owners[$0] == nil }
        guard !free.isEmpty else { return }
        contested.subtract(free)
        for device in devices.values where device.serviceIDs.contains(where: free.contains) {
            enter(device)
        }
    }

    private mutating func countTypes(_ type: String, _ step: Int) {
        let count = typeCounts[type, default: 0] + step
        typeCounts[type] = count == 0 ? nil : count
    }
}

// MARK: The order

extension SeenList {
    /// Gives the devices that have changed since this was last called; those that came are not among them.
    mutating func takeChanged() -> Set<UUID> {
        defer { changed = [] }
        return changed
    }

    /// Brings the rows into an order, which is then kept while they come and go.
    ///
    /// - Complexity: O(1) where it is the order already, else O(*n* log *n*).
    mutating func arrange(by grouping: Grouping, _ sort: RowSort) {
        guard isStale || arrangement != (grouping, sort) else { return }
        arrangement = (grouping, sort)
        isStale = false
        var rows: [(item: UUID, section: String, key: SortKey)] = []
        for (id, device) in devices {
            guard grouping == .type else {
                rows.append((id, device.section, sort.key(of: device)))
                continue
            }
            for seen in device.services where owners[seen.service.id] == id {
                let service = seen.service
                rows.append((service.id, service.type, sort.key(of: seen, of: device)))
            }
        }
        order = ListOrder(rows)
    }
}

extension SeenDevice {
    /// The section in which it stands: the domain of its first service.
    var section: String { peer.services.first?.domain ?? "local" }
}

extension ListItem {
    /// The device that it is or belongs to; a service whose device is not known stands for one itself.
    fileprivate var deviceID: UUID {
        switch self {
        case .peer(let peer): peer.id
        case .service(let listing): listing.peer.id ?? listing.id
        }
    }

    fileprivate var listing: ServiceListing? {
        if case .service(let listing) = self { return listing }
        return nil
    }
}

/// The order of a device's services: by type, then by name, then by identifier.
private func precedes(_ left: ServiceListing, _ right: ServiceListing) -> Bool {
    if left.service.type != right.service.type { return left.service.type < right.service.type }
    if left.service.name != right.service.name { return left.service.name < right.service.name }
    return left.id.uuidString < right.id.uuidString
}
