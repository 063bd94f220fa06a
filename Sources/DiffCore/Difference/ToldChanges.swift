// The changes of a difference that was not found but told: decoded, from who knows whom.

/// Changes spelled out, without the lists that they lie between.
@usableFromInline
final class ToldChanges<Section: Hashable & Sendable, Item: Hashable & Sendable>: Sendable {
    @usableFromInline typealias Difference = SnapshotDifference<Section, Item>

    @usableFromInline let deletedSections: [Difference.SectionChange]
    @usableFromInline let insertedSections: [Difference.SectionChange]
    @usableFromInline let movedSections: [Difference.SectionMove]
    @usableFromInline let reloadedSections: [Difference.SectionChange]
    @usableFromInline let deletedItems: [Difference.ItemChange]
    @usableFromInline let insertedItems: [Difference.ItemChange]
    @usableFromInline let movedItems: [Difference.ItemMove]
    @usableFromInline let reloadedItems: [Difference.ItemChange]
    @usableFromInline let reconfiguredItems: [Difference.ItemChange]

    /// Changes that have been looked through, each kind in the order of its property.
    init(
        deletedSections: [Difference.SectionChange], insertedSections: [Difference.SectionChange],
        movedSections: [Difference.SectionMove], reloadedSections: [Difference.SectionChange],
        deletedItems: [Difference.ItemChange], insertedItems: [Difference.ItemChange],
        movedItems: [Difference.ItemMove], reloadedItems: [Difference.ItemChange],
        reconfiguredItems: [Difference.ItemChange]
    ) {
        self.deletedSections = deletedSections
        self.insertedSections = insertedSections
        self.movedSections = movedSections
        self.reloadedSections = reloadedSections
        self.deletedItems = deletedItems
        self.insertedItems = insertedItems
        self.movedItems = movedItems
        self.reloadedItems = reloadedItems
        self.reconfiguredItems = reconfiguredItems
    }

    /// Whether there are none.
    @usableFromInline
    var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty
            && reloadedSections.isEmpty && deletedItems.isEmpty && insertedItems.isEmpty
            && movedItems.isEmpty && reloadedItems.isEmpty && reconfiguredItems.isEmpty
    }

    /// The changes that lead back.
    var inverse: ToldChanges {
        let sectionMoves = movedSections.map { move in
            Difference.SectionMove(section: move.section, from: move.to, to: move.from)
        }
        let itemMoves = movedItems.map { move in
            Difference.ItemMove(item: move.item, from: move.to, to: move.from)
        }
        return ToldChanges(
            deletedSections: insertedSections, insertedSections: deletedSections,
            movedSections: sectionMoves.sorted { $0.to < $1.to }, reloadedSections: [],
            deletedItems: insertedItems, insertedItems: deletedItems,
            movedItems: itemMoves.sorted { $0.to.indexPath < $1.to.indexPath },
            reloadedItems: [], reconfiguredItems: [])
    }
}
