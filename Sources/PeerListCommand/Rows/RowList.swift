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
    /// What a section of devices is made of: the devices, and what is shown beneath them.
    typealias Outline = DiffableDataSourceSectionSnapshot<RowID>

    /// The section of those that have left, behind all others.
    static let departedSection = " departed"

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
    /// The rows that are found themselves, rather than stand there for what is beneath them; in order.
    private(set) var matches: [RowID] = []

    let grouping: Grouping
    /// The devices that are unfolded though nobody unfolded them, because what is searched for is beneath.
    var openedBySearch: Set<UUID> = []
    private let expansion: RowChoices.Expansion
    private let titles: TypeTitles

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
        titles = seen.titles
        let filter = RowFilter(choices)
        isSearching = filter.isSearching
        counts.all = (seen.devices.count, seen.serviceCount)
        for (section, items) in seen.order.rows {
            let items = choices.isDescending ? items.reversed() : items
            let rows =
                switch grouping {
                case .device: deviceRows(items, seen, filter)
                case .type: listingRows(items, seen, filter)
                }
            append(rows, to: section)
        }
        if grouping == .type { countDevices(seen, filter) }
        if choices.showsDeparted {
            append(departedRows(departed, filter), to: Self.departedSection)
        }
        markChanged(&seen)
    }
}

// MARK: Filling

extension RowList {
    private mutating func append(_ rows: [RowID], to section: String) {
        guard !rows.isEmpty else { return }
        // A domain may be called anything.
        if snapshot.numberOfItems == 0 || snapshot.indexOfSection(section) == nil {
            snapshot.appendSections([section])
        }
        snapshot.appendItems(rows, toSection: section)
    }

    /// The devices of a section, each with what is shown beneath it.
    private mutating func deviceRows(
        _ items: [UUID], _ seen: SeenList, _ filter: RowFilter
    ) -> [RowID] {
        var filling = OutlineFilling()
        for id in items {
            guard let device = seen.devices[id] else { continue }
            let result = filter.apply(to: device)
            counts.servicesHiddenByType += device.services.count - result.allowedCount
            guard result.allowedCount > 0 || device.services.isEmpty else {
                counts.devicesHiddenByType += 1
                continue
            }
            guard result.isShown else {
                counts.hiddenBySearch += 1
                continue
            }
            counts.shown.devices += 1
            counts.shown.services += result.shownCount
            if isSearching, result.isFoundItself { matches.append(.device(id)) }
            if result.isOpened { openedBySearch.insert(id) }
            let isOpen = result.isOpened || expansion.contains(id)
            let beneath = isOpen ? device.services.filter(result.shows) : []
            let rows = beneath.map { RowID.service($0.service.id, of: id) }
            if result.isOpened { matches += rows }
            filling.append(.device(id), over: rows)
        }
        return filling.finish().visibleItems
    }

    private mutating func listingRows(
        _ items: [UUID], _ seen: SeenList, _ filter: RowFilter
    ) -> [RowID] {
        var rows: [RowID] = []
        rows.reserveCapacity(items.count)
        for id in items {
            let row = RowID.listing(id)
            guard let device = seen.device(of: row) else { continue }
            guard let service = device.service(id), filter.allows(service) else {
                counts.servicesHiddenByType += 1
                continue
            }
            guard filter.finds(service, of: device) else {
                counts.hiddenBySearch += 1
                continue
            }
            counts.shown.services += 1
            rows.append(row)
        }
        if isSearching { matches += rows }
        return rows
    }

    /// Counts the devices whose services stand under their types.
    private mutating func countDevices(_ seen: SeenList, _ filter: RowFilter) {
        for device in seen.devices.values {
            let result = filter.apply(to: device)
            if result.allowedCount == 0, !device.services.isEmpty {
                counts.devicesHiddenByType += 1
            } else if result.isShown {
                counts.shown.devices += 1
            }
        }
    }

    private mutating func departedRows(
        _ departed: [DepartedItem], _ filter: RowFilter
    ) -> [RowID] {
        var rows: [RowID] = []
        for item in departed where filter.finds(item) { rows.append(.departed(item.id)) }
        counts.departed = rows.count
        if isSearching { matches += rows }
        return rows
    }

    /// Marks the rows whose content has changed since rows were last made.
    private mutating func markChanged(_ seen: inout SeenList) {
        var changed: [RowID] = []
        for id in seen.takeChanged() {
            guard let device = seen.devices[id] else { continue }
            changed.append(.device(id))
            for service in device.services.map(\.service) {
                let isListing = grouping == .type && seen.isOwner(id, of: service.id)
                changed.append(
                    isListing ? .listing(service.id) : .service(service.id, of: id))
            }
        }
        let shown = changed.filter { snapshot.indexOfItem($0) != nil }
        snapshot.reconfigureItems(shown)
    }
}

// MARK: Looking up

extension RowList {
    /// Where a row stands in the outline; `nil` where the list is none.
    func outline(of row: RowID, _ seen: SeenList) -> ListCell.Outline? {
        switch row {
        case .device(let id):
            guard let device = seen.devices[id], !device.services.isEmpty else {
                return ListCell.Outline(level: 0)
            }
            let isOpen = openedBySearch.contains(id) || expansion.contains(id)
            return ListCell.Outline(level: 0, isOpen ? .expanded : .collapsed)
        case .service: return ListCell.Outline(level: 1)
        case .departed: return grouping == .device ? ListCell.Outline(level: 0) : nil
        case .listing: return nil
        }
    }

    /// What stands above a section; `nil` where it stands to reason.
    func header(of section: String) -> String? {
        if section == Self.departedSection { return "Departed" }
        switch grouping {
        case .type: return titles.header(of: section)
        case .device:
            let domains = snapshot.sectionIdentifiers.filter { $0 != Self.departedSection }
            return domains.count > 1 || section != "local" ? section : nil
        }
    }

    /// The row to select in place of one that may not be shown any more: itself, what shows the same in
    /// this grouping, or the device that it was beneath; `nil` where there is none of these.
    ///
    /// - Complexity: O(*s*), where *s* is the number of the device's services.
    func nearest(to row: RowID, _ seen: SeenList) -> RowID? {
        let device = row.device ?? seen.device(of: row)?.peer.id
        var candidates = [row]
        if let service = row.service {
            candidates.append(.listing(service))
            if let device { candidates.append(.service(service, of: device)) }
        }
        if let device {
            candidates.append(.device(device))
            candidates += (seen.devices[device]?.services ?? []).map { .listing($0.service.id) }
        }
        return candidates.first { snapshot.indexOfItem($0) != nil }
    }

    /// The next row that is found, or the previous one; behind the last comes the first.
    ///
    /// - Parameters:
    ///   - row: The row from which on is looked; without it, or where it is not shown, from the end.
    ///   - isBackwards: Whether the previous one is wanted.
    /// - Returns: The row; `nil` where nothing is searched for, or found.
    /// - Complexity: O(*m*), where *m* is the number of rows that are found.
    func match(after row: RowID?, backwards isBackwards: Bool = false) -> RowID? {
        guard let place = row.flatMap({ snapshot.indexOfItem($0) }) else {
            return isBackwards ? matches.last : matches.first
        }
        let places = matches.lazy.map { snapshot.indexOfItem($0) ?? 0 }
        if isBackwards {
            return places.lastIndex { $0 < place }.map { matches[$0] } ?? matches.last
        }
        return places.firstIndex { $0 > place }.map { matches[$0] } ?? matches.first
    }
}

extension SeenDevice {
    /// A service of the device.
    fileprivate func service(_ id: UUID) -> SeenService? {
        services.count == 1 ? services[0] : services.first { $0.service.id == id }
    }
}
