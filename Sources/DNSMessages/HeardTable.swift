// Folds the responses on a link into the records that are new, and the senders under each name.

/// The records and senders that were heard, within bounds on what others can announce.
///
/// A record is passed on when it is heard for the first time, when it is withdrawn, and again after half of its time to
/// live. The senders of a name are counted, and passed on from time to time. Times are in milliseconds since any fixed
/// moment.
package struct HeardTable {
    /// The maximum number of names.
    package static let nameLimit = 4_096
    /// The maximum number of senders of a name.
    package static let senderLimit = 8
    /// The maximum number of senders.
    package static let machineLimit = 1_024
    /// The maximum number of names whose senders are passed on at once.
    package static let reportLimit = 1_024
    /// The maximum number of records of a name that are told apart.
    private static let recordLimit = 32
    /// The maximum number of records that wait to be passed on, and of bytes in their data.
    private static let waitingLimit = (count: 8_192, bytes: 2 << 20)
    /// The time for which a name, or a sender of a name, keeps its place, and the shortest time between two searches for
    /// names that do not.
    private static let keepTime: UInt64 = 60_000
    /// The time for which a record stays valid after a record with the cache-flush bit.
    private static let flushTime: UInt64 = 1_000

    /// A machine on a link.
    package struct Sender: Sendable, Hashable {
        /// The source address of its packets, of 4 or 16 bytes.
        package let address: [UInt8]
        /// The index of the interface on which the packets arrive.
        package let interface: Int32

        package init(address: [UInt8], interface: Int32) {
            (self.address, self.interface) = (address, interface)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(bytes: address)
            hasher.combine(interface)
        }
    }

    /// A record and its sender.
    package struct Heard: Sendable, Hashable {
        package let record: DNSMessage.Record
        package let sender: Sender
    }

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
        package fileprivate(set) var records: UInt32 = 0

        /// Whether nothing was left out.
        package var isEmpty: Bool { self == Omitted() }
    }

    private struct RecordID: Hashable {
        let type: UInt16
        let sender: Sender
        /// The hash of the data, with a random seed, so that large records take no room.
        let data: Int
    }

    /// An address of a name on an interface.
    private struct Address: Hashable {
        let type: UInt16
        let interface: Int32
        let data: [UInt8]
    }

    private struct Name {
        /// The times at which records were passed on last.
        var records: [RecordID: UInt64] = [:]
        /// The times at which addresses were heard last.
        var addresses: [Address: UInt64] = [:]
        var senders: [Sender: Packets] = [:]
        var last: UInt64
        /// The number of the last packet whose sender was counted.
        var lastPacket = 0
        /// Whether its senders wait to be passed on.
        var isChanged = false
    }

    private static let types = [DNSType.a, DNSType.ptr, DNSType.txt, DNSType.aaaa, DNSType.srv]

    private var names: [DNSName: Name] = [:]
    private var machines: Set<Sender> = []
    private var records: [Heard] = []
    private var recordBytes = 0
    /// The names whose senders wait to be passed on, in the order in which they were heard.
    private var changed: [DNSName] = []
    private var omitted = Omitted()
    private var packetCount = 0
    private var lastSearch: UInt64?

    package init() {}

    /// Whether records wait to be passed on.
    package var hasRecords: Bool { !records.isEmpty }
    /// Whether senders wait to be passed on, or something was left out.
    package var hasSenders: Bool { !changed.isEmpty || !omitted.isEmpty }
    /// The number of names.
    package var nameCount: Int { names.count }

    /// Adds the records of a response; queries, and messages with an error code, are ignored.
    ///
    /// Records of packets with another hop limit than 255, which a router may have forwarded, are not passed on.
    package mutating func hear(
        _ message: DNSMessage, from sender: Sender, isLocal: Bool, at now: UInt64
    ) {
        guard message.isResponse, !message.hasErrorCode else { return }
        guard admit(sender, at: now) else { return omitted.senders &+= 1 }
        packetCount += 1
        let all = message.answers + message.additionals
        for record in all where Self.types.contains(record.type) {
            let service = isLocal ? record.serviceOfPointer : nil
            if let service { passPointer(record, to: service, of: sender, at: now) }
            withName(record.name, at: now) { table, name in
                if isLocal, service == nil { table.pass(record, of: sender, in: &name, at: now) }
                if isLocal, record.isAddress {
                    table.note(record, on: sender.interface, in: &name, at: now)
                }
                // A goodbye does not say that the sender speaks for the name, and a type has any number of senders.
                if record.ttl > 0, record.type != DNSType.ptr {
                    table.count(sender, isLocal, message.options, in: &name, record.name, now)
                }
            }
        }
        // After all records, because the other addresses of the packet stay valid.
        guard isLocal else { return }
        for record in all where record.isAddress && record.isUnique && record.ttl > 0 {
            flush(record, of: sender, at: now)
        }
    }

    /// Returns the records that wait to be passed on, in order, which wait no more.
    package mutating func popRecords() -> [Heard] {
        defer { (records, recordBytes) = ([], 0) }
        return records
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

    /// Passes on a pointer of a type to a service, with the records of the service: a type has any number of services.
    private mutating func passPointer(
        _ record: DNSMessage.Record, to service: DNSName, of sender: Sender, at now: UInt64
    ) {
        withName(service, at: now) { $0.pass(record, of: sender, in: &$1, at: now) }
    }

    /// Changes what is known of a name, which is added if there is room.
    private mutating func withName(
        _ key: DNSName, at now: UInt64, _ change: (inout HeardTable, inout Name) -> Void
    ) {
        var name = Name(last: now)
        let index = names.index(forKey: key)
        if let index {
            // Taken out, so that the sets of the name are not copied when they change.
            swap(&name, &names.values[index])
            name.last = now
        } else if !hasRoom(at: now) {
            omitted.names &+= 1
            return
        }
        change(&self, &name)
        if let index { names.values[index] = name } else { names[key] = name }
    }

    private mutating func pass(
        _ record: DNSMessage.Record, of sender: Sender, in name: inout Name, at now: UInt64
    ) {
        // A service may have pointers of its type and of subtypes.
        let owner = record.type == DNSType.ptr ? record.name : nil
        let id = RecordID(
            type: record.type, sender: sender, data: Self.hash(record.data, of: owner))
        if record.ttl == 0 {
            guard name.records.removeValue(forKey: id) != nil else { return }
        } else {
            let life = UInt64(record.ttl) * 500
            if let before = name.records[id], now - before < life { return }
        }
        guard enqueue(record, of: sender) else { return }
        if record.ttl > 0 {
            if name.records.count >= Self.recordLimit { name.records = [:] }
            name.records[id] = now
        }
    }

    private static func hash(_ data: [UInt8], of owner: DNSName? = nil) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: data)
        if let owner { hasher.combine(owner) }
        return hasher.finalize()
    }

    /// Has a record wait to be passed on, and returns whether there is room for it.
    private mutating func enqueue(_ record: DNSMessage.Record, of sender: Sender) -> Bool {
        guard records.count < Self.waitingLimit.count,
            recordBytes + record.data.count <= Self.waitingLimit.bytes
        else {
            omitted.records &+= 1
            return false
        }
        records.append(Heard(record: record, sender: sender))
        recordBytes += record.data.count
        return true
    }

    private func note(
        _ record: DNSMessage.Record, on interface: Int32, in name: inout Name, at now: UInt64
    ) {
        let address = Address(type: record.type, interface: interface, data: record.data)
        if name.addresses.count >= Self.recordLimit { name.addresses = [:] }
        name.addresses[address] = record.ttl > 0 ? now : nil
    }

    /// Withdraws the addresses that a unique record replaces: all of its name, type and interface but for addresses that
    /// were heard within the last second (RFC 6762, section 10.2).
    private mutating func flush(_ record: DNSMessage.Record, of sender: Sender, at now: UInt64) {
        guard var name = names.removeValue(forKey: record.name) else { return }
        defer { names[record.name] = name }
        for (address, last) in name.addresses
        where address.type == record.type && address.interface == sender.interface
            && now - last > Self.flushTime
        {
            let withdrawal = DNSMessage.Record(
                name: record.name, type: record.type, isUnique: true, ttl: 0, data: address.data)
            guard enqueue(withdrawal, of: sender) else { return }
            name.addresses[address] = nil
            // If the address is heard again, it is passed on again.
            let data = Self.hash(address.data)
            name.records = name.records.filter {
                $0.key.type != record.type || $0.key.data != data
            }
        }
    }

    private mutating func count(
        _ sender: Sender, _ isLocal: Bool, _ options: DNSOptions, in name: inout Name,
        _ key: DNSName, _ now: UInt64
    ) {
        // A packet may have several records of a name.
        guard name.lastPacket != packetCount else { return }
        if name.senders[sender] == nil, name.senders.count >= Self.senderLimit {
            let oldest = name.senders.min { $0.value.last < $1.value.last }
            guard let oldest, oldest.value.count == 0, now - oldest.value.last >= Self.keepTime
            else { return omitted.senders &+= 1 }
            name.senders[oldest.key] = nil
        }
        name.lastPacket = packetCount
        name.senders[sender, default: Packets()].add(isLocal, options, at: now)
        if !name.isChanged { changed.append(key) }
        name.isChanged = true
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

extension DNSMessage.Record {
    /// Whether the record is an address of a host.
    fileprivate var isAddress: Bool { type == DNSType.a || type == DNSType.aaaa }

    /// The service to which the record points from a type; `nil` for other records.
    fileprivate var serviceOfPointer: DNSName? {
        guard type == DNSType.ptr, name != typesName, let target, target != name else { return nil }
        return target
    }
}

/// The name under which responders list their service types (RFC 6763, section 9).
private let typesName = DNSName("_services._dns-sd._udp.local")
