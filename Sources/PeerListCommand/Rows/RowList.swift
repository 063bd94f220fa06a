// The rows of the screen: a fresh snapshot, filled from what is seen by what is chosen.
import DiffCore
import FoundationEssentials
import PeerList
import TerminalList

/// The rows of the screen.
///
/// ```swift
/// let rows = RowList(&seen, choices, departed: history.departed)
/// source.apply(rows.snapshot)
/// ```
struct RowList {
    /// What the rows' snapshots are made of: sections by domain or service type, rows by identifier.
    typealias Snapshot = DiffableDataSourceSnapshot<String, RowID>

    /// The section of those that have left, behind all others; no domain or type is called so.
    private(set) var departedSection = " departed"

    /// How many there are.
    struct Counts: Equatable {
        /// The devices and services that are shown, those too that are beneath collapsed devices.
        var shown = (devices: 0, services: 0)
        /// The devices and services that are there.
        var all = (devices: 0, services: 0)
        /// The services that are switched off by their type.
        var servicesHiddenByType = 0
        /// The devices that are not shown because all of their services are switched off.
        var devicesHiddenByType = 0
        /// The devices, or by type the services, that are not shown because nothing in them is searched for.
        var hiddenBySearch = 0
        /// Those that have left and are shown.
        var departed = 0

        static func == (left: Counts, right: Counts) -> Bool {
            left.shown == right.shown && left.all == right.all
                && left.servicesHiddenByType == right.servicesHiddenByType
                && left.devicesHiddenByType == right.devicesHiddenByType
                && left.hiddenBySearch == right.hiddenBySearch && left.departed == right.departed
        }
    }

    /// The rows, with those marked as reconfigured whose content has changed.
    private(set) var snapshot = Snapshot()
    /// How many there are.
    private(set) var counts = Counts()
    /// Whether something is searched for.
    let isSearching: Bool
    /// The places of the rows that are found themselves, rather than stand there for what is beneath them.
    private(set) var matches: [Int] = []

    /// What the rows are.
    let grouping: Grouping
    private let expansion: RowChoices.Expansion
    private var rowCount = 0

    /// Makes the rows.
    ///
    /// - Parameters:
    ///   - seen: What is there; it is brought into the order that is chosen.
    ///   - choices: What of it is shown.
    ///   - departed: Those that have left, in the order in which they are shown.
    /// - Complexity: O(*n*), and with a search O(*b*) for *b* bytes that are searched; where the order
    ///   is another one than before, O(*n* log *n*).
    init(_ seen: inout SeenList, _ choices: RowChoices, departed: [DepartedItem] = []) {
        seen.arrange(by: choices.grouping, choices.sort)
        grouping = choices.grouping
        expansion = choices.expansion
        var filter = RowFilter(choices)
        isSearching = filter.isSearching
        counts.all = (seen.devices.count, seen.serviceCount)
        let found = grouping == .type ? siftDevices(seen, &filter) : []
        for (section, items) in sections(seen.order.rows, choices) {
            let items = choices.isDescending ? items.reversed() : items
            let rows =
                switch grouping {
                case .device: deviceRows(items, seen, &filter)
                case .type: listingRows(items, section, filter, found)
                }
            append(rows, to: section)
        }
        // A domain may be called anything.
        while snapshot.indexOfSection(departedSection) != nil { departedSection += " " }
        if choices.showsDeparted {
            append(departedRows(departed, filter), to: departedSection)
        }
        markChanged(&seen)
    }
}

// MARK: Filling

extension RowList {
    /// The sections in the order in which they are shown: service types by their titles.
    private func sections(
        _ rows: [(section: String, items: [UUID])], _ choices: RowChoices
    ) -> [(section: String, items: [UUID])] {
        guard grouping == .type else { return rows }
        let sorted = rows.map { row in
            let title =
                KnownServiceType.of(row.section)?.title ?? String(row.section.drop { $0 == "_" })
            return (title: title.lowercased(), row: row)
        }.sorted { ($0.title, $0.row.section) < ($1.title, $1.row.section) }.map(\.row)
        let isReversed = choices.isDescending && [.name, .type].contains(choices.sort)
        return isReversed ? sorted.reversed() : sorted
    }

    private mutating func append(_ rows: [RowID], to section: String) {
        guard !rows.isEmpty else { return }
        snapshot.appendSections([section])
        snapshot.appendItems(rows, toSection: section)
        rowCount += rows.count
    }

    /// The devices of a section, each with what is shown beneath it.
    ///
    /// They are appended as they stand: a section snapshot, which could unfold any of them at any
    /// time, takes ten times as long to make as the rows that are shown.
    private mutating func deviceRows(
        _ items: [UUID], _ seen: SeenList, _ filter: inout RowFilter
    ) -> [RowID] {
        var rows: [RowID] = []
        rows.reserveCapacity(items.count)
        for id in items {
            guard let device = seen.devices[id] else { continue }
            let result = filter.apply(to: device)
            guard count(result, of: device) else { continue }
            if result.isFoundItself { matches.append(rowCount + rows.count) }
            rows.append(.device(id))
            if result.isOpened {
                let start = rowCount + rows.count
                for place in filter.found {
                    rows.append(.service(device.serviceIDs[place], of: id))
                }
                matches += start..<rowCount + rows.count
            } else if expansion.contains(id) {
                let hasHidden = result.allowedCount < device.serviceIDs.count
                for (place, service) in device.serviceIDs.enumerated()
                where !hasHidden || filter.allows(device.services[place]) {
                    rows.append(.service(service, of: id))
                }
            }
        }
        return rows
    }

    /// Counts a device and its services; false where it is not shown.
    private mutating func count(_ result: RowFilter.Result, of device: SeenDevice) -> Bool {
        let count = device.serviceIDs.count
        counts.servicesHiddenByType += count - result.allowedCount
        if result.allowedCount == 0, count > 0 {
            counts.devicesHiddenByType += 1
            return false
        }
        guard result.isShown else {
            counts.hiddenBySearch += 1
            return false
        }
        counts.shown.devices += 1
        counts.shown.services += result.shownCount
        return true
    }

    /// The services of a type.
    private mutating func listingRows(
        _ items: [UUID], _ type: String, _ filter: RowFilter, _ found: Set<UUID>
    ) -> [RowID] {
        guard filter.allows(type: type) else {
            counts.servicesHiddenByType += items.count
            return []
        }
        var rows: [RowID] = []
        rows.reserveCapacity(items.count)
        for id in items where !isSearching || found.contains(id) { rows.append(.listing(id)) }
        counts.hiddenBySearch += items.count - rows.count
        counts.shown.services += rows.count
        if isSearching { matches += rowCount..<rowCount + rows.count }
        return rows
    }

    /// Counts the devices whose services stand under their types, and gives the services that are found,
    /// by what they are themselves or by their device.
    private mutating func siftDevices(_ seen: SeenList, _ filter: inout RowFilter) -> Set<UUID> {
        var found: Set<UUID> = []
        for device in seen.devices.values {
            let result = filter.apply(to: device)
            if result.allowedCount == 0, !device.serviceIDs.isEmpty {
                counts.devicesHiddenByType += 1
            } else if result.isShown {
                counts.shown.devices += 1
            }
            guard isSearching else { continue }
            if result.isFoundItself {
                found.formUnion(device.serviceIDs)
            } else {
                for place in filter.found { found.insert(device.serviceIDs[place]) }
            }
        }
        return found
    }

    private mutating func departedRows(
        _ departed: [DepartedItem], _ filter: RowFilter
    ) -> [RowID] {
        var rows: [RowID] = []
        for item in departed where filter.finds(item) { rows.append(.departed(item.id)) }
        counts.departed = rows.count
        if isSearching { matches += rowCount..<rowCount + rows.count }
        return rows
    }

    /// Marks the rows whose content has changed since rows were last made.
    private mutating func markChanged(_ seen: inout SeenList) {
        var changed: [RowID] = []
        for id in seen.takeChanged() {
            guard let device = seen.devices[id] else { continue }
            changed.append(.device(id))
            for service in device.serviceIDs {
                let isListing = grouping == .type && seen.isOwner(id, of: service)
                changed.append(isListing ? .listing(service) : .service(service, of: id))
            }
        }
        guard !changed.isEmpty else { return }
        snapshot.reconfigureItems(changed.filter { snapshot.indexOfItem($0) != nil })
    }
}
