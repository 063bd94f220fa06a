// What a snapshot holds, behind one reference: a snapshot is copied and compared at every event.

/// The sections, items and marks of a snapshot.
@usableFromInline
// @unchecked: it changes only while one snapshot alone holds it.
final class SnapshotStorage<Section, Item>: @unchecked Sendable
where Section: Hashable & Sendable, Item: Hashable & Sendable {
    @usableFromInline var sections: UniqueList<Section>
    /// The items, laid out; empty while `filling` holds them.
    @usableFromInline var settled: Layout<Item>
    /// The items as they were appended, as long as nothing else has been done to them.
    @usableFromInline var filling: Filling<Item>?
    /// The marks, if there have been any.
    @usableFromInline var marks: SnapshotMarks<Section, Item>?

    /// Nothing.
    @inlinable
    init() {
        sections = UniqueList()
        settled = Layout()
    }

    /// The same, to be changed apart.
    @inlinable
    init(copying other: SnapshotStorage) {
        sections = other.sections
        settled = other.settled
        filling = other.filling
        marks = other.marks
    }

    /// Sections with their items, and no marks.
    @inlinable
    init(sections: UniqueList<Section>, layout: Layout<Item>) {
        self.sections = sections
        settled = layout
    }

    /// The items, laid out.
    @inlinable
    var layout: Layout<Item> { filling?.layout ?? settled }
}

// MARK: Changes

extension SnapshotStorage {
    /// Sections with their numbers.
    @inlinable
    func sectionChanges(
        at numbers: [Int32]
    ) -> [SnapshotDifference<Section, Item>.SectionChange] {
        numbers.map { .init(section: sections.elements[Int($0)], index: Int($0)) }
    }

    /// Items with their places, by their places among all items.
    @inlinable
    func changes(at places: [Int32]) -> [SnapshotDifference<Section, Item>.ItemChange] {
        let layout = layout
        return places.map { place in
            let place = Int(place)
            let indexPath = layout.indexPath(at: place)
            return .init(
                item: layout.items.elements[place],
                position: .init(
                    section: sections.elements[indexPath.section], indexPath: indexPath))
        }
    }
}
