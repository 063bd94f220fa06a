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
    /// The first label of the host name, in lower case.
    let hostLabel: String
    let port: UInt16
    private let attributes: ArraySlice<TXTRecord.Pair>

    init(_ service: Service, hostLabel: String) {
        type = service.type.lowercased()
        instance = service.name.prefix(utf8Count: Self.valueLimit)
        (self.hostLabel, port) = (hostLabel.lowercased(), service.port ?? 0)
        attributes = service.txt.pairs.prefix(Self.attributeLimit)
        row = DeviceClues.row(for: type, text: text) ?? DeviceClues.all.count - 1
        clues = DeviceClues.all[row]
    }

    /// The first label of the type, without the underscore.
    var typeLabel: String { String(type.dropFirst().prefix { $0 != "." }) }

    /// The word of the type: `snapcast` for `_snapcast-ctrl._tcp`.
    var typeWord: String { String(typeLabel.prefix { $0 != "-" }) }

    /// Whether only devices of some kinds offer the service. Their owners give them generic names too.
    var isOfHardware: Bool { row < DeviceClues.firstSoftwareRow }

    /// Whether the service is of a printer or scanner that is plugged into the host, as ipp-usb announces it: what its
    /// records say is not of the host.
    var isPluggedIn: Bool {
        let address = text("adminurl") ?? ""
        return instance.hasSuffix("(USB)")
            || ["http://localhost", "http://127.0.0.1"].contains(where: address.hasPrefix)
    }

    /// Returns the source of a value at a place in this service.
    func source(_ place: DeviceClues.Place) -> RecordSource {
        switch place.origin {
        case .key(let key), .startOfInstance(let key), .name(let key), .model(let key, _):
            RecordSource(type: type, key: key)
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
        case .name(let key):
            return text(.key(key)).map { DeviceName.ofDescription($0, model: text("modelName")) }
        case .model(let key, let number):
            return DeviceName.model(text(.key(key)), number: text(.key(number)))
        case .keys(let keys): return keys.compactMap { text(.key($0)) }.joined(separator: " ")
        case .maker: return clues.maker.lazy.compactMap(text).first
        case .key(let key), .startOfInstance(let key):
            guard case .text(var text)? = value(of: key) else { return nil }
            // Some devices announce C strings with their ends.
            while text.utf8.last == 0 { text.removeLast() }
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
    /// Whether a text is nothing but an identifier or an address, in any brackets: at least eight hexadecimal digits,
    /// with or without separators.
    static func isIdentifier(_ text: String) -> Bool {
        let brackets = "{}[]() ".utf8
        var text = text.utf8[...]
        while let first = text.first, brackets.contains(first) { text.removeFirst() }
        while let last = text.last, brackets.contains(last) { text.removeLast() }
        let identifier = text.filter { !"-_:.{}".utf8.contains($0) }
        if identifier.count >= 8, isHexadecimal(identifier) { return true }
        let numbers = text.split(separator: 0x2E, omittingEmptySubsequences: false)
        return numbers.count == 4
            && numbers.allSatisfy { UInt8(String(decoding: $0, as: UTF8.self)) != nil }
    }

    /// Whether a name is a host label, as far as a label can have its characters.
    static func isSame(_ name: String, _ label: String) -> Bool {
        func plain(_ text: String) -> [Character] {
            text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.map(\.self)
        }
        return plain(name) == plain(label) && !label.isEmpty
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

    /// Returns a name in lower case without the number of a name conflict: `-2`, or ` (2)`.
    static func unnumbered(_ name: String) -> String {
        let name = name.lowercased()
        for (before, after) in [("-", ""), (" (", ")")] where name.hasSuffix(after) {
            let digits = name.dropLast(after.count).reversed().prefix(while: \.isNumber)
            let start = name.dropLast(after.count + digits.count)
            guard let number = UInt8(String(digits.reversed())), number > 1,
                start.hasSuffix(before), start.count > before.count
            else { continue }
            return String(start.dropLast(before.count))
        }
        return name
    }

    /// Returns the part of an instance name that may be the name of the device; `nil` if there is none.
    ///
    /// None is a name of the service and not of the device: the word of its type, `SFTP on HOST`, `NAME @ HOST`, a name
    /// with its port, or a generic name such as `web server`. Of `NAME - HOST`, the name is left.
    ///
    /// - Parameters:
    ///   - text: The instance name.
    ///   - records: The records of the service.
    /// - Returns: The name, or `nil`.
    static func ofInstance(_ text: String, of records: ServiceRecords) -> String? {
        let (isHardware, isOther) = (records.isOfHardware, records.clues.types.isEmpty)
        guard !text.isEmpty, !isIdentifier(text) else { return nil }
        let (name, label) = (text, records.hostLabel)
        let words = name.lowercased()
        if words == label { return name }
        if words == label + ".local" { return String(name.prefix(label.count)) }
        if words == records.typeWord || words.hasSuffix(":\(records.port)") { return nil }
        guard !label.isEmpty, words.utf8.count > label.utf8.count else {
            return isGeneric(words, isHardware) ? nil : name
        }
        if [" @ ", " on "].contains(where: { words.hasSuffix($0 + label) }) { return nil }
        if words.hasSuffix(" - " + label) {
            // Programs on computers have their own names before the host's.
            guard isHardware || isOther else { return nil }
            let rest = String(name.dropLast(label.count + 3))
            return isGeneric(rest.lowercased(), isHardware) ? nil : rest
        }
        let isOfHost = words.utf8.split(separator: 0x20).contains {
            $0.elementsEqual(label.utf8)
        }
        return isOfHost && !isHardware || isGeneric(words, isHardware) ? nil : name
    }

    /// Whether a name in lower case is of a program or a page.
    private static func isGeneric(_ name: String, _ isHardware: Bool) -> Bool {
        if name.hasSuffix(" service") { return true }
        guard !isHardware else { return false }
        return genericNames.contains(name) || genericEnds.contains { name.hasSuffix(" " + $0) }
    }

    private static let genericNames = genericEnds.union([
        "admin", "home", "http", "https", "index", "local-integration", "login", "saned", "setup",
        "status", "web", "webserver", "webui", "www",
    ])

    private static let genericEnds: Set = [
        "api", "client", "configuration utility", "daemon", "player", "server", "service",
        "web interface", "web management interface", "web server", "web service", "web ui",
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

// MARK: Descriptions

extension DeviceName {
    /// Returns the name in a description without what devices put around it: the kind of device in `[TV] NAME`, addresses
    /// and identifiers in `10.0.0.1 - NAME - RINCON_…` and `NAME (10.0.0.1)`, the protocol in `NAME UPnP/1.0 …`, the user in
    /// `NAME: USER:`, the role in `NAME Media Renderer`, and the model beside a name.
    static func ofDescription(_ text: String, model: String?) -> String {
        var name = text[...]
        func cut(at end: String) {
            if let range = name.firstRange(of: end) { name = name[..<range.lowerBound] }
        }
        while name.first == "[", let end = name.firstIndex(of: "]") {
            name = name[end...].dropFirst().drop(while: \.isWhitespace)
        }
        cut(at: " UPnP/")
        if name.last == ":" { cut(at: ": ") }
        if let start = name.lastIndex(of: "("), isIdentifier(String(name[start...])) {
            name = name[..<start]
        }
        if let model, name != model {
            if name.hasPrefix(model + ":") { name = name.dropFirst(model.count + 1) }
            if name.hasSuffix(":" + model) { name = name.dropLast(model.count + 1) }
            // `USER (NAME : MODEL)`
            if name.hasSuffix(": \(model))"), let start = name.firstIndex(of: "(") {
                name = name[start...].dropFirst().dropLast(model.count + 3)
            }
            [" Media Renderer", " Media Server", " DLNA Server"].forEach(cut)
        }
        let parts = name.split(separator: " - ").filter {
            !isIdentifier(String($0)) && !$0.hasPrefix("RINCON_")
        }
        let named = parts.filter { $0 != model ?? "" }
        let rest = (named.isEmpty ? parts : named).joined(separator: " - ")
        return rest.isEmpty ? text : rest
    }

    /// Returns the name of a model, or its number if there is no name, or one without a number such as `Smart TV`.
    static func model(_ name: String?, number: String?) -> String? {
        guard let number, number.contains(where: \.isLetter) else { return name }
        guard let name else { return number }
        let isNumber =
            number.utf8.count > 3 && number.first?.isUppercase == true
            && number.contains(where: \.isNumber) && !number.contains { " .".contains($0) }
        return isNumber && !name.contains(where: \.isNumber) ? number : name
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
