// Reads the records of a service by the table of clues, within bounds.

/// The records of a service, read by the table row that applies to it.
struct ServiceRecords {
    /// The maximum number of attributes of a service that are read.
    static let attributeLimit = 64
    /// The maximum length of a value in bytes.
    static let valueLimit = 255

    let type: String
    /// The row's index in the table.
    private(set) var row = 0
    private(set) var clues = DeviceClues.general
    private let instance: String
    private let hostLabel: String
    private let attributes: ArraySlice<TXTRecord.Pair>

    init(_ service: Service, hostLabel: String) {
        type = service.type.lowercased()
        instance = service.name.prefix(utf8Count: Self.valueLimit)
        self.hostLabel = hostLabel.lowercased()
        attributes = service.txt.pairs.prefix(Self.attributeLimit)
        row = DeviceClues.row(for: type, text: text) ?? DeviceClues.all.count - 1
        clues = DeviceClues.all[row]
    }

    /// Returns the source of a value at a place in this service.
    func source(_ place: DeviceClues.Place) -> RecordSource {
        switch place.origin {
        case .key(let key), .startOfInstance(let key): RecordSource(type: type, key: key)
        default: RecordSource(type: type)
        }
    }

    /// Returns the text at a place without spaces around it; `nil` if there is none.
    func text(_ place: DeviceClues.Place) -> String? {
        guard var text = wholeText(place)?[...] else { return nil }
        if let after = place.after {
            guard let start = text.firstRange(of: after)?.upperBound else { return nil }
            text = text[start...]
        }
        if let upTo = place.upTo, let end = text.firstRange(of: upTo)?.lowerBound {
            text = text[..<end]
        }
        if let length = place.length {
            text = length < 0 ? text.suffix(-length) : text.prefix(length)
        }
        text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        if let meanings = place.meanings { return meanings[String(text)] }
        return text.isEmpty ? nil : String(text)
    }

    private func wholeText(_ place: DeviceClues.Place) -> String? {
        switch place.origin {
        case .instance: return instance
        case .host: return hostLabel
        case .fixed(let text): return text
        case .printerInstance:
            let isNamed = text(.instance(upTo: " ", meanings: ModelNames.printerMakers)) != nil
            return isNamed ? instance : nil
        case .maker: return clues.maker.lazy.compactMap(text).first
        case .key(let key), .startOfInstance(let key):
            guard case .text(let text)? = value(of: key) else { return nil }
            if case .startOfInstance = place.origin, !instance.hasPrefix(text) { return nil }
            return text.prefix(utf8Count: Self.valueLimit)
        }
    }

    private func value(of key: String) -> TXTRecord.Value? {
        attributes.first { attribute in
            attribute.key.utf8.count == key.utf8.count
                && zip(attribute.key.utf8, key.utf8).allSatisfy { left, right in
                    left == right || (left | 0x20 == right | 0x20 && 0x61...0x7A ~= left | 0x20)
                }
        }?.value
    }

    /// Returns the bytes of the value of a key; `nil` if there is none.
    func bytes(_ place: DeviceClues.Place) -> [UInt8]? {
        guard case .key(let key) = place.origin else { return nil }
        switch value(of: key) {
        case .bytes(let bytes): return bytes
        case .text(let text): return Array(text.utf8.prefix(Self.valueLimit))
        default: return nil
        }
    }
}

/// Names in records, without the identifiers in them.
enum DeviceName {
    /// Whether a text is nothing but an identifier: at least eight hexadecimal digits, with or without
    /// separators.
    static func isIdentifier(_ text: String) -> Bool {
        let identifier = text.utf8.filter { !"-_:.{}".utf8.contains($0) }
        return identifier.count >= 8 && isHexadecimal(identifier)
    }

    /// Whether two names differ at most in the number of a name conflict, `-2` or ` (2)`, or in a MAC address at their
    /// ends and one letter before it, as `BRN008092A00B71` and `BRWD46A6A7561F9` do.
    static func isTwin(_ left: String, _ right: String) -> Bool {
        if unnumbered(left) == unnumbered(right) { return true }
        let stems = [left, right].map { $0.utf8.dropLast(12) }
        let ends = [left, right].map { $0.utf8.suffix(12) }
        guard ends.allSatisfy({ $0.count == 12 && isHexadecimal($0) }),
            stems[0].count == stems[1].count
        else { return false }
        return zip(stems[0], stems[1]).count { $0 != $1 } <= 1
    }

    /// Returns a name in lower case without the number of a name conflict.
    private static func unnumbered(_ name: String) -> Substring {
        let name = name.lowercased()[...]
        let isInParentheses = name.hasSuffix(")")
        let body = isInParentheses ? name.dropLast() : name
        let digits = body.reversed().prefix { $0.isASCII && $0.isNumber }.count
        let start = body.dropLast(digits)
        guard 1...3 ~= digits, start.hasSuffix(isInParentheses ? " (" : "-") else { return name }
        return start.dropLast(isInParentheses ? 2 : 1)
    }

    /// Returns the instance name of a service of unknown type if it may be the name of the device.
    ///
    /// It may not if it contains an identifier, is generic, such as `web server`, or contains the host label among
    /// other words.
    static func ofOther(_ text: String, hostLabel: String) -> String? {
        guard !text.isEmpty, of(text) == text else { return nil }
        let words = text.lowercased()
        let isGeneric =
            genericNames.contains(words) || genericEnds.contains { words.hasSuffix(" " + $0) }
            || words != hostLabel
                && words.utf8.split(separator: 0x20).contains {
                    $0.elementsEqual(hostLabel.utf8)
                }
        return isGeneric ? nil : text
    }

    private static let genericNames = genericEnds.union([
        "admin", "home", "http", "https", "index", "local-integration", "login", "saned", "server",
        "setup", "status", "web", "webserver", "webui", "www",
    ])

    private static let genericEnds: Set = [
        "api", "configuration utility", "web interface", "web management interface", "web server",
        "web service", "web ui",
    ]

    /// Returns a name without the identifier at its end; `nil` if the name is nothing but an identifier.
    ///
    /// At the end of a name, an identifier has at least twelve hexadecimal digits without separators.
    static func of(_ text: String) -> String? {
        if isIdentifier(text) { return nil }
        var rest = text.utf8[...]
        while let last = rest.last, isHexadecimal(last) { rest.removeLast() }
        guard text.utf8.count - rest.count >= 12, let separator = rest.last,
            "-_: ".utf8.contains(separator)
        else { return text }
        while let last = rest.last, "-_: ".utf8.contains(last) { rest.removeLast() }
        return rest.isEmpty ? nil : String(rest)
    }
}

extension String {
    /// Returns the longest prefix of whole characters within a number of UTF-8 bytes.
    package func prefix(utf8Count limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
