// The changes that a difference tells, spelled out with their identifiers.

// A difference keeps places, and spells the changes out when asked: a list that is replaced as a
// whole has many of them, and most are never looked at.
extension SnapshotDifference {
    /// The sections that went, in the order of the list before; O(*k*) for *k* of them.
    @inlinable
    public var deletedSections: [SectionChange] {
        changes.told?.deletedSections ?? changes.old.sectionChanges(at: changes.sections.deletes)
    }

    /// The sections that came, in the order of the list after; O(*k*) for *k* of them.
    @inlinable
    public var insertedSections: [SectionChange] {
        changes.told?.insertedSections ?? changes.new.sectionChanges(at: changes.sections.inserts)
    }

    /// The fewest sections that must move, in the order of the list after; O(*k*) for *k* of them.
    @inlinable
    public var movedSections: [SectionMove] {
        changes.told?.movedSections
            ?? changes.sections.moves.map { move in
                SectionMove(
                    section: changes.new.sections.elements[Int(move.to)], from: Int(move.from),
                    to: Int(move.to))
            }
    }

    /// The sections that the newer snapshot marks as reloaded, in its order.
    @inlinable
    public var reloadedSections: [SectionChange] {
        changes.told?.reloadedSections
            ?? changes.new.sectionChanges(at: changes.marks.reloadedSections)
    }

    /// The items that went, in the order of the list before; O(*k*) for *k* of them.
    @inlinable
    public var deletedItems: [ItemChange] {
        changes.told?.deletedItems ?? changes.old.changes(at: changes.items.deletes)
    }

    /// The items that came, in the order of the list after; O(*k*) for *k* of them.
    @inlinable
    public var insertedItems: [ItemChange] {
        changes.told?.insertedItems ?? changes.new.changes(at: changes.items.inserts)
    }

    /// The fewest items that must move, in the order of the list after; O(*k*) for *k* of them.
    @inlinable
    public var movedItems: [ItemMove] {
        changes.told?.movedItems
            ?? zip(
                changes.old.changes(at: changes.items.moves.map(\.from)),
                changes.new.changes(at: changes.items.moves.map(\.to))
            ).map { from, to in ItemMove(item: to.item, from: from.position, to: to.position) }
    }

    /// The items that the newer snapshot marks as reloaded, in its order and at their places in it.
    @inlinable
    public var reloadedItems: [ItemChange] {
        changes.told?.reloadedItems ?? changes.new.changes(at: changes.marks.reloadedItems)
    }

    /// The items that the newer snapshot marks as reconfigured, in its order and at their places
    /// in it.
    @inlinable
    public var reconfiguredItems: [ItemChange] {
        changes.told?.reconfiguredItems ?? changes.new.changes(at: changes.marks.reconfiguredItems)
    }

    /// Whether two differences tell of the same changes.
    public static func == (left: SnapshotDifference, right: SnapshotDifference) -> Bool {
        left.deletedSections == right.deletedSections
            && left.insertedSections == right.insertedSections
            && left.movedSections == right.movedSections
            && left.reloadedSections == right.reloadedSections
            && left.deletedItems == right.deletedItems
            && left.insertedItems == right.insertedItems
            && left.movedItems == right.movedItems
            && left.reloadedItems == right.reloadedItems
            && left.reconfiguredItems == right.reconfiguredItems
    }
}
