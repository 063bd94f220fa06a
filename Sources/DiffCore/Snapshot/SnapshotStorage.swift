// What a snapshot holds, behind one reference: a snapshot is copied and compared at every event.
public import Synchronization

/// The sections, items and marks of a snapshot.
///
/// The items are appended to a filling first, and laid out when somebody asks for a place, when the
/// snapshot is compared with another (which costs next to nothing where most is as it was), or at
/// the latest when the snapshot goes out of use.
///
/// - Note: `@safe` because `kept` is always a `LaidOut<Item>`, with a retain that `deinit` gives
///   back.
@safe
@usableFromInline
final class SnapshotStorage<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    // What varies changes only while one snapshot alone holds it, in one place at a time: this need
    // not be checked at every access, which would take as long as the access.
    /// The sections.
    @safe @exclusivity(unchecked) @usableFromInline var sections: UniqueList<Section>
    /// The items as they were appended, as long as nothing else has been done to them.
    @safe @exclusivity(unchecked) @usableFromInline var filling: Filling<Item>
    /// The marks, if there have been any.
    @safe @exclusivity(unchecked) @usableFromInline var marks: SnapshotMarks<Section, Item>?
    /// The layout. Not typed: finding its type in `deinit`, which is not compiled for the item,
    /// would take longer than all else that `deinit` does.
    @usableFromInline let kept: Atomic<Unmanaged<AnyObject>?>

    /// Nothing.
    @inlinable
    init() {
        sections = UniqueList()
        filling = Filling()
        unsafe kept = Atomic(nil)
    }

    /// The same, to be changed apart.
    @inlinable
    init(copying other: SnapshotStorage) {
        sections = other.sections
        filling = other.filling
        marks = other.marks
        unsafe kept = Atomic(other.kept.load(ordering: .acquiring).map { unsafe $0.retain() })
    }

    /// Sections with their items, and no marks.
    @inlinable
    init(sections: UniqueList<Section>, layout: Layout<Item>) {
        self.sections = sections
        filling = Filling()
        unsafe kept = Atomic(Unmanaged.passRetained(LaidOut(layout)))
    }

    @inlinable
    deinit {
        if let layout = unsafe kept.load(ordering: .acquiring) {
            unsafe layout.release()
        } else if !filling.isEmpty {
            // The mistake must not go unseen only because nobody looked.
            _ = filling.lay(sectionCount: sections.count)
        }
    }
}

// @unchecked: what varies changes only while one snapshot alone holds it, and what is laid out by
// whoever asks first is atomic.
extension SnapshotStorage: @unchecked Sendable {}

// MARK: Layout

extension SnapshotStorage {
    /// Whether nobody has asked for the layout yet.
    @inlinable
    var isFilling: Bool { unsafe kept.load(ordering: .relaxed) == nil }

    /// The items, laid out; made at the first call.
    @inlinable
    var laidOut: LaidOut<Item> {
        if let kept = unsafe kept.load(ordering: .acquiring) {
            return unsafe unsafeDowncast(kept.takeUnretainedValue(), to: LaidOut<Item>.self)
        }
        return keep(filling.lay(sectionCount: sections.count))
    }

    /// Keeps a layout, unless another has been kept, and returns the one that is kept.
    @inlinable
    @discardableResult
    func keep(_ layout: consuming Layout<Item>) -> LaidOut<Item> {
        let laidOut = LaidOut(layout)
        let retained = unsafe Unmanaged<AnyObject>.passRetained(laidOut)
        let (isFirst, first) = unsafe kept.compareExchange(
            expected: nil, desired: retained, ordering: .acquiringAndReleasing)
        guard !isFirst, let first = unsafe first else { return laidOut }
        unsafe retained.release()
        return unsafe unsafeDowncast(first.takeUnretainedValue(), to: LaidOut<Item>.self)
    }

    /// Gives the layout away, to be changed and kept again.
    ///
    /// - Precondition: One snapshot alone holds this.
    @inlinable
    func takeLayout() -> Layout<Item> {
        let layout = laidOut.layout
        filling = Filling()
        if let held = unsafe kept.exchange(nil, ordering: .acquiringAndReleasing) {
            unsafe held.release()
        }
        return layout
    }
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
        guard !places.isEmpty else { return [] }
        let layout = laidOut.layout
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
