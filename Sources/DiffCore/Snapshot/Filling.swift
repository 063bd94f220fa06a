// The items of a snapshot that is being filled: kept as they come, laid out when needed.
public import Synchronization

/// What has been appended to an empty snapshot, not looked at yet.
///
/// A list that is shown anew at every event is filled anew at every event. The
/// arrays are therefore kept as they are; they are laid out, and looked through
/// for identifiers that come twice, when somebody asks for a place, when the
/// snapshot is compared with another (which costs next to nothing where most
/// is as it was), or at the latest when the snapshot goes out of use.
///
/// - Note: `@safe` because `laidOut` is set once, with a retain that `deinit` gives back.
@safe
@usableFromInline
final class Filling<Item: Hashable & Sendable>: @unchecked Sendable {
    // @unchecked: `chunks`, `marked` and `sectionCount` change only while one snapshot alone
    // holds the filling, and only before the layout is there.
    @usableFromInline var chunks: [(section: Int, items: [Item])] = []
    @usableFromInline var marked: [(items: [Item], operation: String)] = []
    @usableFromInline var sectionCount: Int
    /// The layout, kept by one retain; what AtomicLazyReference does, but compiled for the item.
    @usableFromInline let laidOut = unsafe Atomic<Unmanaged<Box>?>(nil)

    @usableFromInline
    final class Box: Sendable {
        @usableFromInline let layout: Layout<Item>

        @inlinable
        init(_ layout: Layout<Item>) { self.layout = layout }
    }

    /// An empty filling of some sections.
    @inlinable
    init(sectionCount: Int) { self.sectionCount = sectionCount }

    /// A filling that can be changed apart from another.
    @inlinable
    init(copying other: Filling) {
        chunks = other.chunks
        marked = other.marked
        sectionCount = other.sectionCount
    }

    @inlinable
    deinit {
        // The mistake must not go unseen only because nobody looked.
        guard let box = unsafe laidOut.load(ordering: .acquiring) else {
            _ = lay()
            return
        }
        unsafe box.release()
    }

    /// The fewest items whose look-through is worth putting off.
    @inlinable
    static var leastCount: Int { 32 }

    /// Whether somebody has asked already.
    @inlinable
    var isLaidOut: Bool { unsafe laidOut.load(ordering: .acquiring) != nil }

    /// The items, laid out; made at the first call.
    @inlinable
    var layout: Layout<Item> {
        // The filling keeps the box as long as it lives.
        if let box = unsafe laidOut.load(ordering: .acquiring) {
            return unsafe box._withUnsafeGuaranteedRef { $0.layout }
        }
        return keep(lay())
    }

    /// Keeps a layout, unless another has been kept, and returns the one that is kept.
    @inlinable
    func keep(_ layout: Layout<Item>) -> Layout<Item> {
        let box = unsafe Unmanaged.passRetained(Box(layout))
        let (isFirst, first) = unsafe laidOut.compareExchange(
            expected: nil, desired: box, ordering: .acquiringAndReleasing)
        guard !isFirst, let first = unsafe first else { return layout }
        unsafe box.release()
        return unsafe first.takeUnretainedValue().layout
    }

    /// The items and bounds as they were appended, before anybody looked for doubles.
    @inlinable
    var draft: (items: [Item], bounds: [Int]) {
        var counts = [Int](repeating: 0, count: sectionCount)
        for chunk in chunks { counts[chunk.section] += chunk.items.count }
        var layout = Layout<Item>()
        layout.setCounts(counts)
        guard chunks.count != 1 else { return (chunks[0].items, layout.bounds) }
        var items: [Item] = []
        items.reserveCapacity(layout.bounds[sectionCount])
        let isInOrder = zip(chunks, chunks.dropFirst()).allSatisfy { $0.section <= $1.section }
        for chunk in isInOrder ? chunks : inSectionOrder { items += chunk.items }
        return (items, layout.bounds)
    }

    @usableFromInline
    var inSectionOrder: [(section: Int, items: [Item])] {
        // Stable: what was appended first to a section stays first.
        chunks.enumerated().sorted {
            ($0.element.section, $0.offset) < ($1.element.section, $1.offset)
        }.map(\.element)
    }

    /// Takes items over as they are.
    @inlinable
    func append(_ items: [Item], toSection section: Int) { chunks.append((section, items)) }

    /// Takes over that more sections have been appended.
    @inlinable
    func appendSections(_ count: Int) { sectionCount += count }

    /// Notes that items are to be there once the layout is.
    @inlinable
    func expect(_ items: [Item], for operation: String) { marked.append((items, operation)) }

    /// Takes over a layout that somebody else has found to be without doubles.
    @inlinable
    func adopt(_ layout: Layout<Item>) {
        check(layout)
        _ = keep(layout)
    }

    @inlinable
    func lay() -> Layout<Item> {
        let draft = draft
        if let items = UniqueList(checking: draft.items) {
            let layout = Layout(items: items, bounds: draft.bounds)
            check(layout)
            return layout
        }
        // Something comes twice: in one call, which stops here, or in two, which moves it.
        var layout = Layout<Item>()
        layout.insertSections(sectionCount, at: 0)
        for chunk in chunks {
            layout.put(
                chunk.items, at: layout.bounds[chunk.section + 1], inSection: chunk.section,
                for: "appendItems(_:toSection:)")
        }
        check(layout)
        return layout
    }

    @inlinable
    func check(_ layout: Layout<Item>) {
        for (items, operation) in marked {
            for item in items where !layout.items.contains(item) {
                misuse(operation, "there is no item \(item)")
            }
        }
    }
}
