// The changes of one difference in the lines, in the order in which they can be folded.
import DiffCore
import FoundationEssentials
import PeerList

extension PeerListUpdate {
    /// Whether items or sections come, go or move.
    var movesAnything: Bool {
        !difference.deletedItems.isEmpty || !difference.insertedItems.isEmpty
            || !difference.movedItems.isEmpty || !difference.deletedSections.isEmpty
            || !difference.insertedSections.isEmpty || !difference.movedSections.isEmpty
    }

    /// The items that stayed and differ, at their places in the list after.
    var changedItems: [PeerListDifference.ItemChange] {
        guard !changes.isEmpty else { return [] }
        return (difference.reconfiguredItems + difference.reloadedItems)
            .filter { changes[$0.item].map { $0.was != $0.now } ?? false }
            .sorted { $0.position.indexPath < $1.position.indexPath }
    }

    /// Writes all changes, the ``changedItems`` among them.
    ///
    /// What goes stands before what comes, sections that go behind their items,
    /// sections that come before theirs, and what comes in the order of the list
    /// after: a reader that first takes out all that is deleted or moved, and then
    /// puts in as it reads, is right at every step.
    func writeChanges(
        _ changedItems: [PeerListDifference.ItemChange], to array: inout JSONArrayWriter
    ) {
        writeDeletions(to: &array)
        writeSections(to: &array)
        writePlacements(to: &array)
        for change in changedItems {
            guard let states = changes[change.item] else { continue }
            array.object { members in
                change.write("update", to: &members)
                states.now.writeChange(from: states.was, to: &members)
            }
        }
    }

    private func writeDeletions(to array: inout JSONArrayWriter) {
        for deletion in difference.deletedItems {
            guard let departure = departures[deletion.item] else {
                // A line without it could not be undone: the store has made a mistake.
                preconditionFailure("the update lacks the deleted item \(deletion.item)")
            }
            array.object { members in
                deletion.write("delete", to: &members)
                departure.item.writeWhole(to: &members)
                members.member("reason", departure.reason.rawValue)
            }
        }
        for deletion in difference.deletedSections {
            array.object { $0.section("delete-section", deletion) }
        }
    }

    private func writeSections(to array: inout JSONArrayWriter) {
        let insertions = difference.insertedSections.map(SectionPlacement.insertion)
        let moves = difference.movedSections.map(SectionPlacement.move)
        for placement in (insertions + moves).sorted(by: { $0.index < $1.index }) {
            array.object { placement.write(to: &$0) }
        }
    }

    private func writePlacements(to array: inout JSONArrayWriter) {
        let insertions = difference.insertedItems.map(ItemPlacement.insertion)
        let moves = difference.movedItems.map(ItemPlacement.move)
        for placement in (insertions + moves).sorted(by: { $0.place < $1.place }) {
            switch placement {
            case .move(let move): array.object { move.write(to: &$0) }
            case .insertion(let insertion):
                guard let item = arrivals[insertion.item] else {
                    // A line without it could not be folded: the store has made a mistake.
                    preconditionFailure("the update lacks the inserted item \(insertion.item)")
                }
                array.object { members in
                    insertion.write("insert", to: &members)
                    item.writeWhole(to: &members)
                }
            }
        }
    }
}

/// A section that is put in its place in the list after.
private enum SectionPlacement {
    case insertion(PeerListDifference.SectionChange)
    case move(PeerListDifference.SectionMove)

    var index: Int {
        switch self {
        case .insertion(let change): change.index
        case .move(let move): move.to
        }
    }

    func write(to members: inout JSONObjectWriter) {
        switch self {
        case .insertion(let change): members.section("insert-section", change)
        case .move(let move):
            members.member("op", "move-section")
            members.member("section", move.section)
            members.member("from", move.from)
            members.member("to", move.to)
        }
    }
}

/// An item that is put in its place in the list after.
private enum ItemPlacement {
    case insertion(PeerListDifference.ItemChange)
    case move(PeerListDifference.ItemMove)

    var place: DiffCore.IndexPath {
        switch self {
        case .insertion(let change): change.position.indexPath
        case .move(let move): move.to.indexPath
        }
    }
}

extension JSONObjectWriter {
    /// Writes a section that came or went.
    fileprivate mutating func section(_ op: String, _ change: PeerListDifference.SectionChange) {
        member("op", op)
        member("section", change.section)
        member("at", change.index)
    }
}

extension PeerListDifference.ItemChange {
    /// Writes the operation, the place and the item's identifier.
    fileprivate func write(_ op: String, to members: inout JSONObjectWriter) {
        members.member("op", op)
        position.write(to: &members)
        members.member("id", item)
    }
}

extension PeerListDifference.ItemMove {
    /// Writes the item's identifier and its two places.
    fileprivate func write(to members: inout JSONObjectWriter) {
        members.member("op", "move")
        members.member("id", item)
        members.object("from") { from.write(to: &$0) }
        members.object("to") { to.write(to: &$0) }
    }
}

extension PeerListDifference.Position {
    /// Writes the section and the place in it.
    fileprivate func write(to members: inout JSONObjectWriter) {
        members.member("section", section)
        members.member("at", indexPath.item)
    }
}
