// Collects the statements and the evidence of a host's services about its device.

/// The statements of one service about its device. A class, because it is copied often.
final class ServiceStatements: Sendable {
    let service: Service
    /// The service type, in lower case.
    let type: String
    /// The index of the table row that applies to the service.
    let row: Int
    let evidence: [RankedEvidence]
    /// The device's name in the instance name; `nil` if it contains none.
    let instanceName: String?
    let names: [RankedStatement<String>]
    let models: [RankedStatement<String>]
    let makers: [RankedStatement<String>]
    let kind: RankedStatement<DeviceKind>?

    /// Reads the records of a service; returns `nil` if no row of the table applies to it.
    init?(_ service: Service, hostLabel: String) {
        let records = ServiceRecords(service, hostLabel: hostLabel)
        guard let clues = records.clues else { return nil }
        self.service = service
        (type, row) = (records.type, records.row)
        evidence = RankedEvidence.all(in: records)
        instanceName = clues.instance.flatMap(records.text).flatMap(DeviceName.of)
        (names, models) = (records.names(instanceName), records.models)
        (makers, kind) = (records.makers, records.kind)
    }
}

/// The records of a host, read service by service.
struct HostRecords: Sendable {
    /// The first label of the host name.
    let label: String
    /// The device's name according to the host name; `nil` if that is something else.
    let hostName: String?
    /// The services to which a row of the table applies, in the order of ``Service/precedes(_:)``.
    fileprivate var services: [ServiceStatements] = []
    /// The names of the services without a row, each with the number of services.
    fileprivate var otherNames: [String: Int] = [:]
    /// The TXT record of the host's `_device-info._tcp`.
    var deviceInfo: TXTRecord?

    /// Creates the records of a host without services.
    init(host: String) {
        label =
            host.prefix(utf8Count: ServiceRecords.valueLimit)
            .split(separator: ".", omittingEmptySubsequences: false).first.map(String.init) ?? ""
        hostName = DeviceName.of(label)
    }

    mutating func add(_ service: Service) {
        if let statements = ServiceStatements(service, hostLabel: label) {
            services.insert(statements, at: index(of: service))
        } else if let name = Self.name(ofOther: service) {
            otherNames[name, default: 0] += 1
        }
    }

    /// Removes a service, given the exact state in which it was added.
    mutating func remove(_ service: Service) {
        let index = index(of: service)
        if index < services.count, services[index].service.id == service.id {
            services.remove(at: index)
        } else if let name = Self.name(ofOther: service), let count = otherNames[name] {
            otherNames[name] = count > 1 ? count - 1 : nil
        }
    }

    /// Adds the services of another host, and its device-info record if this host has none.
    mutating func merge(_ other: HostRecords) {
        for statements in other.services {
            services.insert(statements, at: index(of: statements.service))
        }
        otherNames.merge(other.otherNames, uniquingKeysWith: +)
        deviceInfo = deviceInfo ?? other.deviceInfo
    }

    private func index(of service: Service) -> Int {
        services.partitionIndex { !$0.service.precedes(service) }
    }

    private static func name(ofOther service: Service) -> String? {
        DeviceName.of(service.name.prefix(utf8Count: ServiceRecords.valueLimit))
    }
}

/// The statements of a host's records about its device.
struct HostStatements {
    /// The maximum number of services whose statements count.
    static let serviceLimit = 128

    /// The first label of the host name.
    let label: String
    /// The device's name according to the host name; `nil` if that is something else.
    let hostName: String?
    /// The statements of the services that count, and last of the device-info record.
    private(set) var services: [ServiceStatements]
    /// The names of services without a row, each with the number of services.
    let otherNames: [String: Int]

    /// The evidence of the device's identity, the strongest first.
    let evidence: [Evidence]
    /// The types of services that the host offers for several other devices, as a bridge does.
    let bridgedTypes: Set<String>

    init(_ host: HostRecords) {
        (label, hostName, otherNames) = (host.label, host.hostName, host.otherNames)
        services = Array(host.services.prefix(Self.serviceLimit))
        var counting: [RankedEvidence] = []
        var bridged: Set<String> = []
        let identifying = Dictionary(grouping: services.filter { !$0.evidence.isEmpty }, by: \.type)
        for (type, ofType) in identifying {
            let found = ofType.flatMap(\.evidence)
            let values = Dictionary(grouping: found, by: \.evidence.source).values
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
        if let statements = ServiceStatements(info, hostLabel: label) {
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

/// Evidence in a service, with its position in the table.
struct RankedEvidence: Sendable {
    let evidence: Evidence
    private let row: Int
    private let position: Int

    static func all(in records: ServiceRecords) -> [RankedEvidence] {
        (records.clues?.evidence ?? []).enumerated().compactMap { position, identifier in
            Evidence(identifier, in: records).map {
                RankedEvidence(evidence: $0, row: records.row, position: position)
            }
        }
    }

    /// Whether the evidence is a locally administered MAC address, which the device itself may
    /// change.
    private var isPrivateAddress: Bool {
        evidence.rank == .pairing && evidence.value.hasPrefix("mac:")
    }

    /// Whether this evidence is stronger than another, or comes before it in the table.
    func precedes(_ other: RankedEvidence) -> Bool {
        if evidence.rank != other.evidence.rank { return evidence.rank > other.evidence.rank }
        if isPrivateAddress != other.isPrivateAddress { return other.isPrivateAddress }
        let (type, otherType) = (evidence.source.type ?? "", other.evidence.source.type ?? "")
        return (row, position, type, evidence.value)
            < (other.row, other.position, otherType, other.evidence.value)
    }
}

extension Evidence {
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
    public static func of(_ services: [Service], host: String) -> [Evidence] {
        distinct(HostStatements(services, host: host).evidence, host: Evidence(host: host))
    }

    /// Returns the evidence of a host, each value once, followed by the evidence of its name.
    static func distinct(_ evidence: [Evidence], host: Evidence) -> [Evidence] {
        guard evidence.count > 1 else { return evidence + [host] }
        var seen: Set<String> = []
        return evidence.filter { seen.insert($0.value).inserted } + [host]
    }
}
