// Maintains the list of a fleet: applies its events one at a time and returns what each changed.
import FoundationEssentials
package import PeerModel
package import PeerRecording

/// The report of a fleet at a time: changes of what its observers publish, and of the connection.
package struct FleetEvent: Sendable {
    package var time: Timestamp
    /// The changes, at most one of each status and each peer.
    package var changes: [FleetChange] = []
    package var notices: [Notice] = []
    /// The number of the broker, from 0.
    package var broker = 0
    /// Whether everything that the broker keeps has been read.
    package var isSettled = false
    /// The reason why the broker cannot be reached or read; `nil` while it can.
    package var failure: String?

    package init(at time: Timestamp) { self.time = time }
}

/// The list of a fleet.
package struct FleetListing {
    /// The time for which a contradiction lasts before it is reported: observers hear of a new name one after the
    /// other.
    private static let contradictionTime: Int64 = 10_000_000
    /// The maximum number of devices whose contradictions wait, and of reports.
    private static let contradictionLimit = 1_000

    private let options: ListOptions
    private var merge: FleetMerge
    /// The devices as of the last event.
    package private(set) var rows: ListBuilder
    private var names = DistinctNames()
    /// The names of devices that are told apart by their hosts, and names that look like these.
    private var hostNames = DistinctNames()

    /// The number of brokers.
    private let brokerCount: Int
    /// The brokers whose retained messages were all read at their last events.
    private var settled: Set<Int> = []
    /// The times since which observers contradict each other about devices, unless that was reported.
    private var contradictions: [UUID: Timestamp] = [:]
    /// The observers whose contradictions were reported, and those whose second views were.
    private var reported: (contradictions: Set<ObserverName>, views: Set<ObserverName>) = ([], [])
    /// Whether all brokers were read at some time.
    private var wasSettled = false
    /// The conflicts of observers that the last event has brought up, in sentences.
    package private(set) var conflicts: [String] = []

    /// Whether all brokers' retained messages were read at their last events.
    package var isSettled: Bool { settledCount == brokerCount }
    /// The number of brokers that were read completely.
    package var settledCount: Int { settled.count }

    /// The observers that have a status, even without devices, and whether they are online.
    package var online: [ObserverName: Bool] { merge.online }

    /// The statuses of the observers, by their names.
    package var statuses: [(name: ObserverName, status: ObserverStatus)] { merge.statuses }

    /// Returns the number of peers that an observer has published.
    package func peerCount(of observer: ObserverName) -> Int { merge.peerCount(of: observer) }

    /// Returns the name by which an observer of a broker is shown: its own, unless another machine has that.
    package func shownName(of observer: ObserverName, at broker: Int) -> ObserverName {
        merge.shownName(of: observer, at: broker)
    }

    /// Creates an empty list of devices, in which the views of some sites are followed before those of others.
    package init(
        options: ListOptions = ListOptions(), brokers brokerCount: Int = 1,
        trusting sites: [String] = []
    ) {
        (self.options, rows) = (options, ListBuilder(by: options.order))
        (self.brokerCount, merge) = (brokerCount, FleetMerge(trusting: sites))
    }

    /// Applies an event, and returns the change of the list; `nil` if nothing changed.
    ///
    /// - Complexity: O(*v*) for the views of the devices that changed; copies O(*n*) bytes for *n* devices.
    package mutating func apply(_ event: FleetEvent) -> PeerListUpdate? {
        if event.isSettled {
            settled.insert(event.broker)
        } else {
            settled.remove(event.broker)
        }
        let devices = event.changes.reduce(into: Set<UUID>()) { devices, change in
            devices.formUnion(merge.apply(change, from: event.broker, at: event.time))
        }
        let changes = merge.rows(of: devices, at: event.time)
        let touched = changes.touched
        if event.isSettled { merge.endReading(of: event.broker) }
        let items = items(of: touched)
        let update = rows.update(
            touched.union(items.keys), at: event.time,
            replacements: changes.replacements.filter { old, new in
                rows.item(old) != nil && items[old] == nil
                    && (items[new] != nil || rows.item(new) != nil && !touched.contains(new))
            }, predecessors: changes.predecessors
        ) { items[$0] }
        noteConflicts(items, at: event.time)
        return update
    }

    // MARK: Conflicts

    /// Notes what is to be reported of observers, once of each.
    private mutating func noteConflicts(_ items: [UUID: ListItem], at now: Timestamp) {
        conflicts = merge.removeConflicts().compactMap { conflict in
            switch conflict {
            case .secondView(let name, let device):
                Self.isNew(name, in: &reported.views)
                    ? "observer \(name.title) has published \(Self.text(device)) twice; the later one is "
                        + "not shown, and neither are others like it" : nil
            case .sameName(let name, let shown, let host, let other):
                "two machines are observer \(name.title), at one broker each: \(Self.text(other)) and "
                    + "\(Self.text(host)), which is shown as \(shown.title); give it another name or site"
            }
        }
        for (id, item) in items where item.peer.views.contains(where: isContradiction) {
            guard contradictions.count < Self.contradictionLimit else { break }
            contradictions[id] = contradictions[id] ?? now
        }
        // What is contradicted when the list is first complete is no matter of time.
        let isFirst = isSettled && !wasSettled
        if isFirst { wasSettled = true }
        for (id, since) in contradictions {
            let isDue = isFirst || now.microseconds - since.microseconds >= Self.contradictionTime
            guard wasSettled, isDue else { continue }
            contradictions[id] = nil
            guard let peer = rows.item(id)?.peer else { continue }
            for view in peer.views where isContradiction(view) {
                guard Self.isNew(view.name, in: &reported.contradictions) else { continue }
                let claims = [view.claim?.name, view.claim?.host, view.claim?.kind?.rawValue]
                conflicts.append(
                    "observer \(view.name.title) contradicts others about \(Self.text(peer.name)): it "
                        + "claims \(claims.compactMap(\.self).map(Self.text).joined(separator: ", ")); "
                        + "the list does not follow it")
            }
        }
    }

    /// Whether a view contradicts its row, and this was not reported of its observer.
    private func isContradiction(_ view: PeerView) -> Bool {
        view.claim != nil && view.presence != .unknown
            && !reported.contradictions.contains(view.name)
    }

    private static func isNew(_ name: ObserverName, in reported: inout Set<ObserverName>) -> Bool {
        reported.count < contradictionLimit && reported.insert(name).inserted
    }

    /// Returns a text of an observer in quotation marks, as long as a name on the network can be.
    private static func text(_ text: String) -> String { "'\(text.prefix(utf8Count: 63))'" }

    // MARK: Rows

    /// Returns the rows of devices, and of others whose names change with those; devices of one name get names
    /// that tell them apart: by their hosts, or else by their sites.
    private mutating func items(of touched: Set<UUID>) -> [UUID: ListItem] {
        var items: [UUID: ListItem] = [:]
        items.reserveCapacity(touched.count)
        for id in touched {
            items[id] = item(id)
            names.set(items[id].flatMap { $0.peer.host == nil ? nil : $0.peer.name }, of: id)
        }
        for id in names.removeAffected() where items[id] == nil { items[id] = item(id) }
        for id in touched.union(items.keys) {
            guard let peer = items[id]?.peer, peer.host != nil else {
                hostNames.set(nil, of: id)
                continue
            }
            let name = names.name(of: peer)
            // A row that is not changed shares its memory with the view of its only observer.
            if name != peer.name { items[id]?.peer.name = name }
            let isShared = names.isShared(peer.name)
            hostNames.set(isShared || name.hasSuffix(")") ? name : nil, of: id)
        }
        for id in hostNames.removeAffected() where items[id] == nil {
            guard var item = item(id) else { continue }
            item.peer.name = names.name(of: item.peer)
            items[id] = item
        }
        for (id, item) in items {
            guard hostNames.isShared(item.peer.name), let view = item.peer.views.first else {
                continue
            }
            items[id]?.peer.name = DistinctNames.name(
                item.peer.name, of: item.peer,
                at: merge.distinction(of: id)?.title ?? view.name.site)
        }
        return items
    }

    private mutating func item(_ id: UUID) -> ListItem? {
        guard let item = merge.item(id), let listed = options.listed(item.peer) else { return nil }
        return options.types.isEmpty ? item : .peer(listed)
    }
}
