// A device that tells of itself, and its services as they were reported last.
package import PeerModel
package import SilentMessages

/// A device as its statements and its description tell it.
package struct SilentDevice: Sendable {
    /// The maximum number of services.
    package static let serviceLimit = 64
    /// The maximum number of addresses.
    private static let addressLimit = 8
    /// The minimum time between two attempts to fetch the description.
    private static let fetchInterval: Int64 = 60_000_000

    /// The protocol of a device and its identifier there.
    package struct Key: Sendable, Hashable {
        package let speaker: Statement.Speaker
        package let device: String

        package init(speaker: Statement.Speaker, device: String) {
            (self.speaker, self.device) = (speaker, device)
        }
    }

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

    /// The relation of a sender to the device.
    enum Claim {
        /// The sender is the device, which does not have these other addresses any more.
        case isDevice(replacing: [HostAddress])
        case isOther
        /// The sender has to be asked, so that the kernel learns its MAC address.
        case isUnknown
    }

    struct Address {
        var path: NetworkPath
        var mac: MACAddress?
        var last: Int64
    }

    let key: Key
    /// The times at which its services have left unless they are heard again, by type.
    var services: [String: Int64] = [:]
    var addresses: [HostAddress: Address] = [:]
    /// The paths on which its services were reported, and whether these are lost.
    var paths: [NetworkPath: Bool] = [:]
    /// The URLs of its description, by the addresses that announce them.
    var locations: [HostAddress: String] = [:]
    /// The time until which it may answer a question that it was asked because it has been silent.
    var askedUntil: Int64?
    /// The values that packets tell of it.
    private var texts: [String: String] = [:]
    /// The values that its description tells.
    private var description: [String: String] = [:]
    /// The type that the description tells.
    private var type: String?
    /// The reason for which the description could not be fetched, and the time from which that may be tried again.
    private var fault: (reason: String, next: Int64)?
    private var reported: (addresses: [HostAddress], macs: Set<MACAddress>) = ([], [])
    /// The resolutions of its services as last reported.
    private(set) var resolutions: [String: Resolution] = [:]

    init(_ key: Key) { self.key = key }

    // MARK: Statements

    private var macs: Set<MACAddress> { Set(addresses.values.compactMap(\.mac)) }

    /// Whether a sender has one of its addresses, or the MAC address of one.
    func isAt(_ origin: Origin) -> Bool {
        addresses[origin.address] != nil || origin.mac.map(macs.contains) ?? false
    }

    /// Returns whether a sender is the device.
    ///
    /// Another sender of the family is the device only if it has the MAC address of the first, which has another address
    /// now.
    func claim(of origin: Origin) -> Claim {
        if addresses[origin.address] != nil { return .isDevice(replacing: []) }
        let added: Claim =
            addresses.count < Self.addressLimit ? .isDevice(replacing: []) : .isOther
        if key.speaker == .neighbours { return added }
        let macs = macs
        if let mac = origin.mac, !macs.isEmpty, !macs.contains(mac) { return .isOther }
        let rivals = addresses.keys.filter {
            $0.family == origin.address.family && $0.isLinkLocal == origin.address.isLinkLocal
        }
        if rivals.isEmpty, macs.isEmpty || origin.mac != nil { return added }
        guard let mac = origin.mac, macs.contains(mac) else { return .isUnknown }
        return .isDevice(replacing: rivals)
    }

    /// Notes that the device was heard; returns whether its address is new or has a new MAC address, and whether the
    /// path is new or was lost.
    mutating func hear(_ origin: Origin, at now: Int64) -> (isMoved: Bool, isReturn: Bool) {
        let known = addresses[origin.address]
        let mac = origin.mac ?? known?.mac
        addresses[origin.address] = Address(path: origin.path, mac: mac, last: now)
        askedUntil = nil
        let wasLost = paths.updateValue(false, forKey: origin.path) ?? true
        return (known == nil || known?.mac != mac, wasLost)
    }

    /// Keeps services until a time; returns the types of the new ones.
    mutating func keep(
        _ types: [String], until end: Int64, where isFree: (ServiceKey) -> Bool
    ) -> [String] {
        var added: [String] = []
        for type in types where services[type] != nil || services.count < Self.serviceLimit {
            guard isFree(service(type)) else { continue }
            if services.updateValue(end, forKey: type) == nil { added.append(type) }
        }
        return added
    }

    /// Takes over values; returns whether any has changed.
    mutating func learn(_ values: [Statement.Text]) -> Bool {
        var isChanged = false
        for text in values where texts.updateValue(text.value, forKey: text.key) != text.value {
            isChanged = true
        }
        return isChanged
    }

    // MARK: Its description

    /// Notes the URL of the description at an address; returns the former one, and whether the description is to be
    /// fetched.
    mutating func locate(
        _ url: String, at address: HostAddress, _ now: Int64
    ) -> (former: String?, isWanted: Bool) {
        let former = locations.updateValue(url, forKey: address)
        let isMoved = former != url
        guard let next = fault?.next else {
            // The description is the same at each address.
            return (former, isMoved && (former != nil || description.isEmpty))
        }
        guard isMoved || now >= next else { return (former, false) }
        fault?.next = now + Self.fetchInterval
        return (former, true)
    }

    /// Takes over the description: the type, if that is known, and its values by their keys.
    mutating func describe(as type: String?, _ values: [String: String]) {
        (self.type, description, fault) = (type, values, nil)
    }

    /// Notes the reason for which the description could not be fetched.
    mutating func describe(as fault: String, at now: Int64) {
        self.fault = (fault, now + Self.fetchInterval)
    }

    // MARK: Reports

    /// Returns what has changed since the last report; all of it again on a path that is back.
    mutating func report(
        on returned: NetworkPath?, withdrawing departure: Departure
    ) -> [DiscoveryEvent.Kind] {
        let (addresses, macs, former) = (addresses.keys.sorted(), macs, resolutions)
        let paths = paths.filter { !$0.value }.keys.sorted()
        var events: [DiscoveryEvent.Kind] = []
        resolutions = currentResolutions(at: addresses.first)
        for (type, resolution) in resolutions.sorted(by: { $0.key < $1.key }) {
            let known = former[type]
            for path in known == nil ? paths : [returned].compactMap(\.self) {
                events.append(.found(sighting(type, on: path)))
            }
            if known != resolution || returned != nil {
                events.append(.resolved(service(type), resolution))
            }
        }
        // Afterwards, so that the device has a service all the time.
        for type in former.keys.sorted() where resolutions[type] == nil {
            events += withdrawal(of: type, departure)
        }
        let host = HostName(endpoint: endpoint)
        let isAgain = former.isEmpty || returned != nil
        if addresses != reported.addresses || isAgain {
            events.append(.addresses(host: host, addresses))
        }
        if macs != reported.macs || isAgain, !macs.isEmpty {
            events.append(.hardware(host: host, macs.sorted()))
        }
        reported = (addresses, macs)
        return events
    }

    /// Has a service reported as resolved when the device is heard again.
    mutating func doubt(_ type: String) { resolutions[type]?.isConfirmed = false }

    /// Returns the events that withdraw a service.
    func withdrawal(of type: String, _ departure: Departure) -> [DiscoveryEvent.Kind] {
        paths.keys.sorted().map { .removed(sighting(type, on: $0), departure) }
            + [.forgotten(service(type))]
    }

    /// The type of a device that tells none.
    var plainType: String {
        switch key.speaker {
        case .ssdp: "upnp:rootdevice"
        case .wsd: "wsd:Device"
        case .neighbours: "neighbour:table"
        }
    }

    /// Returns the resolutions of the services; the service of the device's own type has what the device tells of itself.
    private func currentResolutions(at address: HostAddress?) -> [String: Resolution] {
        let told = services.keys.filter { $0 != plainType }.sorted()
        let types = told.isEmpty ? [plainType] : told
        let own = type.flatMap { types.contains($0) ? $0 : nil } ?? types[0]
        var values = texts.merging(description) { $1 }
        if let fault { values["description"] = "not fetched: \(fault.reason)" }
        if key.speaker != .neighbours { values["UDN"] = name }
        let txt = TXTRecord(
            values.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .text($0.value)) })
        let port = address.flatMap(descriptionPort(at:)) ?? 0
        return Dictionary(
            uniqueKeysWithValues: types.map {
                (
                    $0,
                    Resolution(
                        endpoint: endpoint, port: port, txt: $0 == own ? txt : TXTRecord(),
                        address: address)
                )
            })
    }

    /// The port of the description at an address; `nil` if there is none.
    private func descriptionPort(at address: HostAddress) -> UInt16? {
        locations[address].flatMap { try? DescriptionAddress($0, from: address.bytes).port }
    }

    /// The text that tells the device apart in the list. Another machine may tell the same identifier by the other protocol.
    private var endpoint: String {
        switch key.speaker {
        case .ssdp: "ssdp:" + key.device
        case .wsd: "wsd:" + key.device
        case .neighbours: key.device
        }
    }

    /// The identifier of the device without its prefix.
    private var name: String {
        for prefix in ["uuid:", "mac:"] where key.device.hasPrefix(prefix) {
            return String(key.device.dropFirst(prefix.utf8.count))
        }
        return key.device
    }

    func service(_ type: String) -> ServiceKey {
        ServiceKey(name: name, type: type, domain: "local")
    }

    func sighting(_ type: String, on path: NetworkPath) -> Sighting {
        Sighting(service: service(type), interface: path.interface, family: path.family)
    }
}
