// The devices of which SSDP, WS-Discovery and the neighbour table tell, as events of discovery.
import DNSMessages
package import FoundationEssentials
package import PeerModel
package import SilentMessages

/// The devices that tell of themselves by SSDP or WS-Discovery, or that are in the kernel's neighbour table.
///
/// Each is a device without a host name; the list finds the host at its address. Each type that it tells is a service
/// under its identifier. Its description, and what else it tells of itself, are attributes of one of the services. A
/// device that is in another device is that device.
///
/// The table does no I/O, and times are any that do not fall, in microseconds.
package struct SilentTable: Sendable {
    /// The maximum number of devices.
    package static let deviceLimit = 4_096
    /// The maximum number of devices of one sender.
    package static let senderLimit = 16
    /// The maximum number of services of a device.
    package static let serviceLimit = 64
    /// The maximum number of addresses of a device.
    package static let addressLimit = 8
    /// The time for which a statement of WS-Discovery holds, as one of SSDP usually does. A device that has been silent
    /// for so long is asked, and has left unless it answers.
    package static let lifetime: Int64 = 1_800_000_000
    /// The time for an answer.
    package static let patience: Int64 = 10_000_000
    /// The minimum time between two attempts to fetch a description.
    private static let fetchInterval: Int64 = 60_000_000
    /// The time in which a device names the device that it is in: answers come within two seconds.
    private static let rootPatience: Int64 = 2_500_000
    /// The maximum numbers of devices that wait for that, and of the statements of each.
    private static let waitingLimit = 256
    private static let waitingStatementLimit = 16
    /// The type of a device that tells none.
    private static let plainTypes: [Statement.Speaker: String] = [
        .ssdp: "upnp:rootdevice", .wsd: "wsd:Device", .neighbours: "neighbour:table",
    ]
    /// The time for which an entry of the neighbour table holds that is not seen again.
    private static let neighbourTime: Int64 = 300_000_000

    /// A packet's sender.
    package struct Origin: Sendable, Hashable {
        package let address: HostAddress
        /// The path on which the packet came.
        package let path: NetworkPath
        /// The MAC address in the kernel's table, if it is there.
        package let mac: MACAddress?

        package init(_ address: HostAddress, on path: NetworkPath, mac: MACAddress?) {
            (self.address, self.path, self.mac) = (address, path, mac)
        }
    }

    /// A report or a request that follows from what was heard.
    package enum Effect: Sendable, Hashable {
        case report(DiscoveryEvent.Kind)
        /// Fetch the description at a URL, which is used only if it is at the address.
        case fetch(Key, url: String, from: HostAddress, NetworkPath)
        /// Ask an address by a unicast packet, so that the kernel learns its MAC address.
        case ask(Statement.Speaker, HostAddress, NetworkPath)
        /// Ask a device of WS-Discovery for the URL of its description.
        case resolve(Key, NetworkPath)
        /// Ask all devices of WS-Discovery.
        case askAll
    }

    /// The protocol of a device and its identifier there.
    package struct Key: Sendable, Hashable {
        package let speaker: Statement.Speaker
        package let device: String

        package init(speaker: Statement.Speaker, device: String) {
            (self.speaker, self.device) = (speaker, device)
        }
    }

    /// The description of a device, as a sender announces it; another sender may announce the same URL.
    private struct Page: Hashable {
        let url: String
        let sender: HostAddress
    }

    private struct Address {
        var path: NetworkPath
        var mac: MACAddress?
        var last: Int64
    }

    private struct Device {
        /// The times at which its services have left unless they are heard again, by type.
        var services: [String: Int64] = [:]
        var addresses: [HostAddress: Address] = [:]
        /// The paths on which its services were reported, and whether these are lost.
        var paths: [NetworkPath: Bool] = [:]
        /// The URLs of its description, by the addresses that announce them.
        var locations: [HostAddress: String] = [:]
        /// The values that packets tell of it.
        var texts: [String: String] = [:]
        /// The values that its description tells.
        var description: [String: String] = [:]
        /// The reason for which the description could not be fetched, and the time from which that may be tried again.
        var fault: (reason: String, next: Int64)?
        /// The type that the description tells.
        var type: String?
        var reported: (addresses: [HostAddress], macs: [MACAddress]) = ([], [])
        /// The resolutions of its services as last reported.
        var resolutions: [String: Resolution] = [:]
        /// The time until which it may answer a question that it was asked because it has been silent.
        var askedUntil: Int64?

        /// Whether a sender has one of its addresses, or the MAC address of one.
        func isAt(_ origin: Origin) -> Bool {
            addresses[origin.address] != nil
                || origin.mac.map { mac in addresses.values.contains { $0.mac == mac } } ?? false
        }
    }

    private enum Timer {
        case service(Key, String)
        case root(Key)
        case lost(NetworkPath)
    }

    private var devices: [Key: Device] = [:]
    /// The devices of the reported services.
    private var keys: [UUID: Key] = [:]
    /// The devices by their addresses.
    private var speakers: [HostAddress: Set<Key>] = [:]
    /// The whole devices of descriptions, and of the devices in them.
    private var roots: [Page: Key] = [:]
    private var members: [Key: Key] = [:]
    /// The times from which all devices, a sender alone, and a device for its URL may be asked again.
    private var nextQuestion = (all: Int64.min, alone: Int64.min, url: Int64.min)
    /// The statements of devices that may be in another one, until that is known.
    private var waiting: [Key: [(Statement, Origin)]] = [:]
    /// The paths that are lost.
    private var down: Set<NetworkPath> = []
    private var timers = TimerQueue<Timer>()
    private var effects: [Effect] = []
    /// The number of devices without room.
    package private(set) var omittedCount = 0

    package init() {}

    package var count: Int { devices.count }
    /// The number of devices of each protocol.
    package var counts: [Statement.Speaker: Int] {
        Dictionary(grouping: devices.keys, by: \.speaker).mapValues(\.count)
    }
    /// The time of the next timer.
    package var due: Int64? { timers.due }
    /// The addresses of devices whose MAC addresses are unknown.
    package var addressesWithoutMAC: [HostAddress] {
        speakers.filter { address, keys in
            keys.contains { devices[$0]?.addresses[address]?.mac == nil }
        }.map(\.key)
    }

    /// Handles what a packet tells.
    ///
    /// - Complexity: O(1), and O(*s*) for a device with *s* services if something has changed.
    package mutating func hear(
        _ statement: Statement, from origin: Origin, at now: Int64
    ) -> [Effect] {
        drop(othersAt: origin)
        let key = Key(speaker: statement.speaker, device: statement.device)
        if statement.isGoodbye {
            leave(members[key] ?? key, statement, from: origin)
        } else if let root = root(of: key, statement, origin, at: now) {
            accept(statement, for: root, from: origin, at: now)
        }
        return takeEffects()
    }

    /// Handles the description of a device: its type, if that is known, and its values by their keys.
    package mutating func describe(
        _ key: Key, as type: String?, _ values: [String: String]
    ) -> [Effect] {
        guard devices[key] != nil else { return [] }
        devices[key]?.description = values
        devices[key]?.type = type
        devices[key]?.fault = nil
        report(key)
        return takeEffects()
    }

    /// Handles the reason for which the description of a device could not be fetched, which is told as one of its values.
    /// It is fetched when the device tells of itself again, after a minute at the earliest.
    package mutating func describe(_ key: Key, as fault: String, at now: Int64) -> [Effect] {
        guard devices[key] != nil else { return [] }
        devices[key]?.fault = (fault, now + Self.fetchInterval)
        report(key)
        return takeEffects()
    }

    /// Handles a MAC address that the kernel has learned.
    package mutating func learn(_ mac: MACAddress, of address: HostAddress) -> [Effect] {
        for key in speakers[address] ?? [] {
            guard let addresses = devices[key]?.addresses else { continue }
            // Before a MAC address is known, another machine may have been taken for the device.
            let others = addresses.values.compactMap(\.mac)
            if !others.isEmpty, !others.contains(mac) || addresses[address]?.mac ?? mac != mac {
                drop(address, of: key)
            } else {
                devices[key]?.addresses[address]?.mac = mac
                report(key)
            }
        }
        return takeEffects()
    }

    /// Handles an entry of the neighbour table, whose machine has answered address resolution.
    package mutating func see(
        _ mac: MACAddress, at address: HostAddress, on path: NetworkPath, _ now: Int64
    ) -> [Effect] {
        var statement = Statement(.neighbours, of: "mac:\(mac.text)", isWhole: true)
        statement.lifetime = UInt32(Self.neighbourTime / 1_000_000)
        return hear(statement, from: Origin(address, on: path, mac: mac), at: now)
    }

    /// Whether a service is one of these devices.
    package func hasService(_ id: UUID) -> Bool { keys[id] != nil }

    /// Whether a service is of a device that can be asked; one of the neighbour table cannot.
    package func canAsk(_ id: UUID) -> Bool { keys[id].map { $0.speaker != .neighbours } ?? false }

    /// The addresses of the devices of some services, with the paths on which they are heard.
    package func addresses(of services: [UUID]) -> [(HostAddress, NetworkPath)] {
        Set(services.compactMap { keys[$0] }).flatMap { key in
            (devices[key]?.addresses ?? [:]).map { ($0.key, $0.value.path) }
        }
    }

    /// Handles the loss of paths: nothing can be heard on them, and the list does not believe what was.
    package mutating func lose(_ paths: Set<NetworkPath>) {
        down.formUnion(paths)
        for key in devices.keys {
            for path in paths where devices[key]?.paths[path] != nil {
                devices[key]?.paths[path] = true
            }
        }
    }

    /// Handles the return of paths, on which all devices are asked: what does not answer has left.
    package mutating func find(_ paths: Set<NetworkPath>, at now: Int64) {
        down.subtract(paths)
        for path in paths { timers.add(.lost(path), at: now + Self.patience) }
    }

    /// Handles what is due.
    package mutating func advance(to now: Int64) -> [Effect] {
        while let (_, timer) = timers.popDue(at: now) { fire(timer, at: now) }
        return takeEffects()
    }

    /// Handles the answers to a question: a device that did not answer is silent.
    ///
    /// - Parameters:
    ///   - services: The identifiers of the services whose devices were asked.
    ///   - start: The time of the question.
    /// - Returns: The services that have answered, and what is to be reported.
    package mutating func settle(
        _ services: [UUID], askedAt start: Int64
    ) -> (answered: Set<UUID>, effects: [Effect]) {
        var answered: Set<UUID> = []
        for id in Set(services) {
            guard let key = keys[id], let device = devices[key],
                let type = device.resolutions.keys.first(where: {
                    Self.service($0, of: key).id == id
                })
            else { continue }
            let service = Self.service(type, of: key)
            if device.addresses.values.contains(where: { $0.last >= start }) {
                answered.insert(id)
                effects.append(.report(.answered(service)))
            } else {
                // Reported as resolved when the device is heard again.
                devices[key]?.resolutions[type]?.isConfirmed = false
                effects.append(.report(.unanswered(service)))
            }
        }
        return (answered, takeEffects())
    }

    private mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }
}

// MARK: Devices in devices

extension SilentTable {
    /// Returns the whole device to which a statement belongs; `nil` while that is not known.
    private mutating func root(
        of key: Key, _ statement: Statement, _ origin: Origin, at now: Int64
    ) -> Key? {
        if statement.isWhole {
            members[key] = nil
            return key
        }
        let url = statement.location
        if let root = members[key] ?? roots[Page(url: url, sender: origin.address)],
            devices[root]?.addresses[origin.address] != nil
        {
            return add(key, to: root)
        }
        if url.isEmpty || devices[key] != nil { return key }
        if waiting[key] == nil {
            guard waiting.count < Self.waitingLimit else {
                omittedCount += 1
                return nil
            }
            timers.add(.root(key), at: now + Self.rootPatience)
        }
        if waiting[key]?.count ?? 0 < Self.waitingStatementLimit {
            waiting[key, default: []].append((statement, origin))
        }
        return nil
    }
}

// MARK: Statements

extension SilentTable {
    /// Adds a device that is in another one; returns the other one, or `nil` if there is no room.
    private mutating func add(_ member: Key, to root: Key) -> Key? {
        guard member != root, members[member] != root else { return root }
        guard members.count < Self.deviceLimit else {
            omittedCount += 1
            return nil
        }
        members[member] = root
        return root
    }

    /// Handles the statements of devices that wait for the whole device of a description, which is known now.
    private mutating func acceptWaiting(for page: Page, _ root: Key, at now: Int64) {
        roots[page] = root
        for (member, statements) in waiting
        where statements[0].0.location == page.url && statements[0].1.address == page.sender {
            waiting[member] = nil
            guard add(member, to: root) != nil else { continue }
            for (statement, origin) in statements {
                accept(statement, for: root, from: origin, at: now)
            }
        }
    }

    private mutating func accept(
        _ statement: Statement, for key: Key, from origin: Origin, at now: Int64
    ) {
        guard isKnown(origin, for: key, at: now) else { return }
        var device = devices[key] ?? Device()
        speakers[origin.address, default: []].insert(key)
        let known = device.addresses[origin.address]
        let mac = origin.mac ?? known?.mac
        device.addresses[origin.address] = Address(path: origin.path, mac: mac, last: now)
        let isReturn = device.paths[origin.path] != false
        device.paths[origin.path] = false
        device.askedUntil = nil
        var isChanged = isReturn || known == nil || known?.mac != mac
        let lifetime =
            statement.lifetime > 0 ? Int64(statement.lifetime) * 1_000_000 : Self.lifetime
        let types = statement.types.isEmpty ? [Self.plainTypes[key.speaker] ?? ""] : statement.types
        for type in types
        where device.services[type] != nil || device.services.count < Self.serviceLimit {
            // Identifiers and types that differ in case alone make one name of a service.
            if let other = keys[Self.service(type, of: key).id], other != key { continue }
            if device.services.updateValue(now + lifetime, forKey: type) == nil {
                timers.add(.service(key, type), at: now + lifetime)
                isChanged = true
            }
        }
        for text in statement.texts where device.texts[text.key] != text.value {
            device.texts[text.key] = text.value
            isChanged = true
        }
        isChanged = isChanged || device.resolutions.values.contains { !$0.isConfirmed }
        let isNew = devices[key] == nil
        devices[key] = device
        if key.speaker == .wsd, statement.location.isEmpty, devices[key]?.locations.isEmpty == true,
            now >= nextQuestion.url
        {
            nextQuestion.url = now + 1_000_000
            effects.append(.resolve(key, origin.path))
        }
        if noteLocation(of: key, statement, origin, at: now) { isChanged = true }
        if isChanged { report(key, on: isReturn && !isNew ? origin.path : nil) }
        for type in types where device.resolutions[type] != nil {
            effects.append(.report(.answered(Self.service(type, of: key))))
        }
    }

    /// Has the description of a device fetched if its URL is new, and the devices in it found; returns whether it is new.
    private mutating func noteLocation(
        of key: Key, _ statement: Statement, _ origin: Origin, at now: Int64
    ) -> Bool {
        guard !statement.location.isEmpty else { return false }
        let former = devices[key]?.locations.updateValue(
            statement.location, forKey: origin.address)
        let page = Page(url: statement.location, sender: origin.address)
        let isMoved = former != statement.location
        if isMoved, let former { roots[Page(url: former, sender: origin.address)] = nil }
        let isWanted =
            if let fault = devices[key]?.fault {
                isMoved || now >= fault.next
            } else {
                // The description is the same at each address.
                isMoved && (former != nil || devices[key]?.description.isEmpty == true)
            }
        if isWanted {
            devices[key]?.fault?.next = now + Self.fetchInterval
            effects.append(.fetch(key, url: page.url, from: origin.address, origin.path))
        }
        if statement.isWhole, roots[page] != key { acceptWaiting(for: page, key, at: now) }
        return isMoved
    }

    /// Whether a sender is the device, or the first that speaks for it.
    ///
    /// Another sender of the family is the device only if it has the MAC address of the first, which has another address
    /// now. Until the MAC address is known, the sender is asked for something, so that the kernel learns it.
    private mutating func isKnown(_ origin: Origin, for key: Key, at now: Int64) -> Bool {
        guard let device = devices[key] else {
            guard devices.count < Self.deviceLimit,
                speakers[origin.address]?.count ?? 0 < Self.senderLimit
            else {
                omittedCount += 1
                return false
            }
            return true
        }
        if device.addresses[origin.address] != nil { return true }
        let hasRoom = device.addresses.count < Self.addressLimit
        if key.speaker == .neighbours { return hasRoom }
        let macs = Set(device.addresses.values.compactMap(\.mac))
        if let mac = origin.mac, !macs.isEmpty, !macs.contains(mac) { return false }
        let rivals = device.addresses.keys.filter {
            $0.family == origin.address.family && $0.isLinkLocal == origin.address.isLinkLocal
        }
        if rivals.isEmpty, macs.isEmpty || origin.mac != nil { return hasRoom }
        guard let mac = origin.mac, macs.contains(mac) else {
            ask(origin, by: key.speaker, at: now)
            return false
        }
        for rival in rivals { detach(rival, from: key) }
        return true
    }

    /// Asks all devices of WS-Discovery, at most once a minute.
    private mutating func askAll(at now: Int64) {
        guard now >= nextQuestion.all else { return }
        nextQuestion.all = now + 60_000_000
        effects.append(.askAll)
    }

    /// Asks a sender alone: at most one a second, since anybody can forge senders.
    private mutating func ask(
        _ origin: Origin, by speaker: Statement.Speaker, at now: Int64
    ) {
        guard now >= nextQuestion.alone else { return }
        nextQuestion.alone = now + 1_000_000
        effects.append(.ask(speaker, origin.address, origin.path))
    }

    /// Ends what other machines told at the address of a sender.
    private mutating func drop(othersAt origin: Origin) {
        guard let mac = origin.mac else { return }
        for key in speakers[origin.address] ?? [] {
            let known = devices[key]?.addresses[origin.address]?.mac
            if let known, known != mac { drop(origin.address, of: key) }
        }
    }

    private mutating func detach(_ address: HostAddress, from key: Key) {
        speakers[address]?.remove(key)
        if speakers[address]?.isEmpty == true { speakers[address] = nil }
        devices[key]?.addresses[address] = nil
        if let url = devices[key]?.locations.removeValue(forKey: address) {
            roots[Page(url: url, sender: address)] = nil
        }
    }

    /// Removes an address of a device, and the device if it was the last one.
    private mutating func drop(_ address: HostAddress, of key: Key) {
        detach(address, from: key)
        if devices[key]?.addresses.isEmpty == true { remove(key, .expired) } else { report(key) }
    }

    /// Handles a goodbye, which only the machine of the device can say.
    private mutating func leave(_ key: Key, _ statement: Statement, from origin: Origin) {
        let told = Key(speaker: statement.speaker, device: statement.device)
        if waiting[told]?.first?.1.address == origin.address { waiting[told] = nil }
        guard let device = devices[key], device.isAt(origin) else { return }
        if told == key, statement.isWhole || statement.types.isEmpty {
            return remove(key, .removed)
        }
        for type in statement.types { devices[key]?.services[type] = nil }
        if devices[key]?.services.isEmpty == true { remove(key, .removed) } else { report(key) }
    }

    private mutating func remove(_ key: Key, _ departure: Departure) {
        guard let device = devices.removeValue(forKey: key) else { return }
        for address in device.addresses.keys {
            speakers[address]?.remove(key)
            if speakers[address]?.isEmpty == true { speakers[address] = nil }
        }
        roots = roots.filter { $0.value != key }
        members = members.filter { $0.value != key }
        for type in device.resolutions.keys.sorted() {
            withdraw(type, of: key, device, departure)
        }
    }

    private mutating func fire(_ timer: Timer, at now: Int64) {
        switch timer {
        case .service(let key, let type):
            guard let device = devices[key], let end = device.services[type] else { return }
            if end > now { return timers.add(timer, at: end) }
            // WS-Discovery repeats nothing, so a device is asked before it counts as gone.
            if key.speaker == .wsd {
                let until = device.askedUntil ?? now + Self.patience
                if device.askedUntil == nil {
                    devices[key]?.askedUntil = until
                    askAll(at: now)
                }
                if now < until { return timers.add(timer, at: until) }
            }
            devices[key]?.services[type] = nil
            if devices[key]?.services.isEmpty == true {
                remove(key, .expired)
            } else {
                report(key, withdrawing: .expired)
            }
        case .root(let key):
            for (statement, origin) in waiting.removeValue(forKey: key) ?? [] {
                accept(statement, for: key, from: origin, at: now)
            }
        case .lost(let path):
            guard !down.contains(path) else { return }
            for (key, device) in devices where device.paths[path] == true {
                guard device.paths.count > 1 else {
                    remove(key, .link)
                    continue
                }
                devices[key]?.paths[path] = nil
                for type in device.resolutions.keys.sorted() {
                    effects.append(
                        .report(.removed(Self.sighting(type, of: key, on: path), .link)))
                }
            }
        }
    }
}

// MARK: Reports

extension SilentTable {
    /// Reports what has changed of a device since the last report; all of it again on a path that is back.
    private mutating func report(
        _ key: Key, on returned: NetworkPath? = nil, withdrawing departure: Departure = .removed
    ) {
        guard let device = devices[key] else { return }
        let addresses = device.addresses.keys.sorted()
        let wanted = Self.resolutions(of: device, key, at: addresses.first)
        let paths = device.paths.filter { !$0.value }.keys.sorted()
        for (type, resolution) in wanted.sorted(by: { $0.key < $1.key }) {
            let known = device.resolutions[type]
            for path in known == nil ? paths : [returned].compactMap(\.self) {
                effects.append(.report(.found(Self.sighting(type, of: key, on: path))))
            }
            if known != resolution || returned != nil {
                effects.append(.report(.resolved(Self.service(type, of: key), resolution)))
            }
        }
        // Afterwards, so that the device has a service all the time.
        for type in device.resolutions.keys.sorted() where wanted[type] == nil {
            withdraw(type, of: key, device, departure)
        }
        for type in wanted.keys where device.resolutions[type] == nil {
            keys[Self.service(type, of: key).id] = key
        }
        devices[key]?.resolutions = wanted
        let macs = Set(device.addresses.values.compactMap(\.mac)).sorted()
        let host = HostName(endpoint: Self.endpoint(of: key))
        let isAgain = device.resolutions.isEmpty || returned != nil
        if addresses != device.reported.addresses || isAgain {
            effects.append(.report(.addresses(host: host, addresses)))
        }
        if macs != device.reported.macs || isAgain, !macs.isEmpty {
            effects.append(.report(.hardware(host: host, macs)))
        }
        devices[key]?.reported = (addresses, macs)
    }

    private mutating func withdraw(
        _ type: String, of key: Key, _ device: Device, _ departure: Departure
    ) {
        for path in device.paths.keys.sorted() {
            effects.append(.report(.removed(Self.sighting(type, of: key, on: path), departure)))
        }
        keys[Self.service(type, of: key).id] = nil
        effects.append(.report(.forgotten(Self.service(type, of: key))))
    }

    /// Returns the resolutions of the services of a device; the service of its own type has what it tells of itself.
    private static func resolutions(
        of device: Device, _ key: Key, at address: HostAddress?
    ) -> [String: Resolution] {
        let plain = plainTypes[key.speaker] ?? ""
        let told = device.services.keys.filter { $0 != plain }.sorted()
        let types = told.isEmpty ? [plain] : told
        let own = device.type.flatMap { types.contains($0) ? $0 : nil } ?? types[0]
        var values = device.texts.merging(device.description) { $1 }
        if let fault = device.fault { values["description"] = "not fetched: \(fault.reason)" }
        if key.speaker != .neighbours { values["UDN"] = name(of: key) }
        let txt = TXTRecord(
            values.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .text($0.value)) })
        let port = address.flatMap { descriptionPort(of: device, at: $0) } ?? 0
        return Dictionary(
            uniqueKeysWithValues: types.map {
                (
                    $0,
                    Resolution(
                        endpoint: endpoint(of: key), port: port, txt: $0 == own ? txt : TXTRecord(),
                        address: address)
                )
            })
    }

    /// The port of the description of a device at its address; `nil` if there is none.
    private static func descriptionPort(of device: Device, at address: HostAddress) -> UInt16? {
        device.locations[address].flatMap { try? DescriptionAddress($0, from: address.bytes).port }
    }

    /// The text that tells the device apart in the list. Another machine may tell the same identifier by the other protocol.
    private static func endpoint(of key: Key) -> String {
        switch key.speaker {
        case .ssdp: "ssdp:" + key.device
        case .wsd: "wsd:" + key.device
        case .neighbours: key.device
        }
    }

    private static func service(_ type: String, of key: Key) -> ServiceKey {
        ServiceKey(name: name(of: key), type: type, domain: "local")
    }

    /// The identifier of a device without what it is.
    private static func name(of key: Key) -> String {
        for prefix in ["uuid:", "mac:"] where key.device.hasPrefix(prefix) {
            return String(key.device.dropFirst(prefix.utf8.count))
        }
        return key.device
    }

    private static func sighting(
        _ type: String, of key: Key, on path: NetworkPath
    ) -> Sighting {
        Sighting(service: service(type, of: key), interface: path.interface, family: path.family)
    }
}
