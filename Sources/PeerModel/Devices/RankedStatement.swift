// A statement about a device with its strength, and the statements in the records of a service.

/// A statement about a property of a device, with its strength.
struct RankedStatement<Value: Sendable & Hashable>: Sendable {
    let value: Value
    let source: RecordSource
    let strength: StatementStrength
    /// The order among statements of equal strength.
    let order: Int

    /// Creates a statement, or `nil` if there is no value.
    init?(_ value: Value?, from source: RecordSource, _ strength: StatementStrength, order: Int = 0)
    {
        guard let value else { return nil }
        (self.value, self.source, self.strength, self.order) = (value, source, strength, order)
    }

    /// Whether this statement is more trustworthy than another.
    func precedes(_ other: RankedStatement) -> Bool {
        (strength, order) < (other.strength, other.order)
    }
}

/// The strength of a statement, the strongest first.
enum StatementStrength: Int, Comparable {
    /// The device's peerlist announces it.
    case announced
    /// A TXT record states it.
    case stated
    /// All devices that offer the service have it in common.
    case type
    /// The instance name of services contains it.
    case instance
    /// The model implies it.
    case model
    /// The features of the device suggest it.
    case features
    /// Most devices that offer the service have it in common.
    case usual
    /// The host name suggests it.
    case host
    /// Some devices that offer the service have it in common.
    case guess
    /// A model that servers imitate. It only contradicts others, and is never the best statement.
    case imitated

    static func < (left: StatementStrength, right: StatementStrength) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension ServiceRecords {
    /// The keys of names, the best first; other keys follow.
    private static let nameKeys = ["fn", "n", "name", "friendly_name"]

    /// Returns the statements about the name at the places of the row, and in the instance name of peerlist's service.
    func names(_ instanceName: String?) -> [RankedStatement<String>] {
        var names = clues.name.compactMap { place in
            let source = source(place)
            let order = Self.nameKeys.firstIndex { $0 == source.key }
            return RankedStatement(
                text(place).flatMap(DeviceName.of), from: source, .stated,
                order: order ?? Self.nameKeys.count + row)
        }
        if type == Identity.serviceType,
            let name = RankedStatement(instanceName, from: RecordSource(type: type), .announced)
        {
            names.append(name)
        }
        return names
    }

    var models: [RankedStatement<String>] {
        clues.model.enumerated().compactMap { position, place in
            // A digit or two are a code.
            guard var model = text(place),
                model.utf8.count > 2 || model.contains(where: \.isLetter)
            else { return nil }
            // `product` is in parentheses (Bonjour Printing Specification, section 9.2.7).
            if model.hasPrefix("("), model.hasSuffix(")"), model.count > 2 {
                model = String(model.dropFirst().dropLast())
            }
            let isImitated = type == "_device-info._tcp" && ModelNames.isImitation(model)
            return RankedStatement(
                model, from: source(place), isImitated ? .imitated : .stated,
                order: row * 16 + position)
        }
    }

    var makers: [RankedStatement<String>] {
        clues.maker.enumerated().compactMap { position, place in
            let source = source(place)
            return RankedStatement(
                text(place).map(MakerNames.name), from: source,
                source.key == nil ? .type : .stated,
                order: row * 16 + position)
        }
    }

    var kind: RankedStatement<DeviceKind>? {
        let ofType = RecordSource(type: type)
        switch clues.kind {
        case .always(let kind): return RankedStatement(kind, from: ofType, .type, order: row)
        case .usually(let kind): return RankedStatement(kind, from: ofType, .usual, order: row)
        case .perhaps(let kind): return RankedStatement(kind, from: ofType, .guess, order: row)
        case .word(let place, let kinds, let otherwise):
            if let kind = text(place).flatMap({ Self.kind(of: $0, kinds) }) {
                return RankedStatement(kind, from: source(place), .model, order: row)
            }
            return RankedStatement(otherwise, from: ofType, .usual, order: row)
        case .stated(let place, let codes):
            let kind = text(place).flatMap { codes[$0.lowercased()] }
            return RankedStatement(kind, from: source(place), .stated, order: row)
        case .flag(let place, let bit, let set, let clear):
            let kind = text(place).flatMap(firstNumber).map { $0 >> bit & 1 == 1 ? set : clear }
            return RankedStatement(kind, from: source(place), .features, order: row)
        case nil:
            // The type of a service without a row may name a kind of device.
            let kind = clues.types.isEmpty ? ModelNames.kind(ofWords: typeLabel) : nil
            return RankedStatement(kind, from: ofType, .guess, order: row)
        }
    }
}

extension ServiceRecords {
    /// Returns the kind of the first word of a text that starts like a word of a list.
    private static func kind(of text: String, _ kinds: [(String, DeviceKind)]) -> DeviceKind? {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.lazy.compactMap { word in
            let bytes = Array(word.utf8) + [0x20]
            return kinds.first { bytes.starts(with: $0.0.utf8) }?.1
        }.first
    }
}

/// Parses the hexadecimal number at the start of a list: `0x445F8A00,0x1C340`.
private func firstNumber(_ text: String) -> UInt64? {
    UInt64(text.prefix { $0 != "," }.dropFirst(text.hasPrefix("0x") ? 2 : 0), radix: 16)
}
