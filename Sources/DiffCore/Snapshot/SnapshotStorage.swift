// Shares the content of a snapshot among its copies, and indexes appended items on demand.
public import Synchronization

/// Indexed items that several snapshots can share.
@usableFromInline
final class ItemIndex<Item: Hashable & Sendable>: Sendable {
    @usableFromInline let items: SectionedItems<Item>

    @inlinable
    init(_ items: consuming SectionedItems<Item>) { self.items = items }
}

/// The sections, items and marks of a snapshot.
///
/// Appended items are pending until their positions are needed or the snapshot is compared with
/// another one. A snapshot that is used from several tasks may be indexed by any of them; the first
/// index is kept.
///
/// - Note: `@safe` because `reference` is always an `ItemIndex<Item>`, retained until `deinit`.
@safe
@usableFromInline
final class SnapshotStorage<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    @usableFromInline var sections: UniqueArray<Section>
    /// The appended items; outdated once there is an index.
    @usableFromInline var pending = PendingItems<Item>()
    /// The marks, or `nil` if nothing has been marked.
    @usableFromInline var marks: SnapshotMarks<Section, Item>?
    /// The index of the items. Not an `AtomicLazyReference`, whose generic code takes longer than the
    /// comparison of two short lists.
    @usableFromInline let reference: Atomic<Unmanaged<AnyObject>?>

    /// Creates a storage without items, which are appended or set afterwards.
    @inlinable
    init(
        sections: UniqueArray<Section> = UniqueArray(), marks: SnapshotMarks<Section, Item>? = nil
    ) {
        self.sections = sections
        self.marks = marks
        unsafe reference = Atomic(nil)
    }

    /// Creates a copy that can be changed.
    @inlinable
    init(copying other: SnapshotStorage) {
        sections = other.sections
        pending = other.pending
        marks = other.marks
        unsafe reference = Atomic(
            other.reference.load(ordering: .acquiring).map { unsafe $0.retain() })
    }

    @inlinable
    deinit { if let index = unsafe reference.load(ordering: .acquiring) { unsafe index.release() } }

    /// Whether the items have not been indexed.
    @inlinable var isPending: Bool { unsafe reference.load(ordering: .relaxed) == nil }

    /// The index of the items, made by the first access.
    @inlinable var index: ItemIndex<Item> {
        if let index = unsafe reference.load(ordering: .acquiring) {
            return unsafe unsafeDowncast(index.takeUnretainedValue(), to: ItemIndex<Item>.self)
        }
        return setItems(pending.indexed(sectionCount: sections.count))
    }

    /// Indexes the items unless this has been done, and returns the index.
    @inlinable
    @discardableResult
    func setItems(_ items: consuming SectionedItems<Item>) -> ItemIndex<Item> {
        let index = ItemIndex(items)
        let retained = unsafe Unmanaged<AnyObject>.passRetained(index)
        let (isFirst, first) = unsafe reference.compareExchange(
            expected: nil, desired: retained, ordering: .acquiringAndReleasing)
        guard !isFirst, let first = unsafe first else { return index }
        unsafe retained.release()
        return unsafe unsafeDowncast(first.takeUnretainedValue(), to: ItemIndex<Item>.self)
    }
}

// @unchecked: the variables change only while a single snapshot refers to the storage, and the
// index is set atomically.
extension SnapshotStorage: @unchecked Sendable {}
