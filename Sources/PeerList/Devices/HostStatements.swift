// Collects what the services of a host say about its device.

/// The statements of one service about its device. A class, because readings are copied often.
final class ServiceReading: Sendable {
    let service: Service
    /// The service type, in lower case.
    let type: String
    /// The index of the row of the table that was read.
    let row: Int
    let evidence: [EvidenceClaim]
    /// The device's name according to the instance name; `nil` if that is something else.
    let instanceName: String?
    let names: [RankedStatement<String>]
    let models: [RankedStatement<String>]
    let makers: [RankedStatement<String>]
    let kind: RankedStatement<DeviceKind>?

    /// Reads a service; `nil` if no row of the table applies to it.
    init?(_ service: Service, hostLabel: String) {
        let records = ServiceRecords(service, hostLabel: hostLabel)
        guard let clues = records.clues else { return nil }
        self.service = service
        (type, row) = (records.type, records.row)
        evidence = EvidenceClaim.all(in: records)
        instanceName = clues.instance.flatMap(records.text).flatMap(DeviceName.of)
        (names, models) = (records.names(instanceName), records.models)
        (makers, kind) = (records.makers, records.kind)
    }
}

/// The records of a host, read service by service.
struct HostReading: Sendable {
    /// The first label of the host name.
    let label: String
    /// The device's name according to the host name; `nil` if that is something else.
    let hostName: String?
    /// The services to which a row of the table applies, in the order of ``Service/precedes(_:)``.
    fileprivate var services: [ServiceReading] = []
    /// The names of the other services, each with their number.
    fileprivate var otherNames: [String: Int] = [:]
    /// The TXT record of the host's `_device-info._tcp`.
    var deviceInfo: TXTRecord?

    /// Creates the reading of a host without services.
    init(host: String) {
        label =
            host.prefix(utf8Count: ServiceRecords.valueLimit)
            .split(separator: ".", omittingEmptySubsequences: false).first.map(String.init) ?? ""
        hostName = DeviceName.of(label)
    }

    mutating func add(_ service: Service) {
        if let reading = ServiceReading(service, hostLabel: label) {
            services.insert(reading, at: index(of: service))
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

    /// Adds the services of another host, and the device-info record if this one has none.
    mutating func merge(_ other: HostReading) {
        for reading in other.services { services.insert(reading, at: index(of: reading.service)) }
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
    /// The services that count, and last the device-info record.
    private(set) var services: [ServiceReading]
    /// The names of services that the table does not have, each with their number.
    let otherNames: [String: Int]

    /// The evidence of the device's identity, the strongest first.
    let evidence: [Evidence]
    /// The types whose services are offered for several other devices, as a bridge does.
    let bridgedTypes: Set<String>

    init(_ host: HostReading) {
        (label, hostName, otherNames) = (host.label, host.hostName, host.otherNames)
        services = Array(host.services.prefix(Self.serviceLimit))
        var claims: [EvidenceClaim] = []
        var bridged: Set<String> = []
        let telling = Dictionary(grouping: services.filter { !$0.evidence.isEmpty }, by: \.type)
        for (type, ofType) in telling {
            let found = ofType.flatMap(\.evidence)
            let values = Dictionary(grouping: found, by: \.evidence.source).values
            if values.allSatisfy({ Set($0.map(\.evidence.value)).count == 1 }) {
                claims += found
            } else if Set(services.lazy.filter { $0.type == type }.map(\.instanceName)).count > 1 {
                bridged.insert(type)
            }
        }
        evidence = claims.sorted { $0.precedes($1) }.map(\.evidence)
        bridgedTypes = bridged
        guard let deviceInfo = host.deviceInfo else { return }
        let info = Service(
            id: .blank, name: label, type: "_device-info._tcp", domain: "local", txt: deviceInfo)
        if let reading = ServiceReading(info, hostLabel: label) { services.append(reading) }
    }

    init(_ services: [Service], host: String, deviceInfo: TXTRecord? = nil) {
        var reading = HostReading(host: host)
        for service in services { reading.add(service) }
        reading.deviceInfo = deviceInfo
        self.init(reading)
    }
}

/// Evidence in a service, with its position in the table.
struct EvidenceClaim: Sendable {
    let evidence: Evidence
    private let row: Int
    private let position: Int

    static func all(in records: ServiceRecords) -> [EvidenceClaim] {
        (records.clues?.evidence ?? []).enumerated().compactMap { position, identifier in
            Evidence(identifier, in: records).map {
                EvidenceClaim(evidence: $0, row: records.row, position: position)
            }
        }
    }

    /// Whether it is a locally administered MAC address, which the device itself may change.
    private var isPrivateAddress: Bool {
        evidence.rank == .pairing && evidence.value.hasPrefix("mac:")
    }

    /// Whether this claim is stronger than another, or comes before it in the table.
    func precedes(_ other: EvidenceClaim) -> Bool {
        if evidence.rank != other.evidence.rank { return evidence.rank > other.evidence.rank }
        if isPrivateAddress != other.isPrivateAddress { return other.isPrivateAddress }
        let (type, otherType) = (evidence.source.type ?? "", other.evidence.source.type ?? "")
        return (row, position, type, evidence.value)
            < (other.row, other.position, otherType, other.evidence.value)
    }
}

extension Evidence {
    /// Returns the evidence of a host, each value once, the strongest first; the last is its name.
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

    /// Returns the evidence of a host, each value once, followed by that of its name.
    static func distinct(_ evidence: [Evidence], host: Evidence) -> [Evidence] {
        guard evidence.count > 1 else { return evidence + [host] }
        var seen: Set<String> = []
        return evidence.filter { seen.insert($0.value).inserted } + [host]
    }
}
