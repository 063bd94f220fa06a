// The name, kind, model and maker of a device, according to the records of its host.
//
// The records of a service (`ServiceRecords`) are read by its row of the table (`DeviceClues`). They contain evidence,
// which identifies the device (`Identity`), and statements about its properties, each with a source and a strength
// (`RankedStatement`). `ServiceStatements` holds both for one service, `HostRecords` collects them for a host, and
// `HostStatements` selects and ranks them. A `Claim` is the best statement about a property with the statements that
// contradict it; a `DeviceProfile` has the claims about a device.

/// The value of a property of a device according to its records, with contradicting values.
public struct Claim<Value: Sendable & Hashable>: Sendable, Hashable {
    /// A value, and the place in the records from which it comes.
    public struct Statement: Sendable, Hashable {
        /// The value; a text is not escaped, so escape it before it reaches a terminal.
        public let value: Value

        /// The place in the records.
        public let source: RecordSource

        /// Creates a statement.
        public init(_ value: Value, from source: RecordSource) {
            self.value = value
            self.source = source
        }
    }

    /// The most trustworthy statement.
    public let best: Statement

    /// The statements with other values, the most trustworthy first; at most seven.
    public let others: [Statement]

    /// Creates a claim.
    public init(best: Statement, others: [Statement] = []) {
        self.best = best
        self.others = others
    }

    /// The best value.
    public var value: Value { best.value }
}

/// The name, kind, model and maker of a device, with their places in its records.
public struct DeviceProfile: Sendable, Hashable {
    /// The name that a person would use for the device.
    public let name: Claim<String>?

    /// The kind of device.
    public let kind: Claim<DeviceKind>?

    /// The model, under the name by which it is sold if known: `Apple TV 4K (2nd generation)`.
    public let model: Claim<String>?

    /// The maker.
    public let maker: Claim<String>?

    /// Creates the profile of a host's device.
    ///
    /// The result does not depend on the order of the services.
    ///
    /// - Parameters:
    ///   - services: The services of the host, of which a bounded number is read.
    ///   - host: The host name, as announced.
    ///   - deviceInfo: The TXT record of the host's `_device-info._tcp`, which need not have a PTR record.
    /// - Complexity: O(*n* log *n*) for *n* services, O(*n*) if they are sorted.
    public init(services: [Service], host: String, deviceInfo: TXTRecord? = nil) {
        self.init(HostStatements(services, host: host, deviceInfo: deviceInfo))
    }

    init(_ host: HostStatements) {
        let models = host.models
        name = Claim(host.names)
        model = Claim(models, as: ModelNames.name)
        kind = Claim(host.kinds(of: models, name: host.bestName))
        maker = Claim(host.makers(of: models))
    }
}

/// The values of a device's profile, without their places.
package struct DeviceDescription: Sendable {
    private(set) var name: String?
    /// An instance name that starts with the name and ends with a suffix that distinguishes the device, such as ` (2)`.
    private(set) var longerName: String?
    private var kind: DeviceKind?
    private(set) var model: String?
    private var maker: String?

    init() {}

    init(_ host: HostStatements) {
        let (models, best) = (host.models, host.bestName)
        name = best?.value
        longerName = name.flatMap(host.longerName)
        model = models.best().map { ModelNames.name(of: $0.value) }
        kind = host.kinds(of: models, name: best).best()?.value
        maker = host.makers(of: models).best()?.value
    }

    /// Creates the description of a host's device from its services.
    package init(_ services: [Service], host: String) {
        self.init(HostStatements(services, host: host))
    }

    /// Whether another device is of the same kind, model and maker, as far as its model is known.
    func isLike(_ other: DeviceDescription) -> Bool {
        model != nil && (kind, model, maker) == (other.kind, other.model, other.maker)
    }

    /// Sets the kind, the model and the maker of a peer.
    package func describe(_ peer: inout Peer) {
        (peer.kind, peer.model, peer.maker) = (kind, model, maker)
    }
}

// MARK: Statements

extension Array {
    /// Returns the statements sorted by strength, then by order; equal ones stay in order.
    fileprivate func ranked<Value>() -> Self where Element == RankedStatement<Value> {
        guard count > 1 else { return self }
        return enumerated().sorted { left, right in
            left.element.precedes(right.element)
                || !right.element.precedes(left.element) && left.offset < right.offset
        }.map(\.element)
    }

    /// Returns the most trustworthy statement, the first of equals; `nil` if none is trustworthy.
    func best<Value>() -> Element? where Element == RankedStatement<Value> {
        self.min { $0.precedes($1) }.flatMap { $0.strength == .imitated ? nil : $0 }
    }
}

extension Claim {
    /// Creates the claim of some statements, each value once; `nil` if no statement is trustworthy.
    fileprivate init?(
        _ statements: [RankedStatement<Value>], as shown: (Value) -> Value = { $0 }
    ) {
        var found: [Statement] = []
        var seen: Set<Value> = []
        let ranked = statements.ranked()
        guard let first = ranked.first, first.strength != .imitated else { return nil }
        for statement in ranked where found.count < 8 {
            let value = shown(statement.value)
            guard seen.insert(value).inserted else { continue }
            found.append(Statement(value, from: statement.source))
        }
        self.init(best: found[0], others: Array(found.dropFirst()))
    }
}

// MARK: Statements of a host

extension HostStatements {
    /// The services that describe this device, and not devices behind it.
    private var own: [ServiceStatements] { services.filter { !bridgedTypes.contains($0.type) } }

    /// The name that a person would use for the device, if a record or the host name contains one.
    var bestName: RankedStatement<String>? {
        let stated = own.flatMap(\.names)
        return (stated.isEmpty ? unstatedNames : stated).best()
    }

    /// Returns the first instance name that starts with a name, followed by a suffix such as ` (2)`.
    func longerName(than name: String) -> String? {
        own.lazy.map { $0.service.name.prefix(utf8Count: ServiceRecords.valueLimit) }.first {
            guard $0.hasPrefix(name),
                let next = $0.dropFirst(name.count).first(where: { $0 != " " })
            else { return false }
            return !next.isLetter && !next.isNumber
        }
    }

    fileprivate var names: [RankedStatement<String>] { own.flatMap(\.names) + unstatedNames }

    private var unstatedNames: [RankedStatement<String>] {
        let instances = instanceNames.enumerated().map { order, instance in
            RankedStatement(
                instance.name, from: RecordSource(type: instance.type), .instance, order: order)
        }
        let host = RankedStatement(
            label.isEmpty ? nil : hostName ?? label, from: RecordSource(), .host)
        return (instances + [host]).compactMap(\.self)
    }

    /// The instance names that may be the device's name, the names of most services first, each with the
    /// type of its first row.
    ///
    /// The name of a service of an unknown type, such as a web page, may be the device's name only if most services
    /// share it, no service has another name, or the host name is an identifier.
    private var instanceNames: [(name: String, type: String?)] {
        var found: [String: (count: Int, row: Int, type: String?)] = [:]
        var named = otherNames.values.reduce(0, +)
        for service in own where !service.isOther {
            guard let name = service.instanceName else { continue }
            named += 1
            let first = found[name] ?? (otherNames[name] ?? 0, service.row, service.type)
            found[name] =
                service.row < first.row
                ? (first.count + 1, service.row, service.type)
                : (first.count + 1, first.row, first.type)
        }
        let isHostNamed = hostName != nil
        let most = otherNames.max { left, right in
            left.value == right.value ? right.key < left.key : left.value < right.value
        }
        if let most, found[most.key] == nil,
            !isHostNamed || most.value == named || most.value > 1 && most.value * 2 > named
        {
            found[most.key] = (most.value, DeviceClues.all.count, nil)
        }
        return found.sorted { left, right in
            (-left.value.count, left.value.row, left.key)
                < (-right.value.count, right.value.row, right.key)
        }.map { ($0.key, $0.value.type) }
    }

    /// The statements about the model, the most trustworthy first.
    var models: [RankedStatement<String>] { own.flatMap(\.models).ranked() }

    /// Returns the statements about the kind, given the statements about the model and the best name.
    func kinds(
        of models: [RankedStatement<String>], name: RankedStatement<String>?
    ) -> [RankedStatement<DeviceKind>] {
        var kinds = services.compactMap { service in
            guard bridgedTypes.contains(service.type), service.kind?.strength != .type else {
                return service.kind
            }
            return RankedStatement(
                .bridge, from: RecordSource(type: service.type), .usual, order: service.row)
        }
        kinds += models.enumerated().compactMap { order, model in
            RankedStatement(
                ModelNames.family(of: model.value)?.kind, from: model.source,
                max(model.strength, .model), order: order)
        }
        if kinds.contains(where: { $0.strength < .host }) { return kinds }
        let best = name.map { ($0.value, $0.source) }
        return kinds
            + [best, (label, RecordSource())].compactMap { name in
                name.flatMap { RankedStatement(ModelNames.kind(ofName: $0), from: $1, .host) }
            }
    }

    func makers(of models: [RankedStatement<String>]) -> [RankedStatement<String>] {
        own.flatMap(\.makers)
            + models.enumerated().compactMap { order, model in
                guard model.strength == .stated else { return nil }
                let maker = ModelNames.family(of: model.value)?.maker
                return RankedStatement(maker, from: model.source, .model, order: order)
            }
    }
}
