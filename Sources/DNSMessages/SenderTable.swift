// Counts the senders of records, by the name of the records.

/// The senders that were heard under each name, within bounds on what others can announce.
///
/// The senders of a name are counted, and passed on from time to time. Times are in milliseconds since any fixed moment.
package struct SenderTable: Sendable {
    /// The maximum number of names.
    package static let nameLimit = 4_096
    /// The maximum number of senders of a name; a machine with eight interfaces is 16, by its addresses of both families.
    package static let senderLimit = 16
    /// The maximum number of senders.
    package static let machineLimit = 1_024
    /// The maximum number of names whose senders are passed on at once.
    package static let reportLimit = 1_024
    /// The time for which a name, or a sender of a name, keeps its place, and the shortest time between two searches for
    /// names that do not.
    private static let keepTime: UInt64 = 60_000

    /// The packets of a sender with records of a name.
    package struct Packets: Sendable, Hashable {
        package fileprivate(set) var count: UInt32 = 0
        /// The time of the last packet.
        package fileprivate(set) var last: UInt64 = 0
        /// Whether all packets had a hop limit of 255.
        package fileprivate(set) var isLocal = true
        /// The options of the last packet that had any.
        package fileprivate(set) var options = DNSOptions()

        fileprivate mutating func add(_ isLocal: Bool, _ options: DNSOptions, at now: UInt64) {
            count &+= 1
            last = now
            self.isLocal = self.isLocal && isLocal
            if options != DNSOptions() { self.options = options }
        }
    }

    /// The senders of a name since they were passed on last.
    package struct Senders: Sendable, Hashable {
        /// The name as written.
        package let name: DNSName
        package let senders: [Sender: Packets]
    }

    /// The numbers of items that were left out because a limit was reached.
    package struct Omitted: Sendable, Hashable {
        package fileprivate(set) var names: UInt32 = 0
        package fileprivate(set) var senders: UInt32 = 0

        /// Whether nothing was left out.
        package var isEmpty: Bool { self == Omitted() }
    }

    private struct Name {
        enum Outcome { case counted, known, noRoom }

        var senders: [Sender: Packets] = [:]
        var last: UInt64 = 0
        /// The number of the last packet whose sender was counted.
        var lastPacket = 0
        /// Whether its senders wait to be passed on.
        var isChanged = false

        mutating func count(
            _ packet: Belief, number: Int, of sender: Sender, at now: UInt64
        ) -> Outcome {
            last = now
            // A packet may have several records of a name.
            guard lastPacket != number else { return .known }
            if senders[sender] == nil, senders.count >= SenderTable.senderLimit {
                let oldest = senders.min { $0.value.last < $1.value.last }
                guard let oldest, oldest.value.count == 0,
                    now - oldest.value.last >= SenderTable.keepTime
                else { return .noRoom }
                senders[oldest.key] = nil
            }
            lastPacket = number
            senders[sender, default: Packets()].add(packet.isLocal, packet.options, at: now)
            defer { isChanged = true }
            return isChanged ? .known : .counted
        }
    }

    private var names: [DNSName: Name] = [:]
    private var machines: Set<Sender> = []
    /// The names whose senders wait to be passed on, in the order in which they were heard.
    private var changed: [DNSName] = []
    private var omitted = Omitted()
    private var packetCount = 0
    private var lastSearch: UInt64?

    package init() {}

    /// Whether senders wait to be passed on, or something was left out.
    package var hasSenders: Bool { !changed.isEmpty || !omitted.isEmpty }
    /// The number of names.
    package var nameCount: Int { names.count }

    /// Counts a packet of a sender under the names of its records; returns `false` if there is no room for the sender.
    @discardableResult
    package mutating func hear(_ packet: Belief, from sender: Sender, at now: UInt64) -> Bool {
        guard admit(sender, at: now) else {
            omitted.senders &+= 1
            return false
        }
        packetCount += 1
        // A goodbye does not say that the sender speaks for the name, and a type has any number of senders.
        for record in packet.records where record.ttl > 0 && record.type != DNSType.ptr {
            guard names[record.name] != nil || hasRoom(at: now) else {
                omitted.names &+= 1
                continue
            }
            let outcome = names[record.name, default: Name()].count(
                packet, number: packetCount, of: sender, at: now)
            switch outcome {
            case .counted: changed.append(record.name)
            case .known: break
            case .noRoom: omitted.senders &+= 1
            }
        }
        return true
    }

    /// Returns the senders of up to ``reportLimit`` names, and what was left out, which wait no more.
    package mutating func popSenders() -> (senders: [Senders], omitted: Omitted) {
        let reported = changed.prefix(Self.reportLimit)
        changed.removeFirst(reported.count)
        var all: [Senders] = []
        for name in reported {
            guard let senders = names[name]?.senders else { continue }
            names[name]?.isChanged = false
            all.append(Senders(name: name, senders: senders.filter { $0.value.count > 0 }))
            for sender in senders.keys {
                names[name]?.senders[sender]?.count = 0
                names[name]?.senders[sender]?.isLocal = true
            }
        }
        defer { omitted = Omitted() }
        return (all, omitted)
    }

    private mutating func hasRoom(at now: UInt64) -> Bool {
        if names.count >= Self.nameLimit { removeOld(at: now) }
        return names.count < Self.nameLimit
    }

    private mutating func admit(_ sender: Sender, at now: UInt64) -> Bool {
        if machines.contains(sender) { return true }
        if machines.count >= Self.machineLimit { removeOld(at: now) }
        guard machines.count < Self.machineLimit else { return false }
        machines.insert(sender)
        return true
    }

    /// Makes room: removes the names that were not heard for a minute, and the senders of none of the others.
    ///
    /// - Complexity: O(*n*) in the names, at most once a minute.
    private mutating func removeOld(at now: UInt64) {
        guard lastSearch.map({ now - $0 >= Self.keepTime }) ?? true else { return }
        lastSearch = now
        names = names.filter { now - $0.value.last < Self.keepTime || $0.value.isChanged }
        machines = names.values.reduce(into: []) { $0.formUnion($1.senders.keys) }
    }
}
