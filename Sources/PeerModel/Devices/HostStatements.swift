// Collects the statements and the evidence of a host's services about its device.
import FoundationEssentials

/// The statements of one service about its device. A class, because it is copied often.
final class ServiceStatements: Sendable {
    let service: Service
    /// The service type, in lower case.
    let type: String
    /// The index of the table row that applies to the service.
    let row: Int
    /// Whether the row is the general row, for types of which nothing is known.
    let isOther: Bool
    let evidence: [RankedEvidence]
    /// The device's name in the instance name; `nil` if it contains none.
    let instanceName: String?
    let names: [RankedStatement<String>]
    let models: [RankedStatement<String>]
    let makers: [RankedStatement<String>]
    let kind: RankedStatement<DeviceKind>?
    /// Whether the service is of a printer or scanner that is plugged into the host.
    let isPluggedIn: Bool
    /// Whether the service is one of a computer, and has the name of its host.
    let isOfComputer: Bool

    /// Reads the records of a service; returns `nil` if neither its type nor any of its keys is known.
    init?(_ service: Service, _ records: ServiceRecords) {
        let clues = records.clues
        self.service = service
        (type, row, isOther) = (records.type, records.row, clues.types.isEmpty)
        isPluggedIn = records.isPluggedIn
        evidence = isPluggedIn ? [] : RankedEvidence.all(in: records)
        let instance = clues.instance.flatMap(records.text)
        isOfComputer =
            DeviceClues.computerTypes.contains(type)
            && instance.map { DeviceName.isSame($0, records.hostLabel) } ?? false
        // The rest of a name that contains an identifier may be the name of a product.
        instanceName = instance.flatMap { instance in
            DeviceName.of(instance).flatMap {
                clues.isIdentifying || $0 == instance ? $0 : nil
            }
        }.flatMap { DeviceName.ofInstance($0, of: records) }
        (names, models) = (records.names(instanceName), records.models)
        (makers, kind) = (records.makers, records.kind)
        let isEmpty = evidence.isEmpty && names.isEmpty && models.isEmpty && makers.isEmpty
        if isOther, isEmpty, kind == nil { return nil }
    }

    /// The statements that are left if the host is a computer, on which any program may announce any service: a MAC
    /// address.
    private init(hardwareOf other: ServiceStatements) {
        (service, type, row) = (other.service, other.type, other.row)
        (isOther, isPluggedIn, isOfComputer) = (false, other.isPluggedIn, false)
        evidence = other.evidence.filter { $0.evidence.rank == .hardwareAddress }
        (instanceName, names, models, makers, kind) = (nil, [], [], [], nil)
    }

    /// Returns what the service says of a host that is a computer.
    fileprivate var ofComputer: ServiceStatements {
        let isOfMachine =
            DeviceClues.computerTypes.contains(type) || type == "_device-info._tcp"
            || kind.map { Self.machineKinds.contains($0.value) } ?? false
            || models.contains {
                ModelNames.family(of: $0.value)?.kind.map(Self.machineKinds.contains) ?? false
            }
        return isOfMachine ? self : ServiceStatements(hardwareOf: self)
    }

    private static let machineKinds: Set<DeviceKind> = [.computer, .nas, .router, .phone, .tablet]

    /// Whether the service is the queue of a printer.
    fileprivate var isQueue: Bool { DeviceClues.queueTypes.contains(type) }
}

/// The records of a host, read service by service.
struct HostRecords: Sendable {
    /// The first label of the host name.
    let label: String
    /// The device's name according to the host name; `nil` if the host name is an identifier.
    let hostName: String?
    /// The services of which something is known, in the order of ``Service/precedes(_:)``.
    fileprivate var services: [ServiceStatements] = []
    /// The names of the other services, each with the number of its services.
    fileprivate var otherNames: [String: Int] = [:]
    /// The names of the other services that have one.
    private var others: [UUID: String] = [:]
    /// The TXT record of the host's `_device-info._tcp`.
    var deviceInfo: TXTRecord?

    /// Creates the records of a host without services.
    init(host: String) {
        label =
            host.prefix(utf8Count: ServiceRecords.valueLimit)
            .split(separator: ".", omittingEmptySubsequences: false).first.map(String.init) ?? ""
        hostName = label.isEmpty || DeviceName.isIdentifier(label) ? nil : label
    }

    mutating func add(_ service: Service) {
        let records = ServiceRecords(service, hostLabel: label)
        if let statements = ServiceStatements(service, records) {
            services.insert(statements, at: index(of: service))
        } else if let name = Self.name(ofOther: records) {
            otherNames[name, default: 0] += 1
            others[service.id] = name
        }
    }

    /// Removes a service, given the exact state in which it was added; O(*n*) for *n* services, of which nothing is read.
    mutating func remove(_ service: Service) {
        if let name = others.removeValue(forKey: service.id) {
            let count = otherNames[name] ?? 0
            otherNames[name] = count > 1 ? count - 1 : nil
        } else if let index = knownIndex(of: service) {
            services.remove(at: index)
        }
    }

    /// Whether a service that was added has evidence of the device's identity.
    func hasEvidence(_ service: Service) -> Bool {
        knownIndex(of: service).map { !services[$0].evidence.isEmpty } ?? false
    }

    /// Adds the services of another host, and its device-info record if this host has none.
    mutating func merge(_ other: HostRecords) {
        for statements in other.services {
            services.insert(statements, at: index(of: statements.service))
        }
        otherNames.merge(other.otherNames, uniquingKeysWith: +)
        others.merge(other.others) { first, _ in first }
        deviceInfo = deviceInfo ?? other.deviceInfo
    }

    private func index(of service: Service) -> Int {
        services.partitionIndex { !$0.service.precedes(service) }
    }

    private func knownIndex(of service: Service) -> Int? {
        let index = index(of: service)
        return index < services.count && services[index].service.id == service.id ? index : nil
    }

    private static func name(ofOther records: ServiceRecords) -> String? {
        guard !records.isPluggedIn, let name = records.text(.instance()),
            DeviceName.of(name) == name
        else { return nil }
        return DeviceName.ofInstance(name, of: records)
    }
}

/// The statements of a host's records about its device.
struct HostStatements {
    /// The maximum number of services whose statements count.
    static let serviceLimit = 128

    /// The first label of the host name.
    let label: String
    /// The device's name according to the host name; `nil` if the host name is an identifier.
    let hostName: String?
    /// The statements of the services that count, and at the end the statements of the device-info record.
    private(set) var services: [ServiceStatements]
    /// The names of services of unknown types, each with the number of its services.
    private(set) var otherNames: [String: Int]

    /// The evidence of the device's identity, the strongest first.
    let evidence: [Identity]
    /// The types of services that the host offers for several other devices, as a bridge does.
    let bridgedTypes: Set<String>

    /// The labels of hosts with a system that does nothing but play media.
    private static let players: Set = ["coreelec", "libreelec", "osmc", "xbian"]

    init(_ host: HostRecords) {
        (label, hostName, otherNames) = (host.label, host.hostName, host.otherNames)
        services = Array(host.services.prefix(Self.serviceLimit))
        // What is plugged in is another device, unless nothing else is known of the host.
        if services.contains(where: { !$0.isPluggedIn }) {
            services.removeAll(where: \.isPluggedIn)
        }
        let isComputer = Set(services.lazy.filter(\.isOfComputer).map(\.type)).count > 1
        if isComputer, !Self.players.contains(label.lowercased()) {
            (services, otherNames) = (services.map(\.ofComputer), [:])
        }
        for service in services where service.isOther {
            if let name = service.instanceName { otherNames[name, default: 0] += 1 }
        }
        if services.contains(where: { [.router, .nas].contains($0.kind?.value) }) {
            // Queues under other names are the queues of a printer that the router or NAS shares.
            let names = Set(services.lazy.filter { !$0.isQueue }.compactMap(\.instanceName))
            services.removeAll { $0.isQueue && !names.contains($0.instanceName ?? "") }
        }
        var counting: [RankedEvidence] = []
        var bridged: Set<String> = []
        let identifying = Dictionary(grouping: services.filter { !$0.evidence.isEmpty }, by: \.type)
        for (type, ofType) in identifying {
            let found = ofType.flatMap(\.evidence)
            let values = Dictionary(grouping: found, by: \.evidence.place).values
            if values.allSatisfy({ Set($0.map(\.evidence.value)).count == 1 }) {
                counting += found
            } else if Set(services.lazy.filter { $0.type == type }.map(\.instanceName)).count > 1 {
                bridged.insert(type)
            }
        }
        evidence = counting.sorted { $0.precedes($1) }.map(\.evidence)
        bridgedTypes = bridged
        guard let deviceInfo = host.deviceInfo else { return }
        let info = Service(
            id: .blank, name: label, type: "_device-info._tcp", domain: "local", txt: deviceInfo)
        let records = ServiceRecords(info, hostLabel: label)
        if let statements = ServiceStatements(info, records) {
            services.append(statements)
        }
    }

    init(_ services: [Service], host: String, deviceInfo: TXTRecord? = nil) {
        var records = HostRecords(host: host)
        for service in services { records.add(service) }
        records.deviceInfo = deviceInfo
        self.init(records)
    }
}

/// An identity by a service, with its position in the table.
struct RankedEvidence: Sendable {
    let evidence: Identity
    private let row: Int
    private let position: Int

    static func all(in records: ServiceRecords) -> [RankedEvidence] {
        records.clues.evidence.enumerated().compactMap { position, identifier in
            Identity(identifier, in: records).map {
                RankedEvidence(evidence: $0, row: records.row, position: position)
            }
        }
    }

    /// Whether this evidence is stronger than another, or comes before it in the table.
    func precedes(_ other: RankedEvidence) -> Bool {
        if evidence.rank != other.evidence.rank { return evidence.rank > other.evidence.rank }
        if evidence.isPrivateAddress != other.evidence.isPrivateAddress {
            return other.evidence.isPrivateAddress
        }
        let (type, otherType) = (evidence.type ?? "", other.evidence.type ?? "")
        return (row, position, type, evidence.value)
            < (other.row, other.position, otherType, other.evidence.value)
    }
}

extension Identity {
    /// Whether the evidence is a locally administered MAC address, which the device itself may change; an
    /// extended address lasts until a reset.
    fileprivate var isPrivateAddress: Bool {
        rank == .pairing && value.hasPrefix("mac:") && value.utf8.count == 16
    }

    /// Returns the evidence of a host, each value once, the strongest first; the host name is the
    /// last.
    ///
    /// A service type counts only if the host shows exactly one value for each key of it, because
    /// bridges and proxies announce the identifiers of other devices. The result does not depend on
    /// the order of the services.
    ///
    /// - Parameters:
    ///   - services: The services of the host, of which a bounded number is read.
    ///   - host: The host name.
    /// - Returns: The evidence, never empty.
    /// - Complexity: O(*n* log *n*) for *n* services, O(*n*) if they are sorted.
    public static func all(of services: [Service], host: String) -> [Identity] {
        distinct(HostStatements(services, host: host).evidence, host: Identity(host: host))
    }

    /// Returns the evidence of a host, each value once, followed by the evidence of its name.
    static func distinct(_ evidence: [Identity], host: Identity) -> [Identity] {
        guard !evidence.isEmpty else { return [host] }
        var seen: Set<String> = []
        // A device may choose another MAC address at each connection, so its host name is stronger.
        return evidence.filter { evidence in
            !(evidence.isPrivateAddress && host.rank == .hostName)
                && seen.insert(evidence.value).inserted
        } + [host]
    }
}
