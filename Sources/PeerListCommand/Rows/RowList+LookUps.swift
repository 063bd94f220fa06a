// What a row is to the rows around it: its place in the outline, what to select in its place, the next match.
import DiffCore
import FoundationEssentials
import PeerList
import TerminalList

extension RowList {
    /// Where a row stands in the outline; `nil` where the list is none.
    func outline(of row: RowID, _ seen: SeenList) -> ListCell.Outline? {
        guard grouping == .device else { return nil }
        switch row {
        case .service: return ListCell.Outline(level: 1)
        case .listing, .departed: return ListCell.Outline(level: 0)
        case .device(let id):
            guard seen.devices[id]?.serviceIDs.isEmpty == false else {
                return ListCell.Outline(level: 0)
            }
            return ListCell.Outline(level: 0, isUnfolded(row) ? .expanded : .collapsed)
        }
    }

    /// Whether something is shown beneath a row.
    func isUnfolded(_ row: RowID) -> Bool {
        guard let place = snapshot.indexOfItem(row), place + 1 < snapshot.numberOfItems else {
            return false
        }
        return snapshot.itemIdentifiers[place + 1].parent == row
    }

    /// What stands above a section; `nil` where it stands to reason.
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

    /// Whether a row is one that is searched for, and not only shown with one.
    ///
    /// - Complexity: O(*m*), where *m* is the number of rows that are found.
    func isMatch(_ row: RowID) -> Bool { snapshot.indexOfItem(row).map(matches.contains) ?? false }

    /// The next row that is found, or the previous one; behind the last comes the first.
    ///
    /// - Parameters:
    ///   - row: The row from which on is looked; without it, or where it is not shown, from the end.
    ///   - isBackwards: Whether the previous one is wanted.
    /// - Returns: The row; `nil` where nothing is searched for, or found.
    /// - Complexity: O(*m*), where *m* is the number of rows that are found.
    func match(after row: RowID?, backwards isBackwards: Bool = false) -> RowID? {
        let items = snapshot.itemIdentifiers
        let place = row.flatMap { snapshot.indexOfItem($0) }
        let next =
            isBackwards
            ? matches.last { $0 < place ?? .max } ?? matches.last
            : matches.first { $0 > place ?? -1 } ?? matches.first
        return next.map { items[$0] }
    }
}
