// What the session's list holds, kept so that rows in any grouping and order are made quickly.
import FoundationEssentials
import PeerList

/// What the session's list holds: devices with their services, whatever the session groups by.
///
/// Texts are folded and places in the order are found when an item changes, so
/// that making the rows anew is a walk along what is there.
struct SeenList {
    /// What people call the types.
    let titles: TypeTitles

    /// The session's items, by their identifiers.
    private var items: [UUID: ListItem] = [:]
    /// Where the session lists services: those of each device.
    private var listings: [UUID: Set<UUID>] = [:]
    private(set) var devices: [UUID: SeenDevice] = [:]

    /// For each service the device whose it is. One that two devices claim, as a recording may say,
    /// is the first one's.
    private var owners: [UUID: UUID] = [:]
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

    /// An empty list.
    init(titles: TypeTitles = TypeTitles()) { self.titles = titles }
}

// MARK: Looking up

extension SeenList {
    /// An item as the session lists it.
    func item(_ id: UUID) -> ListItem? { items[id] }

    /// The device that a row is, is beneath, or that offers the row's service.
    func device(of row: RowID) -> SeenDevice? {
        switch row {
        case .device(let id), .service(_, of: let id): devices[id]
        case .listing(let service): owners[service].flatMap { devices[$0] }
        case .departed: nil
        }
    }

    /// The service that a row is.
    ///
    /// - Complexity: O(*n*), where *n* is the number of the device's services.
    func service(of row: RowID) -> SeenService? {
        guard let id = row.service else { return nil }
        return device(of: row)?.services.first { $0.service.id == id }
    }

    /// How many services the devices offer.
    var serviceCount: Int { owners.count }

    /// Whether a service is a row of this device when the list is grouped by type.
    func isOwner(_ device: UUID, of service: UUID) -> Bool { owners[service] == device }

    /// Gives the devices that have changed since this was last called; those that came are not among them.
    mutating func takeChanged() -> Set<UUID> {
        defer { changed = [] }
        return changed
    }
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
        let before = touched.compactMap { devices[$0] }
        for device in before { leave(device) }
        for id in touched { rebuild(id) }
        for device in before where devices[device.peer.id] != nil {
            changed.insert(device.peer.id)
        }
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
        for seen in device.services {
            let service = seen.service
            guard owners[service.id] == id else { continue }
            owners[service.id] = nil
            countTypes(service.type, -1)
            if !isStale, arrangement.grouping == .type { order.remove(service.id) }
        }
        if !isStale, arrangement.grouping == .device { order.remove(id) }
    }

    private mutating func rebuild(_ id: UUID) {
        let old = devices[id]
        let members = (listings[id] ?? []).compactMap { items[$0]?.listing }.sorted(by: precedes)
        if members.isEmpty { listings[id] = nil }
        if case .peer(let peer) = items[id] {
            devices[id] = SeenDevice(peer, replacing: old, titles: titles)
        } else {
            devices[id] = SeenDevice(of: id, members, replacing: old, titles: titles)
        }
        if let device = devices[id] { enter(device) }
    }

    private mutating func enter(_ device: SeenDevice) {
        for seen in device.services { claim(seen, by: device) }
        guard !isStale, arrangement.grouping == .device else { return }
        order.place(
            device.peer.id, inSection: device.section, by: arrangement.sort.key(of: device))
    }

    private mutating func claim(_ seen: SeenService, by device: SeenDevice) {
        let service = seen.service
        guard owners[service.id] == nil else {
            if owners[service.id] != device.peer.id { contested.insert(service.id) }
            return
        }
        owners[service.id] = device.peer.id
        countTypes(service.type, 1)
        guard !isStale, arrangement.grouping == .type else { return }
        order.place(
            service.id, inSection: service.type, by: arrangement.sort.key(of: seen, of: device))
    }

    /// Gives services that lost their device to another one that claims them.
    private mutating func settle() {
        for id in contested where owners[id] == nil {
            contested.remove(id)
            for device in devices.values {
                for seen in device.services where seen.service.id == id { claim(seen, by: device) }
            }
        }
    }

    private mutating func countTypes(_ type: String, _ step: Int) {
        let count = typeCounts[type, default: 0] + step
        typeCounts[type] = count == 0 ? nil : count
    }
}

// MARK: The order

extension SeenList {
    /// Brings the rows into an order, which is then kept while they come and go.
    ///
    /// - Complexity: O(1) where it is the order already, else O(*n* log *n*).
    mutating func arrange(by grouping: Grouping, _ sort: RowSort) {
        guard isStale || arrangement != (grouping, sort) else { return }
        arrangement = (grouping, sort)
        isStale = false
        switch grouping {
        case .device:
            order = ListOrder(
                devices.lazy.map { ($0.key, $0.value.section, sort.key(of: $0.value)) })
        case .type:
            let owners = owners
            order = ListOrder(
                devices.lazy.flatMap { id, device in
                    device.services.lazy.filter { owners[$0.service.id] == id }.map {
                        ($0.service.id, $0.service.type, sort.key(of: $0, of: device))
                    }
                })
        }
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
