// Merges what the observers of a fleet know into one list of devices.
package import FoundationEssentials
package import PeerModel
package import PeerRecording

/// A change of what an observer has published; indirect, as many wait to be applied and are copied.
package indirect enum FleetChange: Sendable {
    /// The status of an observer; `nil` if it was cleared.
    case status(ObserverName, ObserverStatus?)
    /// A peer of an observer; `nil` if it is gone.
    case peer(ObserverName, UUID, Peer?)
}

/// The devices of a fleet: each has a view for every observer that has published it.
///
/// Any order of the same changes makes the same devices, as long as the last change of each status
/// and each peer is the same; but for the observer that knew a device first, once a broker was read, and for addresses
/// that changed in the last three minutes.
///
/// A host name is a name on a link (RFC 6762, section 3): observers on several networks can see several hosts of one name
/// and so of one identifier. Each of these is a row of its own, as long as observers see several of them. Its identifier is
/// the version-5 UUID of the name of the first observer that sees it, as in `home/attic`, in the namespace of the
/// identifier of the host name: it does not change with the addresses of the host, nor when further observers see it.
struct FleetMerge {
    /// A reason to tell the user about an observer.
    enum Conflict {
        /// Two peers of an observer are one device; the later one was refused.
        case secondView(ObserverName, of: String)
        /// An observer has the name of one on another machine, at another broker, and is shown by another name.
        case sameName(ObserverName, shown: ObserverName, on: String, not: String)
    }

    /// The name of an observer at a broker. An observer that bridged brokers both have is there twice.
    private struct Key: Hashable {
        let name: ObserverName
        let broker: Int
    }

    /// An observer, with the peers that it has published.
    private struct Observer {
        let key: Key
        /// The number of the observer, which no other one had or will have.
        let number: Int
        /// The position of its site among the trusted sites, the most trusted first.
        let trust: Int
        /// The name by which it is shown: its own, unless another machine has that at an earlier broker.
        var name: ObserverName
        var status: ObserverStatus?
        /// The device of each of its peers.
        var peers: [UUID: UUID] = [:]

        /// Whether the observer's peers are up to date.
        var isOnline: Bool { status?.state == .online }

        /// Whether another observer of the same name, which is online too, is another machine.
        func isOtherMachine(than other: Observer) -> Bool {
            guard let status, let others = other.status else { return false }
            if let run = status.run, let other = others.run { return run != other }
            return !status.host.isEmpty && !others.host.isEmpty && status.host != others.host
        }
    }

    /// A peer as an observer has published it.
    private struct View {
        /// The index of the observer.
        let observer: Int
        /// The position among the views that came after their broker was read; 0 for the views that came before.
        let order: Int
        let presence: Presence
        let interfaces: [String]
        let vouching: StoredVouching
        /// A row with the other properties of the peer. If the device has one view, it is the row in the list, so
        /// that both share their memory.
        var item: ListItem

        var claim: DeviceClaim {
            DeviceClaim(name: item.peer.name, host: item.peer.host, kind: item.peer.kind)
        }

        /// Whether another view can be of the same device: it has the same evidence, and the same host if both are
        /// known.
        func agrees(with other: View) -> Bool {
            guard item.peer.identity.value == other.item.peer.identity.value else { return false }
            guard let host = item.peer.host, let other = other.item.peer.host else { return true }
            return host == other || Identity.canonical(host) == Identity.canonical(other)
        }
    }

    private struct Device {
        /// The views, by the names of their observers; one of each observer.
        var views: [View] = []
        /// The number of the observer that knew the device first; `nil` while it is not known.
        var first: Int?
    }

    /// The sites whose views are followed before those of others, the most trusted first.
    private let trusted: [String]
    private var observers: [Observer] = []
    private var indices: [Key: Int] = [:]
    private var brokerCount = 1
    /// The indices of observers that have published nothing any more.
    private var unused: [Int] = []
    /// The numbers of the observers that have published something.
    private var numbers: Set<Int> = []
    private var greatestNumber = 0
    private var devices: [UUID: Device] = [:]
    private var namesakes = Namesakes()
    /// The traces that hosts had at observers, by the observers' numbers, before what was changed since the rows were last
    /// returned; none of hosts that were not listed.
    private var tracesBefore: [UUID: [Int: Set<[UInt8]>]] = [:]
    private var former = FormerTraces()
    private var moved = MovedDevices()
    /// The brokers that were read once: what comes from them is later than what they had.
    private var readBrokers: Set<Int> = []
    private var greatestOrder = 0
    private var conflicts: [Conflict] = []

    /// The observers that have a status, and whether they are online.
    private(set) var online: [ObserverName: Bool] = [:]

    /// Creates an empty fleet.
    init(trusting sites: [String] = []) { trusted = sites }

    /// The statuses of the observers, by their names.
    var statuses: [(name: ObserverName, status: ObserverStatus)] {
        observers.compactMap { observer in observer.status.map { (observer.name, $0) } }
            .sorted { $0.0 < $1.0 }
    }

    func peerCount(of name: ObserverName) -> Int {
        observers.lazy.filter { $0.name == name }.map(\.peers.count).max() ?? 0
    }

    /// Returns the name by which an observer of a broker is shown.
    func shownName(of name: ObserverName, at broker: Int) -> ObserverName {
        indices[Key(name: name, broker: broker)].map { observers[$0].name } ?? name
    }

    /// Returns the conflicts since the last call.
    mutating func removeConflicts() -> [Conflict] {
        defer { conflicts = [] }
        return conflicts
    }

    /// Notes that all that a broker keeps was read; observers that its devices have by now knew them at the same time.
    mutating func endReading(of broker: Int) {
        guard readBrokers.insert(broker).inserted else { return }
        for id in Array(devices.keys) + Array(namesakes.ids) { _ = leader(of: id) }
    }

    /// Applies a change that a broker has sent, and returns the devices that it may have changed.
    mutating func apply(
        _ change: FleetChange, from broker: Int, at now: Timestamp
    ) -> Set<UUID> {
        brokerCount = max(brokerCount, broker + 1)
        switch change {
        case .status(let name, let status):
            let index = index(of: Key(name: name, broker: broker))
            let was = (observers[index].isOnline, observers[index].status?.host)
            observers[index].status = status
            let renamed = updateNames(of: name)
            defer { if status == nil { release(index) } }
            guard was != (observers[index].isOnline, status?.host) else { return renamed }
            return renamed.union(observers[index].peers.values)
        case .peer(let name, let id, let peer):
            let index = index(of: Key(name: name, broker: broker))
            let was = observers[index].peers.removeValue(forKey: id)
            let former = was.flatMap { remove(from: $0, of: index) }
            // A device that changes keeps the observer that knew it first, also if it has no other view.
            defer { if let was, devices[was]?.views.isEmpty == true { devices[was] = nil } }
            let number = observers[index].number
            if let was, let former { note(former, of: was, at: number, replacedBy: peer, now) }
            guard let peer else {
                release(index)
                return Set([was].compactMap(\.self))
            }
            let device = Self.device(peer, site: name.site)
            let place = position(of: index, in: device)
            guard !place.isTaken else {
                conflicts.append(.secondView(observers[index].name, of: peer.name))
                return Set([was].compactMap(\.self))
            }
            observers[index].peers[id] = device
            if readBrokers.contains(broker) { greatestOrder += 1 }
            var order = readBrokers.contains(broker) ? greatestOrder : 0
            if let former, was == device { order = former.order }
            let like = former ?? devices[device]?.views.first
            let view = view(of: peer, by: index, order: order, like: like)
            devices[device, default: Device()].views.insert(view, at: place.index)
            if was != device {
                tracesBefore[device, default: [:]][number] = []
                if readBrokers.contains(broker) {
                    moved.insert(view.item, as: device, at: number, now)
                }
            }
            return Set([was, device].compactMap(\.self))
        }
    }

    /// Notes that an observer knows a device in another way than before, or lists it no more.
    private mutating func note(
        _ view: View, of device: UUID, at observer: Int, replacedBy peer: Peer?, _ now: Timestamp
    ) {
        let was = view.item.peer
        if peer == nil { moved.remove(view.item, as: device, at: observer) }
        guard was.identity.source == .hostName, devices[device]?.views.isEmpty == false,
            peer.map({ $0.addresses != was.addresses || $0.macs != was.macs }) ?? true
        else { return }
        let before = HostTraces(was).values
        if tracesBefore[device]?[observer] == nil {
            tracesBefore[device, default: [:]][observer] = before
        }
        let lost = before.subtracting(peer.map { HostTraces($0).values } ?? [])
        if !lost.isEmpty { former.add(lost, of: device, at: observer, since: now) }
    }

    /// Returns the view of a peer; it shares the memory of equal parts with another view.
    private func view(of peer: Peer, by observer: Int, order: Int, like other: View?) -> View {
        let own = observers[observer].status?.interfaces ?? []
        var item = ListItem.peer(peer)
        if let host = peer.host, peer.identity.value.utf8.elementsEqual(host.utf8) {
            item.peer.identity.value = host
        }
        return View(
            observer: observer, order: order, presence: peer.presence,
            interfaces: peer.interfaces == own ? own : peer.interfaces, vouching: peer.vouching,
            item: other.map { item.sharing($0.item) } ?? item)
    }

    /// Removes and returns the view of an observer.
    private mutating func remove(from device: UUID, of observer: Int) -> View? {
        let place = position(of: observer, in: device)
        return place.isTaken ? devices[device]?.views.remove(at: place.index) : nil
    }

    /// Returns the position of an observer's view of a device, and whether there is one.
    private func position(
        of observer: Int, in device: UUID
    ) -> (index: Int, isTaken: Bool) {
        guard let views = devices[device]?.views else { return (0, false) }
        let key = observers[observer].key
        let index = views.partitionIndex {
            let other = observers[$0.observer].key
            return (other.name, other.broker) >= (key.name, key.broker)
        }
        return (index, index < views.count && views[index].observer == observer)
    }

    private mutating func index(of key: Key) -> Int {
        if let index = indices[key] { return index }
        greatestNumber += 1
        let site = key.name.site
        let observer = Observer(
            key: key, number: greatestNumber,
            trust: trusted.firstIndex { $0.utf8.elementsEqual(site.utf8) } ?? trusted.count,
            name: key.name)
        let index = unused.popLast() ?? observers.count
        if index == observers.count { observers.append(observer) }
        observers[index] = observer
        indices[key] = index
        numbers.insert(observer.number)
        return index
    }

    /// Frees the index of an observer that has published nothing.
    private mutating func release(_ index: Int) {
        guard observers[index].status == nil, observers[index].peers.isEmpty else { return }
        indices[observers[index].key] = nil
        numbers.remove(observers[index].number)
        unused.append(index)
    }

    /// Returns the identifier of the device that a peer of a site is.
    ///
    /// A host name identifies a device only within its site, so a device outside the standard site
    /// gets the identifier of `SITE/HOST`; and so does a name with a slash, which could be that of a host of another site.
    private static func device(_ peer: Peer, site: String) -> UUID {
        switch peer.identity.source {
        case .announced, .txt, .name, .endpoint: return peer.id
        case .hostName, .service:
            let value = peer.identity.value
            guard site != FleetTopics.standardSite || value.utf8.contains(UInt8(ascii: "/")) else {
                return peer.id
            }
            return Identity.uuid(forName: "\(site)/\(value)")
        }
    }

    // MARK: Observers of one name

    /// Tells the observers apart that have a name at several brokers, but are several machines: the one of the first
    /// broker keeps the name. Returns the devices of observers that get another name.
    ///
    /// This is decided while both are online, as an observer that restarts is at one broker before the other.
    private mutating func updateNames(of name: ObserverName) -> Set<UUID> {
        let all = (0..<brokerCount).compactMap { indices[Key(name: name, broker: $0)] }
        let first = all.first { observers[$0].status != nil }
        var (names, renamed): (Set<ObserverName>, Set<UUID>) = ([name], [])
        for index in all {
            let was = observers[index].name
            let now = first.map { shownName(of: index, besides: $0) } ?? name
            names.formUnion([was, now])
            guard was != now else { continue }
            observers[index].name = now
            renamed.formUnion(observers[index].peers.values)
        }
        for name in names {
            let states = all.filter { observers[$0].name == name }
                .compactMap { observers[$0].status?.state }
            let isOnline = states.isEmpty ? nil : states.contains(.online)
            if online[name] != isOnline { online[name] = isOnline }
        }
        return renamed
    }

    private mutating func shownName(of index: Int, besides first: Int) -> ObserverName {
        let (observer, other) = (observers[index], observers[first])
        guard index != first else { return observer.key.name }
        guard observer.isOnline, other.isOnline else { return observer.name }
        guard observer.isOtherMachine(than: other) else { return observer.key.name }
        let (host, others) = (observer.status?.host ?? "", other.status?.host ?? "")
        // No observer has a name with a slash.
        var name = observer.key.name
        name.observer += "/" + (host == others ? "\(observer.key.broker + 1)" : host)
        if observer.name != name {
            conflicts.append(.sameName(observer.key.name, shown: name, on: host, not: others))
        }
        return name
    }

    // MARK: Hosts of one name

    /// Changes of rows, by the identifiers of the rows.
    struct RowChanges {
        /// The rows that may have changed.
        var touched: Set<UUID>
        /// The rows that take the places of removed rows.
        var replacements: [UUID: UUID] = [:]
        /// The rows of which others were a part.
        var predecessors: [UUID: UUID] = [:]
    }

    /// Tells apart the hosts that are one device by their names, and returns what has changed of the rows of devices.
    ///
    /// - Complexity: O(*v*) for *v* views of the devices; if their addresses differ, also for the addresses.
    mutating func rows(of touched: Set<UUID>, at now: Timestamp) -> RowChanges {
        var changes = RowChanges(touched: touched)
        let moves = moved.removeMoves(at: now)
        let divisions = touched.union(former.removeExpired(at: now)).map { id in
            (id, was: namesakes[id], now: hosts(of: id))
        }
        for (id, was, now) in divisions where !was.isEmpty || !now.isEmpty {
            changes.touched.insert(id)
            changes.touched.formUnion((was + now).map(\.id))
            namesakes.set(now, of: id, first: devices[id]?.first)
        }
        for (id, was, now) in divisions {
            let moves = moves[id] ?? [:]
            let last = moved.removeSuccessor(of: id, unless: devices[id] != nil && now.isEmpty)
            if was.isEmpty {
                changes.replacements[id] = successor(of: id, among: now, moves, last)
            }
            for row in was where !now.contains(where: { $0.id == row.id }) {
                changes.replacements[row.id] = successor(of: row, of: id, among: now, moves)
            }
            for row in now where !was.contains(where: { $0.id == row.id }) {
                changes.predecessors[row.id] = predecessor(of: row, of: id, among: was)
            }
            for (observer, new) in moves where devices[id] != nil {
                let former = was.first { $0.isSeen(by: observer) }?.id ?? id
                changes.predecessors[namesakes.row(of: new, at: observer)] = former
            }
        }
        tracesBefore = [:]
        return changes
    }

    /// Returns the row of which one of several hosts was a part; `nil` if its observers see it for the first time, or
    /// did not know enough of it before to tell it from others.
    private func predecessor(
        of row: Namesake, of id: UUID, among hosts: [Namesake]
    ) -> UUID? {
        let before = tracesBefore[id] ?? [:]
        let others = (devices[id]?.views ?? []).filter { view in
            !row.observers.contains { $0.index == view.observer }
        }
        let known = row.observers.map(\.number).first { number in
            guard let traces = before[number] else { return true }
            return !traces.isEmpty
                && others.contains { view in
                    let other = observers[view.observer].number
                    return !traces.isDisjoint(with: HostTraces(view.item.peer).values)
                        || !traces.isDisjoint(with: former.values(of: id, at: other))
                        || before[other].map { !traces.isDisjoint(with: $0) } ?? false
                }
        }
        guard let known else { return nil }
        return hosts.isEmpty ? id : hosts.first { $0.isSeen(by: known) }?.id
    }

    /// Returns the name of the observer by which a row is told from others of its host name; `nil` if there are none.
    func distinction(of id: UUID) -> ObserverName? {
        namesakes.row(id)?.host.observer
    }

    /// Returns the hosts that a device is; none if it is one.
    private func hosts(of id: UUID) -> [Namesake] {
        guard let device = devices[id], device.views.count > 1 else { return [] }
        // An identifier in a record is not that of a host.
        let views = device.views.filter { $0.item.peer.identity.source == .hostName }
        guard !HostTraces.areOfOneHost(views.lazy.map(\.item)) else { return [] }
        let hosts = HostTraces.hosts(
            views.map { view in
                HostTraces.Sighting(
                    observer: observers[view.observer].name,
                    traces: HostTraces(view.item.peer),
                    former: former.values(of: id, at: observers[view.observer].number))
            })
        guard hosts.count > 1 else { return [] }
        return hosts.map { host in
            Namesake(
                of: id, observer: host.observer,
                observers: host.sightings.map { sighting in
                    let index = views[sighting].observer
                    return (index, observers[index].number)
                })
        }
    }

    /// Returns the row that takes the place of a device which was one host: the row of the host that the device's first
    /// observer sees, or the device under its new identifier.
    private func successor(
        of id: UUID, among hosts: [Namesake], _ moves: [Int: UUID], _ last: UUID?
    ) -> UUID? {
        guard hosts.isEmpty else {
            let first = devices[id]?.first
            return (hosts.first { host in first.map(host.isSeen) ?? false } ?? hosts[0]).id
        }
        guard devices[id] == nil else { return nil }
        return moves.min { $0.key < $1.key }.map { namesakes.row(of: $0.value, at: $0.key) }
            ?? last.map { namesakes.row(of: $0, at: nil) }
    }

    /// Returns the row that takes the place of a removed row: the row that an observer of the removed one sees, or the
    /// device under its new identifier.
    private func successor(
        of row: Namesake, of id: UUID, among hosts: [Namesake], _ moves: [Int: UUID]
    ) -> UUID? {
        let numbers = [row.first].compactMap(\.self) + row.observers.map(\.number)
        for number in numbers {
            if let host = hosts.first(where: { $0.isSeen(by: number) }) { return host.id }
        }
        let seen = Set(numbers)
        if hosts.isEmpty,
            devices[id]?.views.contains(where: { seen.contains(observers[$0.observer].number) })
                == true
        {
            return id
        }
        for number in numbers {
            if let device = moves[number] { return namesakes.row(of: device, at: number) }
        }
        return nil
    }

    /// Returns the views of a row.
    private func views(of id: UUID) -> [View] {
        if let (device, host) = namesakes.row(id) {
            return host.observers.compactMap { view(of: $0.index, in: device) }
        }
        let views = devices[id]?.views ?? []
        return namesakes[id].isEmpty
            ? views : views.filter { $0.item.peer.identity.source != .hostName }
    }

    private func view(of observer: Int, in device: UUID) -> View? {
        let place = position(of: observer, in: device)
        return place.isTaken ? devices[device]?.views[place.index] : nil
    }

    // MARK: Rows

    /// Returns the index of the view that gives a device its name, host and kind.
    ///
    /// The first of these that tells views apart decides: the observer is online; its site is trusted; the evidence is
    /// a value from which the identifier is computed, rather than the identifier itself, which anyone can repeat; the
    /// observer knew the device first, also if the device left it since, or else before the others; observers of more names
    /// say the same; the name of the observer.
    private mutating func leader(of id: UUID) -> Int? {
        let views = views(of: id)
        guard !views.isEmpty else { return nil }
        let isAlone = views.count == 1
        let first = namesakes.row(id).map(\.host.first) ?? devices[id]?.first
        let votes = isAlone ? [:] : votes(views)
        func rank(_ view: View) -> (Int, Int, Int, Int, Int, Int) {
            (
                observers[view.observer].isOnline ? 0 : 1, observers[view.observer].trust,
                view.item.peer.identity.source == .announced ? 1 : 0,
                observers[view.observer].number == first ? 0 : 1, view.order,
                votes.isEmpty ? 0 : -(votes[view.claim] ?? 0)
            )
        }
        let leader =
            isAlone
            ? 0 : views.indices.min { rank(views[$0]) < rank(views[$1]) }
        guard let leader else { return nil }
        let observer = observers[views[leader].observer]
        if first.map({ !numbers.contains($0) }) ?? true,
            readBrokers.contains(observer.key.broker)
        {
            if !namesakes.setFirst(observer.number, of: id) {
                devices[id]?.first = observer.number
            }
        }
        return leader
    }

    /// Returns the number of names whose observers claim the same of a device, by the claim; none if all do. A user of
    /// the broker may be an observer of its name at several sites.
    private func votes(_ views: [View]) -> [DeviceClaim: Int] {
        guard let claim = views.first?.claim, views.contains(where: { $0.claim != claim }) else {
            return [:]
        }
        var names: [DeviceClaim: Set<ObserverName>] = [:]
        for view in views where observers[view.observer].isOnline {
            names[view.claim, default: []].insert(observers[view.observer].key.name.withoutSite)
        }
        return names.mapValues(\.count)
    }

    /// Returns the row of a device as all its observers see it; `nil` if none does.
    ///
    /// The view that ``leader(of:)`` chooses gives its name, host and kind. Others that agree with it and are online
    /// add presence, addresses, services and what the first one lacks.
    ///
    /// - Complexity: O(*v*), where *v* is the number of its views.
    mutating func item(_ id: UUID) -> ListItem? {
        guard let leader = leader(of: id) else { return nil }
        let views = views(of: id)
        let first = views[leader]
        var merged = first.item
        var presences = observers[first.observer].isOnline ? [first.presence] : []
        if views.count > 1 {
            let site = observers[first.observer].key.name.site
            var (firstSeen, lastSeen) = (merged.peer.firstSeen, merged.peer.lastSeen)
            var label = merged.peer.label
            for index in views.indices where index != leader {
                let view = views[index]
                guard view.agrees(with: first) else { continue }
                firstSeen = min(firstSeen, view.item.peer.firstSeen)
                lastSeen = max(lastSeen, view.item.peer.lastSeen)
                // Addresses and services of an observer that is away may be outdated.
                guard observers[view.observer].isOnline else { continue }
                presences.append(view.presence)
                merged.merge(view.item)
                // A label is shown instead of the name.
                if observers[view.observer].key.name.site.utf8.elementsEqual(site.utf8) {
                    label = label ?? view.item.peer.label
                }
            }
            (merged.peer.firstSeen, merged.peer.lastSeen) = (firstSeen, lastSeen)
            merged.peer.label = label
        }
        merged.peer.id = id
        merged.peer.presence = presences.isEmpty ? .unknown : .combined(presences)
        (merged.peer.isSelf, merged.peer.interfaces, merged.peer.isNew) = (false, [], false)
        merged.peer.views = merging(views, after: first)
        if devices[id]?.views.count == 1 { devices[id]?.views[0].item = merged }
        return merged
    }

    /// Returns what each observer knows of a device, and where it contradicts the view that the row follows.
    private func merging(_ views: [View], after first: View) -> [PeerView] {
        var list: [PeerView] = []
        list.reserveCapacity(views.count)
        for view in views {
            let (name, status) = (observers[view.observer].name, observers[view.observer].status)
            let place = list.partitionIndex { $0.name >= name }
            // Bridged brokers both have an observer.
            if place < list.count, list[place].name == name {
                guard list[place].presence == .unknown, status?.state == .online else { continue }
                list.remove(at: place)
            }
            var peer = PeerView(
                name: name, host: status?.host ?? "",
                presence: status?.state == .online ? view.presence : .unknown,
                since: view.item.peer.firstSeen, interfaces: view.interfaces,
                vouching: view.vouching)
            if view.observer != first.observer {
                peer.claim = view.claim.contradiction(
                    of: first.claim, isOther: !view.agrees(with: first))
            }
            list.insert(peer, at: place)
        }
        return list
    }
}
