// Orders the changes of an update so that they can be divided among several lines.
import DiffCore
import FoundationEssentials
import PeerModel

extension PeerListUpdate {
    /// Calls a function with each change in an order in which a line may end after any change, and with
    /// `nil` where a line must end.
    ///
    /// Items are deleted from the end, so that the positions of the others stay valid. Then sections move,
    /// then items, `count` at a time; each such group has a line of its own, with positions in the lists
    /// before and after that line. At last items are inserted and updated, at their positions in the list
    /// after the update.
    func forEachStep(moves count: Int, _ body: (LineChange?) -> Void) {
        for deletion in difference.deletedItems.reversed() { body(deletionOfItem(deletion)) }
        body(nil)
        var list = IntermediateList(difference)
        list.placeSections(difference, body)
        body(nil)
        var moves = difference.movedItems[...]
        while !moves.isEmpty {
            list.move(moves.prefix(count).map(\.item), body)
            moves = moves.dropFirst(count)
            body(nil)
        }
        list.deleteSections(difference, body)
        body(nil)
        for insertion in difference.insertedItems {
            body(insertionOfItem(insertion.item, at: insertion.position))
        }
        forEachUpdate(body)
    }
}

/// A list on the way from the list before a difference to the list after it, with the items that
/// both have.
///
/// Each moved item is placed after its predecessor in the list after. Items move in the order of the
/// list after, so the predecessor is in its place already.
private struct IntermediateList {
    private struct Section {
        let id: String
        var items: [UUID]
    }

    private var sections: [Section]
    /// The item before each item, in its section of the list after.
    private var predecessors: [UUID: UUID] = [:]
    /// The section of each item in the list after.
    private var destinations: [UUID: String] = [:]

    /// The list before, without its deleted items.
    init(_ difference: PeerListDifference) {
        let deleted = Set(difference.deletedItems.map(\.item))
        sections = difference.before.sectionIdentifiers.map { id in
            let items = difference.before.itemIdentifiers(inSection: id)
            return Section(
                id: id, items: deleted.isEmpty ? items : items.filter { !deleted.contains($0) })
        }
        let moved = Set(difference.movedItems.map(\.item))
        guard !moved.isEmpty else { return }
        let inserted = Set(difference.insertedItems.map(\.item))
        for section in difference.after.sectionIdentifiers {
            var previous: UUID?
            for item in difference.after.itemIdentifiers(inSection: section)
            where !inserted.contains(item) {
                if moved.contains(item) {
                    (predecessors[item], destinations[item]) = (previous, section)
                }
                previous = item
            }
        }
    }

    /// Inserts and moves sections; sections that the list after lacks stay where they are.
    mutating func placeSections(
        _ difference: PeerListDifference, _ body: (LineChange?) -> Void
    ) {
        let inserted = Set(difference.insertedSections.map(\.section))
        let moved = Set(difference.movedSections.map(\.section))
        guard !inserted.isEmpty || !moved.isEmpty else { return }
        var indices: [String: Int] = [:]
        var rest: [String: Section] = [:]
        for (index, section) in sections.enumerated() where moved.contains(section.id) {
            (indices[section.id], rest[section.id]) = (index, section)
        }
        sections.removeAll { moved.contains($0.id) }
        var next = 0
        for id in difference.after.sectionIdentifiers {
            if inserted.contains(id) {
                sections.insert(Section(id: id, items: []), at: next)
                body(LineChange(op: .insertSection, place: .init(section: id, at: next)))
            } else if let section = rest[id], let index = indices[id] {
                sections.insert(section, at: next)
                body(
                    LineChange(
                        op: .moveSection, place: .init(section: id), from: .init(at: index),
                        to: .init(at: next)))
            } else {
                next = sections[next...].firstIndex { $0.id == id } ?? next
            }
            next += 1
        }
    }

    /// Moves items, given in the order of the list after.
    mutating func move(_ items: [UUID], _ body: (LineChange?) -> Void) {
        let moving = Set(items)
        var followers: [UUID: UUID] = [:]
        var first: [String: UUID] = [:]
        for item in items {
            if let previous = predecessors[item] {
                followers[previous] = item
            } else if let section = destinations[item] {
                first[section] = item
            }
        }
        var (sources, targets): ([UUID: LineChange.Place], [UUID: LineChange.Place]) = ([:], [:])
        for number in sections.indices {
            let id = sections[number].id
            var placed: [UUID] = []
            placed.reserveCapacity(sections[number].items.count)
            func place(from next: UUID?) {
                var next = next
                while let item = next {
                    targets[item] = .init(section: id, at: placed.count)
                    placed.append(item)
                    next = followers[item]
                }
            }
            place(from: first[id])
            for (index, item) in sections[number].items.enumerated() {
                guard !moving.contains(item) else {
                    sources[item] = .init(section: id, at: index)
                    continue
                }
                placed.append(item)
                place(from: followers[item])
            }
            sections[number].items = placed
        }
        for item in items {
            guard let source = sources[item], let target = targets[item] else { continue }
            body(LineChange(op: .move, id: item, from: source, to: target))
        }
    }

    /// Deletes the sections that the list after lacks, which are empty now.
    func deleteSections(_ difference: PeerListDifference, _ body: (LineChange?) -> Void) {
        let deleted = Set(difference.deletedSections.map(\.section))
        for (index, section) in sections.enumerated() where deleted.contains(section.id) {
            body(LineChange(op: .deleteSection, place: .init(section: section.id, at: index)))
        }
    }
}
