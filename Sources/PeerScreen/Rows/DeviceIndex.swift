// Indexes the session's list by device, service and order, so that rows can be made quickly.
import FoundationEssentials
import PeerModel
import PeerText
import TerminalList

/// A state of a device, with its searchable text; a changed device is another instance.
final class IndexedDevice: Equatable {
    /// The row of the device, with each service once.
    let item: ListItem
    /// The rows of the services, in a recording that is grouped by type.
    private let serviceRows: [ListItem]?
    /// The identity of the states of the device that look the same in the list; `nil` if this is the only one.
    private var appearance: Appearance?

    private final class Appearance {}

    /// The searched text, which is made for the first search.
    private(set) lazy var searchText = SearchText(item)

    /// Creates a device from its rows, one row of a peer or the rows of its services, and from its
    /// former state, if any; returns `nil` without rows.
    init?(_ rows: [ListItem], after former: IndexedDevice? = nil) {
        guard var item = rows.first else { return nil }
        if item.isService {
            var peer = item.peer
            let rows = rows.sorted { $0.peer.services[0].precedes($1.peer.services[0]) }
            peer.services = rows.map { $0.peer.services[0] }
            peer.presence = .combined(rows.map(\.peer.presence))
            peer.firstSeen = rows.map(\.peer.firstSeen).min() ?? peer.firstSeen
            peer.lastSeen = rows.map(\.peer.lastSeen).max() ?? peer.lastSeen
            if let host = peer.host {
                // The rows of services state the kind of the device at most.
                let kind = peer.kind
                DeviceDescription(peer.services, host: host).describe(&peer)
                peer.kind = kind ?? peer.kind
            }
            serviceRows = rows
            item = .peer(peer)
        } else {
            // Recordings can contain duplicates, but a row is shown once.
            var ids: Set<UUID> = []
            let count = item.peer.services.count
            if count > 1, Set(item.peer.services.map(\.id)).count < count {
                item.peer.services.removeAll { !ids.insert($0.id).inserted }
            }
            serviceRows = nil
        }
        self.item = item
        let peer = item.peer
        let isAlike = former.map { $0.hasOtherDetails(than: peer) && $0.looks(like: peer) } ?? false
        if isAlike, let former {
            appearance = former.appearance ?? Appearance()
            former.appearance = appearance
        }
    }

    var peer: Peer { _read { yield item.peer } }

    var isSilent: Bool { peer.presence.isSilent }

    /// The identifiers of its services, in the order of the peer.
    var serviceIDs: [UUID] { peer.services.map(\.id) }

    /// Whether a later state of the peer differs in what its details alone may show.
    private func hasOtherDetails(than peer: Peer) -> Bool {
        self.peer.macs != peer.macs || self.peer.vouchedBy != peer.vouchedBy
            || self.peer.isHeard != peer.isHeard
    }

    /// Whether a later state of the peer differs only in what no row shows.
    private func looks(like peer: Peer) -> Bool {
        guard self.peer.vouchedBy?.mark == peer.vouchedBy?.mark else { return false }
        var later = peer
        (later.macs, later.lastSeen) = (self.peer.macs, self.peer.lastSeen)
        later.vouchedBy = self.peer.vouchedBy
        later.isHeard = self.peer.isHeard
        return later == self.peer
    }

    /// Whether both look the same in the list, so that the rows of a device are not marked as changed.
    static func == (left: IndexedDevice, right: IndexedDevice) -> Bool {
        left === right || left.appearance != nil && left.appearance === right.appearance
    }

    /// The items of the session's list that make up the device.
    var items: [ListItem] { serviceRows ?? [item] }
    var itemIDs: [UUID] { serviceRows == nil ? [peer.id] : serviceIDs }

    func serviceRow(at index: Int) -> ListItem {
        serviceRows?[index] ?? .service(peer.services[index], of: peer)
    }
}

/// The session's list, indexed by device and service, whatever the session is grouped by; it keeps the
/// order of the rows when an item changes.
struct DeviceIndex {
    private(set) var devices: [UUID: IndexedDevice] = [:]
    /// The devices of the items that are services; other items are devices themselves.
    private var devicesOfItems: [UUID: UUID] = [:]
    var observers = Observers()
    /// The domain that was browsed for the list, in which alone host names stand for its devices.
    var domain = BrowsedDomain()

    /// The number of the services of all devices; a service of two devices is counted twice.
    private(set) var offeredCount = 0
    /// The number of devices that do not answer.
    private(set) var silentCount = 0

    /// The device of each service. A service that two devices of a recording have is the first one's.
    private var owners: [UUID: UUID] = [:]
    /// The services that more than one device has had.
    private var contested: Set<UUID> = []

    /// The former states of the devices that have changed since ``removeChangedRows()``.
    private var former: [UUID: IndexedDevice?] = [:]

    /// The rows in the order of `arrangement`.
    private(set) var order = ListOrder()
    private var arrangement = (grouping: Grouping.device, sort: RowSort.name)
    /// The places of the rows in ``order``.
    private var places: [UUID: (section: String, key: SortKey)] = [:]

    private typealias Place = ListOrder.Place
    /// Changes of the order in an update, which are made at its end.
    private typealias Edits = (removed: [UUID], placed: [UUID: Place])

    /// Changes of items in an update.
    private struct ItemEdits {
        /// The devices of the changed items, before and after.
        var devices: Set<UUID> = []
        /// The items whose former state is no part of a device any more.
        var removed: Set<UUID> = []
        /// The new states, by device.
        var placed: [UUID: [ListItem]] = [:]
    }
}

// MARK: Look-ups

extension DeviceIndex {
    /// Returns the device of a row: the row itself, its parent, or the device of its service.
    func device(of row: RowID) -> IndexedDevice? {
        switch row {
        case .device(let id), .service(_, of: let id): devices[id]
        case .listing(let service): owners[service].flatMap { devices[$0] }
        case .departed: nil
        }
    }

    /// Returns the device or the service of a row, as a row of its own.
    func item(of row: RowID) -> ListItem? {
        guard let device = device(of: row) else { return nil }
        guard let service = row.service else { return device.item }
        return device.serviceIDs.firstIndex(of: service).map(device.serviceRow)
    }

    /// The identifiers of the session's items.
    var itemIDs: some Sequence<UUID> { devices.values.lazy.flatMap(\.itemIDs) }

    /// Returns an item of the session's list.
    ///
    /// - Complexity: O(*s*) for a device of *s* services.
    func item(_ id: UUID) -> ListItem? {
        devices[devicesOfItems[id] ?? id]?.items.first { $0.id == id }
    }

    /// Returns the identifiers of the session's items that make up a row.
    func itemIDs(of row: RowID) -> [UUID] {
        if case .departed(let id) = row { return [id] }
        if let service = row.service, devicesOfItems[service] != nil { return [service] }
        return device(of: row)?.itemIDs ?? []
    }

    var serviceCount: Int { owners.count }

    var typeCounts: [String: Int] {
        devices.values.reduce(into: [:]) { counts, device in
            for service in device.peer.services where isOwner(device.peer.id, of: service.id) {
                counts[service.type, default: 0] += 1
            }
        }
    }

    /// Makes the searchable texts of all devices, which the first search would otherwise wait for.
    func prepareSearch() { for device in devices.values { _ = device.searchText } }

    /// Returns the checklist of service types by title, including types that were switched and no service has.
    func typeEntries(hidden: HiddenTypes) -> [Choices.Entry] {
        typeCounts.merging(hidden.named.map { ($0, 0) }) { count, _ in count }.map { type, count in
            Choices.Entry(
                type, KnownServiceType.of(type)?.title ?? type, detail: "\(type)  \(count)",
                isOn: !hidden.contains(type))
        }.sorted { ($0.label, $0.id) < ($1.label, $1.id) }
    }

    /// Whether a service is a row of this device in a list that is grouped by type.
    func isOwner(_ device: UUID, of service: UUID) -> Bool { owners[service] == device }
}

// MARK: Updates

extension DeviceIndex {
    /// Applies changes of the session's list.
    ///
    /// - Complexity: O(*k* · (*s* + log *n*)) for *k* items of *s* services each, among *n*.
    mutating func apply(_ changes: ItemChanges) {
        var edits: Edits = ([], [:])
        var items = ItemEdits()
        for id in changes.departures.keys { remove(id, &items) }
        for (id, item) in changes.arrivals { set(item, id, &items) }
        for (id, change) in changes.changes { set(change.now, id, &items) }
        // All devices are removed before any is inserted, so that a service can change its device.
        var inserted: [IndexedDevice] = []
        for id in items.devices {
            let old = devices[id]
            let kept = (old?.items ?? []).filter { !items.removed.contains($0.id) }
            let new = IndexedDevice(kept + (items.placed[id] ?? []), after: old)
            devices[id] = new
            observers.replace(old?.peer.views ?? [], by: new?.peer.views ?? [])
            if former[id] == nil { former[id] = .some(old) }
            silentCount += (new?.isSilent == true ? 1 : 0) - (old?.isSilent == true ? 1 : 0)
            offeredCount += (new?.peer.services.count ?? 0) - (old?.peer.services.count ?? 0)
            if let old, let new, old.peer.hasSameServices(as: new.peer) {
                place(new, &edits)
                continue
            }
            if let old { remove(old, &edits) }
            if let new { inserted.append(new) }
        }
        for device in inserted { insert(device, &edits) }
        reassignServices(&edits)
        var (removed, placed): ([Place], [Place]) = ([], [])
        for id in edits.removed {
            guard let was = places.removeValue(forKey: id) else { continue }
            removed.append((id, was.section, was.key))
        }
        for (id, row) in edits.placed {
            if let was = places.updateValue((row.section, row.key), forKey: id) {
                if was == (row.section, row.key) { continue }
                removed.append((id, was.section, was.key))
            }
            placed.append(row)
        }
        order.update(removing: removed, placing: placed)
    }

    /// The devices that came, went or changed since the last ``removeChangedRows()``.
    var changedDevices: some Sequence<UUID> { former.keys }

    /// Returns the rows of all devices that look different from how they looked at the last call.
    mutating func removeChangedRows() -> [RowID] {
        defer { former = [:] }
        return former.flatMap { id, was -> [RowID] in
            let now = devices[id]
            guard let was, was != now else { return [] }
            let services = Set(was.serviceIDs + (now?.serviceIDs ?? []))
            return [.device(id)] + services.flatMap { [.service($0, of: id), .listing($0)] }
        }
    }

    private mutating func remove(_ id: UUID, _ edits: inout ItemEdits) {
        edits.devices.insert(devicesOfItems.removeValue(forKey: id) ?? id)
        edits.removed.insert(id)
    }

    private mutating func set(_ item: ListItem, _ id: UUID, _ edits: inout ItemEdits) {
        remove(id, &edits)
        if item.isService { devicesOfItems[id] = item.peer.id }
        edits.devices.insert(item.peer.id)
        edits.placed[item.peer.id, default: []].append(item)
    }

    private mutating func remove(_ device: IndexedDevice, _ edits: inout Edits) {
        let id = device.peer.id
        for service in device.peer.services where owners[service.id] == id {
            owners[service.id] = nil
            if arrangement.grouping == .type { edits.removed.append(service.id) }
        }
        if arrangement.grouping == .device { edits.removed.append(id) }
    }

    private mutating func insert(_ device: IndexedDevice, _ edits: inout Edits) {
        for service in device.peer.services {
            let owner = owners[service.id] ?? device.peer.id
            owners[service.id] = owner
            if owner != device.peer.id { contested.insert(service.id) }
        }
        place(device, &edits)
    }

    private func place(_ device: IndexedDevice, _ edits: inout Edits) {
        for row in rows(of: device) { edits.placed[row.item] = row }
    }

    /// Assigns contested services that have lost their device to another device with them.
    private mutating func reassignServices(_ edits: inout Edits) {
        let free = contested.filter { owners[$0] == nil }
        guard !free.isEmpty else { return }
        contested.subtract(free)
        for device in devices.values where device.serviceIDs.contains(where: free.contains) {
            insert(device, &edits)
        }
    }
}

// MARK: Order

extension DeviceIndex {
    /// Sets the order of the rows, which is then maintained while they come and go.
    ///
    /// - Complexity: O(1) if the order is unchanged, else O(*n* log *n*).
    mutating func arrange(by grouping: Grouping, _ sort: RowSort) {
        guard arrangement != (grouping, sort) else { return }
        arrangement = (grouping, sort)
        let rows = devices.values.flatMap(rows)
        places = Dictionary(rows.map { ($0.item, ($0.section, $0.key)) }) { first, _ in first }
        order = ListOrder(rows)
    }

    /// Returns the positions of a device, or of its services, in the arrangement.
    private func rows(of device: IndexedDevice) -> [Place] {
        let items: [ListItem] =
            switch arrangement.grouping {
            case .device: [device.item]
            case .type:
                device.serviceIDs.indices.map(device.serviceRow)
                    .filter { isOwner(device.peer.id, of: $0.id) }
            }
        return items.map { ($0.id, $0.section, arrangement.sort.key(of: $0)) }
    }
}
