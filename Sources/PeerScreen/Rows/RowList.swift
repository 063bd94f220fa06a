// Makes the rows of the screen: a new snapshot of the index, filtered and ordered by the user's choices.
import DiffCore
import FoundationEssentials
import PeerModel
import PeerText
import TerminalList

struct RowList {
    /// A snapshot of the rows: sections by domain or service type.
    typealias Snapshot = DiffableDataSourceSnapshot<String, RowID>

    /// The section of departed rows, after all others; not the name of any domain or type.
    private(set) var departedSection = " departed"

    struct Counts: Equatable {
        struct Amount: Equatable {
            var devices = 0
            var services = 0
        }

        /// The shown services, also of collapsed devices, and by device the shown devices.
        var shown = Amount()
        var all = Amount()
        var servicesHiddenByType = 0
        /// The devices, or by type the services, that do not match the search.
        var hiddenBySearch = 0
        /// The devices that are seen only by observers that are switched off.
        var hiddenByObserver = 0
        var departed = 0
        /// The devices that do not answer.
        var silent = 0
        /// The observers of a fleet.
        var observers = 0
        var awayObservers = 0
        var hiddenObservers = 0
    }

    private(set) var snapshot = Snapshot()
    private(set) var counts = Counts()
    /// Whether services are shown below their devices.
    private(set) var showsChildren = false
    let needle: SearchNeedle
    /// The indices of the rows that match the search themselves, without parents of matching rows.
    private(set) var matches: [Int] = []
    let grouping: Grouping
    private let expansion: RowChoices.Expansion
    private var rowCount = 0

    /// Makes the rows; the index is arranged in the chosen order.
    ///
    /// - Complexity: O(*n*), plus O(*b*) for each searched word and *b* bytes of searched text;
    ///   O(*n* log *n*) if the order has changed or the best match comes first.
    init(_ index: inout DeviceIndex, _ choices: RowChoices, departed: [DepartedItem] = []) {
        self.init(&index, choices, departed, RowFilter(choices))
        guard isSearching, matches.isEmpty, choices.matching != .exact else { return }
        self.init(&index, choices, departed, RowFilter(choices, isLoose: true))
    }

    private init(
        _ index: inout DeviceIndex, _ choices: RowChoices, _ departed: [DepartedItem],
        _ filter: RowFilter
    ) {
        index.arrange(by: choices.grouping, choices.order)
        grouping = choices.grouping
        expansion = choices.expansion
        needle = filter.needle
        counts.all = Counts.Amount(
            devices: index.devices.count,
            services: grouping == .type ? index.serviceCount : index.offeredCount)
        counts.silent = index.silentCount
        counts.observers = index.observers.names.count
        counts.awayObservers = index.observers.awayCount
        counts.hiddenObservers = index.observers.names.count(
            where: choices.hiddenObservers.contains)
        let ranks = isSearching && choices.matching != .inOrder
        let matching = grouping == .type && isSearching ? matchingServices(index, filter) : [:]
        // Then no device need be looked up, which takes most of the time.
        let isWhole = grouping == .device && !choices.hidesSome && expansion.isEmpty
        if isWhole {
            counts.shown = Counts.Amount(
                devices: index.devices.count, services: index.offeredCount)
        }
        for (section, items) in sections(index.order.rows, choices) {
            var items = choices.isDescending ? items.reversed() : items
            if ranks {
                let scores =
                    grouping == .type
                    ? matching
                    : items.reduce(into: [:]) { scores, id in
                        scores[id] = index.devices[id].flatMap(filter.search)?.score
                    }
                // The sort is stable.
                items.sort { scores[$0] ?? 0 > scores[$1] ?? 0 }
            }
            let rows =
                switch grouping {
                case .device where isWhole: items.map(RowID.device)
                case .device: deviceRows(items, index, filter)
                case .type: serviceRows(items, section, filter, matching)
                }
            append(rows, to: section)
        }
        // A domain can have any name.
        while snapshot.indexOfSection(departedSection) != nil { departedSection += " " }
        if !departed.isEmpty {
            append(departedRows(departed, filter), to: departedSection)
        }
    }
}

// MARK: Filling

extension RowList {
    /// Returns the sections in the order of the screen: service types by title.
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

    /// Returns the rows of devices, each followed by its shown services.
    ///
    /// A section snapshot, which also has the rows of collapsed devices, takes more than twenty times as long.
    private mutating func deviceRows(
        _ items: [UUID], _ index: DeviceIndex, _ filter: RowFilter
    ) -> [RowID] {
        var rows: [RowID] = []
        rows.reserveCapacity(items.count)
        for id in items {
            guard let device = index.devices[id] else { continue }
            let found = filter.search(device)
            guard count(device, found, filter) else { continue }
            let services = found?.services ?? []
            if found != nil, services.isEmpty { matches.append(rowCount + rows.count) }
            rows.append(.device(id))
            for service in services {
                matches.append(rowCount + rows.count)
                rows.append(.service(device.peer.services[service].id, of: id))
            }
            guard services.isEmpty, expansion.contains(id) else {
                if !services.isEmpty { showsChildren = true }
                continue
            }
            showsChildren = true
            for (index, service) in device.serviceIDs.enumerated()
            where filter.allows(serviceAt: index, of: device) {
                rows.append(.service(service, of: id))
            }
        }
        return rows
    }

    private mutating func count(
        _ device: IndexedDevice, _ found: SearchMatch?, _ filter: RowFilter
    ) -> Bool {
        guard filter.allowsViews(of: device.peer) else {
            counts.hiddenByObserver += 1
            return false
        }
        let count = device.peer.services.count
        let allowedCount = (0..<count).count { filter.allows(serviceAt: $0, of: device) }
        counts.servicesHiddenByType += count - allowedCount
        if allowedCount == 0, count > 0 { return false }
        if isSearching, found == nil {
            counts.hiddenBySearch += 1
            return false
        }
        counts.shown.devices += 1
        let foundCount = found?.services.count ?? 0
        counts.shown.services += foundCount == 0 ? allowedCount : foundCount
        return true
    }

    private mutating func serviceRows(
        _ items: [UUID], _ type: String, _ filter: RowFilter, _ matching: [UUID: Int]
    ) -> [RowID] {
        guard filter.allows(type: type) else {
            counts.servicesHiddenByType += items.count
            return []
        }
        var rows: [RowID] = []
        rows.reserveCapacity(items.count)
        for id in items where !isSearching || matching[id] != nil { rows.append(.listing(id)) }
        counts.hiddenBySearch += items.count - rows.count
        counts.shown.services += rows.count
        if isSearching { matches += rowCount..<rowCount + rows.count }
        return rows
    }

    /// Returns the services that match the search themselves or by their device, with their scores.
    private func matchingServices(_ index: DeviceIndex, _ filter: RowFilter) -> [UUID: Int] {
        index.devices.values.reduce(into: [:]) { matching, device in
            guard let found = filter.search(device) else { return }
            let services = device.peer.services
            let ids =
                found.services.isEmpty
                ? services.map(\.id) : found.services.map { services[$0].id }
            for id in ids { matching[id] = max(matching[id] ?? 0, found.score) }
        }
    }

    private mutating func departedRows(_ departed: [DepartedItem], _ filter: RowFilter) -> [RowID] {
        var rows: [RowID] = []
        for item in departed where filter.includes(item) { rows.append(.departed(item.id)) }
        counts.departed = rows.count
        if isSearching { matches += rowCount..<rowCount + rows.count }
        return rows
    }
}

// MARK: Look-ups

extension RowList {
    /// Returns the level and the disclosure state of a row; `nil` if the list is not an outline.
    func outline(of row: RowID, _ index: DeviceIndex) -> ListCell.Outline? {
        guard grouping == .device else { return nil }
        if case .service = row { return ListCell.Outline(level: 1) }
        guard case .device(let id) = row, index.devices[id]?.peer.services.isEmpty == false,
            let position = snapshot.indexOfItem(row)
        else { return ListCell.Outline(level: 0) }
        let isExpanded =
            position + 1 < snapshot.numberOfItems
            && snapshot.itemIdentifiers[position + 1].parent == row
        return ListCell.Outline(level: 0, isExpanded ? .expanded : .collapsed)
    }

    /// Returns the header of a section; `nil` if it would be redundant.
    func header(of section: String) -> String? {
        if section == departedSection { return "Departed" }
        switch grouping {
        case .type:
            return KnownServiceType.of(section).map { "\($0.title)  \(section)" } ?? section
        case .device:
            let domains = snapshot.sectionIdentifiers.filter { $0 != departedSection }
            return domains.count > 1 || section != "local" ? section : nil
        }
    }

    /// Returns the row to select for a row that may be gone: the row itself, a row with the same content in
    /// this grouping, or its device; `nil` if none of these is shown.
    func nearest(to row: RowID, _ index: DeviceIndex) -> RowID? {
        let device = row.device ?? index.device(of: row)?.peer.id
        var candidates = [row]
        if let service = row.service {
            candidates.append(.listing(service))
            if let device { candidates.append(.service(service, of: device)) }
        }
        if let device {
            candidates.append(.device(device))
            candidates += (index.devices[device]?.serviceIDs ?? []).map(RowID.listing)
        }
        return candidates.first { snapshot.indexOfItem($0) != nil }
    }

    var isSearching: Bool { !needle.isEmpty }

    /// Whether a row itself matches the search.
    func isMatch(_ row: RowID) -> Bool { snapshot.indexOfItem(row).map(matches.contains) ?? false }

    /// The first row that matches the search.
    var firstMatch: RowID? { matches.first.map { snapshot.itemIdentifiers[$0] } }
}

/// A filter by search text and hidden types.
struct RowFilter {
    let needle: SearchNeedle
    private let hiddenTypes: HiddenTypes
    private let hiddenObservers: Set<ObserverName>

    init(_ choices: RowChoices, isLoose: Bool = false) {
        hiddenObservers = choices.hiddenObservers
        needle = SearchNeedle(choices.search, isLoose: isLoose)
        hiddenTypes = choices.hiddenTypes
    }

    /// Returns what matches of a device; `nil` for nothing, or without a search.
    func search(_ device: IndexedDevice) -> SearchMatch? {
        guard !needle.isEmpty else { return nil }
        return SearchMatch(needle, in: device.searchText) { allows(serviceAt: $0, of: device) }
    }

    /// Whether an observer that is shown sees a device, or no observer is switched off.
    func allowsViews(of peer: Peer) -> Bool {
        hiddenObservers.isEmpty || !peer.views(without: hiddenObservers).isEmpty
    }

    func allows(type: String) -> Bool { !hiddenTypes.contains(type) }

    func allows(serviceAt index: Int, of device: IndexedDevice) -> Bool {
        hiddenTypes.isEmpty || allows(type: device.peer.services[index].type)
    }

    func includes(_ departed: DepartedItem) -> Bool {
        let services = departed.item.peer.services
        return (services.isEmpty || services.contains { allows(type: $0.type) })
            && SearchMatch(needle, in: departed.searchText) { _ in true } != nil
    }
}
