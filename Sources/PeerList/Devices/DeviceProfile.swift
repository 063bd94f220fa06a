// The name, kind, model and maker of a device, according to the records of its host.

/// The value of a property of a device according to its records, with contradicting values.
public struct Claim<Value: Sendable & Hashable>: Sendable, Hashable {
    /// A value, and the place in the records from which it comes.
    public struct Statement: Sendable, Hashable {
        /// The value; a text is as a stranger announced it, so escape it before it reaches a terminal.
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

    /// The first statements with other values, the most trustworthy first; at most seven.
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
    /// The name by which a person would call the device.
    public let name: Claim<String>?

    /// The kind of device.
    public let kind: Claim<DeviceKind>?

    /// The model, as it is sold if known: `Apple TV 4K (2nd generation)`.
    public let model: Claim<String>?

    /// The maker.
    public let maker: Claim<String>?

    /// Creates the profile of the device that a host is.
    ///
    /// The result does not depend on the order of the services.
    ///
    /// - Parameters:
    ///   - services: The services of the host, of which a bounded number is read.
    ///   - host: The host name, as announced.
    ///   - deviceInfo: The TXT record of the host's `_device-info._tcp`, which need not have a PTR record.
    ///   - hardwareMaker: The maker to which the host's MAC address is registered.
    /// - Complexity: O(*n* log *n*) for *n* services, O(*n*) if they are sorted.
    public init(
        services: [Service], host: String, deviceInfo: TXTRecord? = nil,
        hardwareMaker: String? = nil
    ) {
        let host = HostReading(services, host: host, deviceInfo: deviceInfo)
        let models = host.models
        name = host.names.claim()
        model = models.claim(as: ModelNames.name)
        kind = host.kinds(of: models, named: name).claim()
        maker = host.makers(of: models, hardwareMaker: hardwareMaker).claim()
    }
}

// MARK: Statements

/// The strength of a statement, the strongest first.
private enum Strength: Int, Comparable {
    /// The device's peerlist announces it.
    case announced
    /// A TXT record states it.
    case stated
    /// All devices that offer the service have it in common.
    case type
    /// The instance names of services.
    case instance
    /// The model implies it.
    case model
    /// The features of the device suggest it.
    case features
    /// Most devices that offer the service have it in common.
    case usual
    /// The host name or the hardware address suggests it.
    case host
    /// The model is one that servers imitate, so that it is no more than a contradiction.
    case imitated

    static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
}

/// The statements about one property.
private struct Statements<Value: Sendable & Hashable> {
    struct Entry {
        let value: Value
        let source: RecordSource
        let strength: Strength
        let order: Int
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Adds a statement, unless there is no value.
    mutating func add(
        _ value: Value?, from source: RecordSource, _ strength: Strength, order: Int = 0
    ) {
        guard let value else { return }
        entries.append(Entry(value: value, source: source, strength: strength, order: order))
    }

    /// The statements by strength, then by their order, then as they were added.
    var ranked: [Entry] {
        entries.enumerated().sorted { left, right in
            (left.element.strength, left.element.order, left.offset)
                < (right.element.strength, right.element.order, right.offset)
        }.map(\.element)
    }

    /// Returns the claim that the statements make, each value once, or `nil` if there is none.
    func claim(as shown: (Value) -> Value = { $0 }) -> Claim<Value>? {
        var statements: [Claim<Value>.Statement] = []
        var seen: Set<Value> = []
        let ranked = ranked
        guard let first = ranked.first, first.strength != .imitated else { return nil }
        for entry in ranked where statements.count < 8 {
            let value = shown(entry.value)
            guard seen.insert(value).inserted else { continue }
            statements.append(Claim.Statement(value, from: entry.source))
        }
        return statements.first.map { Claim(best: $0, others: Array(statements.dropFirst())) }
    }
}

// MARK: Properties

extension HostReading {
    /// The keys of names, the best first; other keys follow.
    private static let nameKeys = ["fn", "n", "name", "friendly_name"]

    /// The services that speak of this device, with their rows.
    private var own: [(reading: ServiceReading, clues: DeviceClues)] {
        services.compactMap { reading in
            guard let clues = reading.clues, !bridgedTypes.contains(reading.type) else {
                return nil
            }
            return (reading, clues)
        }
    }

    fileprivate var names: Statements<String> {
        var names = Statements<String>()
        for (reading, clues) in own {
            for place in clues.name {
                let source = reading.source(place)
                let order = Self.nameKeys.firstIndex { $0 == source.key }
                names.add(
                    reading.text(place).flatMap(DeviceName.of), from: source, .stated,
                    order: order ?? Self.nameKeys.count + reading.row)
            }
            if reading.type == Identity.serviceType {
                names.add(
                    reading.instanceName, from: RecordSource(type: reading.type), .announced)
            }
        }
        for (order, instance) in instanceNames.enumerated() {
            names.add(
                instance.name, from: RecordSource(type: instance.type), .instance, order: order)
        }
        let hostName = label.isEmpty ? nil : DeviceName.of(label) ?? label
        names.add(hostName, from: RecordSource(), .host)
        return names
    }

    /// The instance names, those of most services first, each with the type of its first row.
    private var instanceNames: [(name: String, type: String)] {
        var found: [String: (count: Int, first: ServiceReading)] = [:]
        for reading in services where !bridgedTypes.contains(reading.type) {
            guard let name = reading.instanceName else { continue }
            let (count, first) = found[name] ?? (0, reading)
            found[name] = (count + 1, reading.row < first.row ? reading : first)
        }
        return found.sorted { left, right in
            (-left.value.count, left.value.first.row, left.key)
                < (-right.value.count, right.value.first.row, right.key)
        }.map { ($0.key, $0.value.first.type) }
    }

    fileprivate var models: Statements<String> {
        var models = Statements<String>()
        for (reading, clues) in own {
            for (position, place) in clues.model.enumerated() {
                guard var model = reading.text(place) else { continue }
                // `product` is in parentheses (Bonjour Printing Specification, section 9.2.7).
                if model.hasPrefix("("), model.hasSuffix(")"), model.count > 2 {
                    model = String(model.dropFirst().dropLast())
                }
                let isImitated =
                    reading.type == "_device-info._tcp" && ModelNames.isImitation(model)
                models.add(
                    model, from: reading.source(place), isImitated ? .imitated : .stated,
                    order: reading.row * 16 + position)
            }
        }
        return models
    }

    fileprivate func kinds(
        of models: Statements<String>, named name: Claim<String>?
    ) -> Statements<DeviceKind> {
        var kinds = Statements<DeviceKind>()
        for reading in services {
            let (type, row) = (RecordSource(type: reading.type), reading.row)
            let isBridged = bridgedTypes.contains(reading.type)
            switch reading.clues?.kind {
            case .always(let kind): kinds.add(kind, from: type, .type, order: row)
            case _ where isBridged: kinds.add(.bridge, from: type, .usual, order: row)
            case .usually(let kind): kinds.add(kind, from: type, .usual, order: row)
            case .stated(let place, let codes):
                let kind = reading.text(place).flatMap { codes[$0.lowercased()] }
                kinds.add(kind, from: reading.source(place), .stated, order: row)
            case .flag(let place, let bit, let set, let clear):
                let kind = reading.text(place).flatMap(firstNumber)
                    .map { $0 >> bit & 1 == 1 ? set : clear }
                kinds.add(kind, from: reading.source(place), .features, order: row)
            case nil: break
            }
        }
        for (order, model) in models.ranked.enumerated() {
            kinds.add(
                ModelNames.family(of: model.value)?.kind, from: model.source,
                max(model.strength, .model), order: order)
        }
        if kinds.isEmpty {
            let names = [name?.best, Claim.Statement(label, from: RecordSource())]
            for case let name? in names {
                kinds.add(ModelNames.kind(ofName: name.value), from: name.source, .host)
            }
        }
        return kinds
    }

    fileprivate func makers(
        of models: Statements<String>, hardwareMaker: String?
    ) -> Statements<String> {
        var makers = Statements<String>()
        for (reading, clues) in own {
            for (position, place) in clues.maker.enumerated() {
                let source = reading.source(place)
                makers.add(
                    reading.text(place), from: source, source.key == nil ? .type : .stated,
                    order: reading.row * 16 + position)
            }
        }
        for (order, model) in models.ranked.enumerated() where model.strength == .stated {
            makers.add(
                ModelNames.family(of: model.value)?.maker, from: model.source, .model, order: order)
        }
        makers.add(hardwareMaker, from: RecordSource(), .host)
        return makers
    }
}

/// Parses the hexadecimal number at the start of a list: `0x445F8A00,0x1C340`.
private func firstNumber(_ text: String) -> UInt64? {
    UInt64(text.prefix { $0 != "," }.dropFirst(text.hasPrefix("0x") ? 2 : 0), radix: 16)
}
