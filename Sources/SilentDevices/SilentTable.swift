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
    /// The time for which a statement of WS-Discovery holds, as one of SSDP usually does. A device that has been silent
    /// until its statements ended is asked, and has left unless it answers.
    package static let lifetime: Int64 = 1_800_000_000
    /// The time for an answer.
    package static let patience: Int64 = 10_000_000
    /// The time for which an entry of the neighbour table holds that is not seen again.
    private static let neighbourTime: Int64 = 300_000_000

    /// A report or a request that follows from what was heard.
    package enum Effect: Sendable, Hashable {
        case report(DiscoveryEvent.Kind)
        /// Fetch the description at a URL, which is used only if it is at the address.
        case fetch(SilentDevice.Key, url: String, from: HostAddress, NetworkPath)
        /// Ask an address by a unicast packet, so that the kernel learns its MAC address.
        case ask(Statement.Speaker, HostAddress, NetworkPath)
        /// Ask a device of WS-Discovery for the URL of its description.
        case resolve(SilentDevice.Key, NetworkPath)
        /// Ask all devices.
        case askAll
    }

    private enum Timer {
        case service(SilentDevice.Key, String)
        case root(SilentDevice.Key)
        case lost(NetworkPath)
    }

    private var devices: [SilentDevice.Key: SilentDevice] = [:]
    /// The devices of the reported services.
    private var keys: [UUID: SilentDevice.Key] = [:]
    /// The devices by their addresses.
    private var speakers: [HostAddress: Set<SilentDevice.Key>] = [:]
    private var roots = RootDevices()
    /// The times from which all devices, a sender alone, and a device for its URL may be asked again.
    private var nextQuestion = (all: Int64.min, alone: Int64.min, url: Int64.min)
    /// The paths that are lost.
    private var down: Set<NetworkPath> = []
    private var timers = TimerQueue<Timer>()
    private var effects: [Effect] = []
    private var refusedCount = 0

    package init() {}

    package var count: Int { devices.count }
    /// The number of devices without room.
    package var omittedCount: Int { refusedCount + roots.omittedCount }
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
        _ statement: Statement, from origin: SilentDevice.Origin, at now: Int64
    ) -> [Effect] {
        drop(othersAt: origin)
        let key = SilentDevice.Key(speaker: statement.speaker, device: statement.device)
        if statement.isGoodbye {
            leave(key, statement, from: origin)
            return takeEffects()
        }
        switch roots.find(for: key, statement, origin, in: devices) {
        case .found(let root): accept(statement, for: root, from: origin, at: now)
        case .waits(isFirst: true): timers.add(.root(key), at: now + RootDevices.patience)
        case .waits, .omitted: break
        }
        return takeEffects()
    }

    /// Handles the description of a device: its type, if that is known, and its values by their keys.
    package mutating func describe(
        _ key: SilentDevice.Key, as type: String?, _ values: [String: String]
    ) -> [Effect] {
        devices[key]?.describe(as: type, values)
        report(key)
        return takeEffects()
    }

    /// Handles the reason for which the description of a device could not be fetched, which is told as one of its values.
    /// It is fetched when the device tells of itself again, after a minute at the earliest.
    package mutating func describe(_ key: SilentDevice.Key, as fault: String, at now: Int64)
        -> [Effect]
    {
        devices[key]?.describe(as: fault, at: now)
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
        return hear(statement, from: SilentDevice.Origin(address, on: path, mac: mac), at: now)
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
                let type = device.resolutions.keys.first(where: { device.service($0).id == id })
            else { continue }
            let service = device.service(type)
            if device.addresses.values.contains(where: { $0.last >= start }) {
                answered.insert(id)
                effects.append(.report(.answered(service)))
            } else {
                devices[key]?.doubt(type)
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

// MARK: Statements

extension SilentTable {
    private mutating func accept(
        _ statement: Statement, for key: SilentDevice.Key, from origin: SilentDevice.Origin,
        at now: Int64
    ) {
        guard isKnown(origin, for: key, at: now) else { return }
        let isNew = devices[key] == nil
        var device = devices[key] ?? SilentDevice(key)
        speakers[origin.address, default: []].insert(key)
        let (isMoved, isReturn) = device.hear(origin, at: now)
        let lifetime =
            statement.lifetime > 0 ? Int64(statement.lifetime) * 1_000_000 : Self.lifetime
        let types = statement.types.isEmpty ? [device.plainType] : statement.types
        // Identifiers and types that differ in case alone make one name of a service.
        let added = device.keep(types, until: now + lifetime) { keys[$0.id] ?? key == key }
        for type in added { timers.add(.service(key, type), at: now + lifetime) }
        var isChanged = device.learn(statement.texts) || isMoved || isReturn || !added.isEmpty
        isChanged = isChanged || device.resolutions.values.contains { !$0.isConfirmed }
        devices[key] = device
        if key.speaker == .wsd, statement.location.isEmpty, device.locations.isEmpty,
            now >= nextQuestion.url
        {
            nextQuestion.url = now + 1_000_000
            effects.append(.resolve(key, origin.path))
        }
        if noteLocation(of: key, statement, origin, at: now) { isChanged = true }
        if isChanged { report(key, on: isReturn && !isNew ? origin.path : nil) }
        for type in types where device.resolutions[type] != nil {
            effects.append(.report(.answered(device.service(type))))
        }
    }

    /// Has the description of a device fetched if its URL is new, and the devices in it found; returns whether it is new.
    private mutating func noteLocation(
        of key: SilentDevice.Key, _ statement: Statement, _ origin: SilentDevice.Origin,
        at now: Int64
    ) -> Bool {
        let url = statement.location
        guard !url.isEmpty,
            let (former, isWanted) = devices[key]?.locate(url, at: origin.address, now)
        else { return false }
        if let former, former != url { roots.remove(.init(url: former, sender: origin.address)) }
        if isWanted { effects.append(.fetch(key, url: url, from: origin.address, origin.path)) }
        if statement.isWhole {
            let ready = roots.set(key, of: .init(url: url, sender: origin.address))
            for (statement, origin) in ready { accept(statement, for: key, from: origin, at: now) }
        }
        return former != url
    }

    /// Whether a sender is the device, or the first that speaks for it. Until the MAC address of a sender is known that
    /// may be the device, the sender is asked for something, so that the kernel learns it.
    private mutating func isKnown(
        _ origin: SilentDevice.Origin, for key: SilentDevice.Key, at now: Int64
    ) -> Bool {
        guard let device = devices[key] else {
            guard devices.count < Self.deviceLimit,
                speakers[origin.address]?.count ?? 0 < Self.senderLimit
            else {
                refusedCount += 1
                return false
            }
            return true
        }
        switch device.claim(of: origin) {
        case .isDevice(let rivals):
            for rival in rivals { detach(rival, from: key) }
            return true
        case .isOther: return false
        case .isUnknown:
            ask(origin, by: key.speaker, at: now)
            return false
        }
    }

    /// Asks all devices, at most once a minute.
    private mutating func askAll(at now: Int64) {
        guard now >= nextQuestion.all else { return }
        nextQuestion.all = now + 60_000_000
        effects.append(.askAll)
    }

    /// Asks a sender alone: at most one a second, since anybody can forge senders.
    private mutating func ask(
        _ origin: SilentDevice.Origin, by speaker: Statement.Speaker, at now: Int64
    ) {
        guard now >= nextQuestion.alone else { return }
        nextQuestion.alone = now + 1_000_000
        effects.append(.ask(speaker, origin.address, origin.path))
    }

    /// Ends what other machines told at the address of a sender.
    private mutating func drop(othersAt origin: SilentDevice.Origin) {
        guard let mac = origin.mac else { return }
        for key in speakers[origin.address] ?? [] {
            let known = devices[key]?.addresses[origin.address]?.mac
            if let known, known != mac { drop(origin.address, of: key) }
        }
    }

    private mutating func detach(_ address: HostAddress, from key: SilentDevice.Key) {
        speakers[address]?.remove(key)
        if speakers[address]?.isEmpty == true { speakers[address] = nil }
        devices[key]?.addresses[address] = nil
        if let url = devices[key]?.locations.removeValue(forKey: address) {
            roots.remove(.init(url: url, sender: address))
        }
    }

    /// Removes an address of a device, and the device if it was the last one.
    private mutating func drop(_ address: HostAddress, of key: SilentDevice.Key) {
        detach(address, from: key)
        if devices[key]?.addresses.isEmpty == true { remove(key, .expired) } else { report(key) }
    }

    /// Handles a goodbye, which only the machine of the device can say.
    private mutating func leave(
        _ told: SilentDevice.Key, _ statement: Statement, from origin: SilentDevice.Origin
    ) {
        roots.removeWaiting(of: told, from: origin.address)
        let key = roots.root(of: told)
        guard let device = devices[key], device.isAt(origin) else { return }
        if told == key, statement.isWhole || statement.types.isEmpty {
            return remove(key, .removed)
        }
        for type in statement.types { devices[key]?.services[type] = nil }
        if devices[key]?.services.isEmpty == true { remove(key, .removed) } else { report(key) }
    }

    private mutating func remove(_ key: SilentDevice.Key, _ departure: Departure) {
        guard let device = devices.removeValue(forKey: key) else { return }
        for address in device.addresses.keys { detach(address, from: key) }
        roots.remove(key)
        for type in device.resolutions.keys.sorted() {
            keys[device.service(type).id] = nil
            effects += device.withdrawal(of: type, departure).map(Effect.report)
        }
    }

    private mutating func fire(_ timer: Timer, at now: Int64) {
        switch timer {
        case .service(let key, let type):
            guard let device = devices[key], let end = device.services[type] else { return }
            if end > now { return timers.add(timer, at: end) }
            // A device is asked before it counts as gone: WS-Discovery repeats nothing, and what was repeated while the
            // machine slept was not heard.
            if key.speaker != .neighbours {
                // A question before the end of the statement does not count.
                let asked = device.askedUntil.flatMap { $0 - Self.patience >= end ? $0 : nil }
                let until = asked ?? now + Self.patience
                if asked == nil {
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
            for (statement, origin) in roots.removeWaiting(of: key) {
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
                    effects.append(.report(.removed(device.sighting(type, on: path), .link)))
                }
            }
        }
    }

    /// Reports what has changed of a device since the last report; all of it again on a path that is back.
    private mutating func report(
        _ key: SilentDevice.Key, on returned: NetworkPath? = nil,
        withdrawing departure: Departure = .removed
    ) {
        guard let former = devices[key]?.resolutions,
            let events = devices[key]?.report(on: returned, withdrawing: departure),
            let device = devices[key]
        else { return }
        effects += events.map(Effect.report)
        for type in former.keys where device.resolutions[type] == nil {
            keys[device.service(type).id] = nil
        }
        for type in device.resolutions.keys where former[type] == nil {
            keys[device.service(type).id] = key
        }
    }
}
