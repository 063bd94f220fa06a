// Marks the rows to which something happened since the rows were computed.
import DiffCore
import PeerHappenings
import PeerModel
import TerminalList

/// The events since the rows were computed, by which rows are marked in place of the difference of the rows.
struct RowMarks {
    private let view: TerminalListView<String, RowID>
    private let content: RowContent
    private var happened: [ItemHappening] = []
    /// The deleted rows since then of items that go on as others, or that had not arrived.
    private var absorbed: [RowID] = []

    init(_ view: TerminalListView<String, RowID>, _ content: RowContent) {
        (self.view, self.content) = (view, content)
    }

    mutating func add(_ events: [Happening]) { happened += events.compactMap(\.ofItem) }

    mutating func add(_ items: ItemChanges) {
        for (id, departure) in items.departures
        where departure.reason == .identity || !departure.item.peer.isResolved {
            absorbed += [.device(id), .listing(id)]
            absorbed += departure.item.peer.services.map { .listing($0.id) }
        }
    }

    mutating func removeAll() { (happened, absorbed) = ([], []) }

    /// Marks the rows of the events after a difference of the rows.
    func apply(_ difference: SnapshotDifference<String, RowID>) {
        let snapshot = content.rows.snapshot
        let hidden = difference.deletedItems.map(\.item).filter { content.isKnown($0) }
        view.forgetChange(of: hidden + absorbed.filter { snapshot.indexOfItem($0) == nil })
        // What is found in the initial fill has not arrived.
        if content.history.fill == .running {
            view.forgetChange(
                of: (difference.insertedItems + difference.reconfiguredItems).map(\.item))
        }
        for event in happened { mark(event) }
    }

    /// Marks the rows of a device and of the services to which something happened.
    private func mark(_ event: ItemHappening) {
        let id = event.item.peer.id
        func rows(_ services: some Sequence<Service>) -> [RowID] {
            services.flatMap { [.listing($0.id), .service($0.id, of: id)] }
        }
        switch event.event {
        case .arrived:
            view.mark([.device(id)] + rows(event.item.peer.services), as: .arrival)
        case .left:
            view.mark([.device(id)] + rows(event.item.peer.services), as: .departure)
            // Its services may have left one by one.
            if !event.item.isService, let fields = content.departedFields(id) {
                view.setFields(fields, ofDeparted: .device(id))
            }
        case .answers: view.mark([.device(id)], as: .update)
        case .changed:
            let was = Dictionary(
                event.was?.peer.services.map { ($0.id, $0) } ?? [], uniquingKeysWith: { $1 })
            let now = event.item.peer.services
            let kept = Set(now.map(\.id))
            view.mark(rows(now.filter { was[$0.id] == nil }), as: .arrival)
            view.mark(rows(was.values.filter { !kept.contains($0.id) }), as: .departure)
            let changed = now.filter { was[$0.id] != nil && was[$0.id] != $0 }
            view.mark([.device(id)] + rows(changed), as: .update)
        case .silent, .identified, .there: break
        }
    }

    /// Removes the rows that stay for a while of devices that have a row among the departed ones.
    func showDepartedOnce() {
        let selected = view.selectedItem
        var twice: [RowID] = []
        for row in view.departedItems {
            guard let id = row.device ?? row.service,
                content.rows.snapshot.indexOfItem(.departed(id)) != nil
            else { continue }
            twice.append(row)
            if row == selected { view.select(.departed(id)) }
        }
        if !twice.isEmpty { view.forgetChange(of: twice) }
    }
}
