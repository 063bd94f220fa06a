// Writes the changes of a difference in an order in which they can be folded.
import DiffCore
import FoundationEssentials
import PeerList

extension PeerListUpdate {
    /// Whether items or sections are inserted, deleted or moved.
    var movesAnything: Bool {
        !difference.deletedItems.isEmpty || !difference.insertedItems.isEmpty
            || !difference.movedItems.isEmpty || !difference.deletedSections.isEmpty
            || !difference.insertedSections.isEmpty || !difference.movedSections.isEmpty
    }

    /// The changed items, in the order of the list after the difference.
    var changedItems: [PeerListDifference.ItemChange] {
        guard !changes.isEmpty else { return [] }
        return (difference.reconfiguredItems + difference.reloadedItems)
            .filter { changes[$0.item].map { $0.was != $0.now } ?? false }
            .sorted { $0.position.indexPath < $1.position.indexPath }
    }

    /// Writes all changes, including the ``changedItems``.
    ///
    /// Deletions precede insertions, deleted sections follow their items, inserted
    /// sections precede theirs, and insertions have the order of the list after: a
    /// reader that first removes everything that is deleted or moved can then
    /// insert each item as it reads it.
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
                // The line could not be undone; only an error in the store leads here.
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
        let insertions = difference.insertedSections.map { ($0.index, SectionChange.insertion($0)) }
        let moves = difference.movedSections.map { ($0.to, SectionChange.move($0)) }
        for (_, change) in (insertions + moves).sorted(by: { $0.0 < $1.0 }) {
            switch change {
            case .insertion(let change): array.object { $0.section("insert-section", change) }
            case .move(let move):
                array.object { members in
                    members.member("op", "move-section")
                    members.member("section", move.section)
                    members.member("from", move.from)
                    members.member("to", move.to)
                }
            }
        }
    }

    private func writePlacements(to array: inout JSONArrayWriter) {
        let insertions = difference.insertedItems.map {
            ($0.position.indexPath, ItemChange.insertion($0))
        }
        let moves = difference.movedItems.map { ($0.to.indexPath, ItemChange.move($0)) }
        for (_, change) in (insertions + moves).sorted(by: { $0.0 < $1.0 }) {
            switch change {
            case .move(let move): array.object { move.write(to: &$0) }
            case .insertion(let insertion):
                guard let item = arrivals[insertion.item] else {
                    // The line could not be folded; only an error in the store leads here.
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

private enum SectionChange {
    case insertion(PeerListDifference.SectionChange)
    case move(PeerListDifference.SectionMove)
}

private enum ItemChange {
    case insertion(PeerListDifference.ItemChange)
    case move(PeerListDifference.ItemMove)
}

extension JSONObjectWriter {
    /// Writes an inserted or deleted section.
    fileprivate mutating func section(_ op: String, _ change: PeerListDifference.SectionChange) {
        member("op", op)
        member("section", change.section)
        member("at", change.index)
    }
}

extension PeerListDifference.ItemChange {
    /// Writes the operation, the position and the item's identifier.
    fileprivate func write(_ op: String, to members: inout JSONObjectWriter) {
        members.member("op", op)
        position.write(to: &members)
        members.member("id", item)
    }
}

extension PeerListDifference.ItemMove {
    /// Writes the item's identifier and its two positions.
    fileprivate func write(to members: inout JSONObjectWriter) {
        members.member("op", "move")
        members.member("id", item)
        members.object("from") { from.write(to: &$0) }
        members.object("to") { to.write(to: &$0) }
    }
}

extension PeerListDifference.Position {
    /// Writes the section and the index in it.
    fileprivate func write(to members: inout JSONObjectWriter) {
        members.member("section", section)
        members.member("at", indexPath.item)
    }
}
