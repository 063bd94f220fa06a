// Reads the file of expectations: sections of devices, and what is expected of each.
package import FoundationEssentials
package import PeerModel
import PeerText

/// The expectations of a file.
package struct ExpectationFile: Equatable, Sendable {
    /// The maximum size of a file in bytes.
    package static let sizeLimit = 256 << 10
    /// The maximum number of expectations in a file.
    package static let expectationLimit = 1_000
    /// The maximum number of errors that are reported.
    package static let errorLimit = 50
    package var expectations: [Expectation] = []
    /// Whether devices that no expectation is about are faults.
    package var reportsNewcomers = false
    /// The time for which such a device has to be there before it is a fault.
    package var time = Expectation.standardTime

    package init() {}
}

/// An error in a file of expectations.
package struct ExpectationError: Error, Equatable, CustomStringConvertible {
    package let line: Int
    package let message: String

    package var description: String { "line \(line): \(message)" }
}

extension ExpectationFile {
    /// Parses a file in UTF-8 whose lines end in LF or CR LF.
    ///
    /// - Returns: The expectations, and all errors in the order of their lines, but not more than ``errorLimit``.
    package static func parse(_ bytes: [UInt8]) -> (
        file: ExpectationFile, errors: [ExpectationError]
    ) {
        var parser = ExpectationParser()
        for line in lines(of: bytes) {
            parser.read(line)
            guard parser.errors.count < errorLimit else { break }
        }
        return parser.finish()
    }
}

extension ExpectationFile {
    /// Returns the devices of a list that are there and are to be asked whether they answer at their addresses.
    package func devicesToAsk(in sections: [ListSection]) -> Set<UUID> {
        let asking = expectations.filter(\.asks)
        guard !asking.isEmpty else { return [] }
        return Set(
            sections.lazy.flatMap(\.items).filter { item in
                let device = ExpectedDevice(item)
                return item.peer.isResolved && !item.peer.isSelf && !item.peer.presence.isSilent
                    && asking.contains { $0.concerns(device) }
            }.map(\.id))
    }
}

/// The state of a parser between two lines.
private struct ExpectationParser {
    private enum Section: Equatable { case device, devices, network }

    /// A mistake in a line.
    private struct Mistake: Error { let message: String }

    private var file = ExpectationFile()
    private(set) var errors: [ExpectationError] = []
    private var number = 0
    /// The section that is read; `nil` before the first one, and in one with a wrong heading.
    private var section: Section?
    private var isInWrongSection = false
    private var current = Expectation("")
    /// The lines of the keys in the section.
    private var lines: [String: Int] = [:]
    /// The lines of the sections, by their names.
    private var names: [String: Int] = [:]
    private var networkLine: Int?

    private static let criteria = ["id", "name", "label", "kind", "type", "host", "address"]
    private static let keys: [Section: [String]] = [
        .device: criteria + ["present", "for", "services", "vouched", "reachable", "port"],
        .devices: criteria + ["count", "for", "services", "vouched", "reachable", "port"],
        .network: ["newcomers", "for"],
    ]

    mutating func read(_ line: ArraySlice<UInt8>) {
        number += 1
        do throws(Mistake) {
            guard let text = String(validating: line, as: UTF8.self) else {
                throw Mistake(message: "the line is not valid UTF-8")
            }
            try read(text)
        } catch {
            fail(error.message, at: number)
        }
    }

    private mutating func fail(_ message: String, at line: Int) {
        errors.append(ExpectationError(line: line, message: message))
    }

    mutating func finish() -> (file: ExpectationFile, errors: [ExpectationError]) {
        endSection()
        if file.expectations.isEmpty, !file.reportsNewcomers, errors.isEmpty {
            fail("nothing is expected; write a section such as '[device nas]'", at: number)
        }
        for index in file.expectations.indices where file.expectations[index].time < .zero {
            file.expectations[index].time = file.time
        }
        errors.sort { $0.line < $1.line }
        return (file, Array(errors.prefix(ExpectationFile.errorLimit)))
    }

    /// Reads an empty line, `[SECTION NAME]` or `KEY = VALUE`, each with a comment or without.
    private mutating func read(_ line: String) throws(Mistake) {
        let content = line.withoutComment.trimmed
        guard !content.isEmpty else { return }
        if content.hasPrefix("[") { return try begin(content) }
        guard !isInWrongSection else { return }
        guard let sign = content.firstIndex(of: "=") else {
            throw Mistake(message: "\(quoted(content)) is neither '[SECTION]' nor 'KEY = VALUE'")
        }
        let key = content[..<sign].trimmed.lowercased()
        let value = content[content.index(after: sign)...].trimmed
        guard let section else {
            throw Mistake(
                message:
                    "\(quoted(key)) is in no section; write one such as '[device nas]' above it")
        }
        try check(key, in: section)
        guard !value.isEmpty else { throw Mistake(message: "the value of '\(key)' is missing") }
        try store(key, value, in: section)
    }

    private mutating func check(_ key: String, in section: Section) throws(Mistake) {
        let keys = Self.keys[section] ?? []
        guard keys.contains(key) else {
            let advice = nearestName(to: key, among: keys).map { "did you mean '\($0)'?" }
            let other = Self.keys.first { $0.value.contains(key) }?.key
            let reason: String? =
                switch (key, other) {
                case ("present", _) where section == .devices:
                    "a set has a count; write 'count = 1..'"
                case ("count", _) where section == .device:
                    "a device is there or not; write 'present = always', or '[devices …]'"
                case (_, .network?): "it belongs to '[network]'"
                case (_, .some): "it belongs to '[device …]'"
                default: nil
                }
            throw Mistake(
                message: "there is no key \(quoted(key)) here; "
                    + (reason ?? advice ?? "write one of \(keys.joined(separator: ", "))"))
        }
        if let earlier = lines.updateValue(number, forKey: key) {
            throw Mistake(message: "'\(key)' is in line \(earlier) already; leave one out")
        }
    }

    // MARK: Sections

    private mutating func begin(_ heading: Substring) throws(Mistake) {
        endSection()
        isInWrongSection = true
        guard heading.hasSuffix("]") else {
            throw Mistake(message: "the heading of the section needs a ']' at its end")
        }
        let words = heading.dropFirst().dropLast().trimmed.split(maxSplits: 1) { $0.isWhitespace }
        let kind = words.first?.lowercased() ?? ""
        let name = words.count == 2 ? words[1].trimmed : ""
        switch kind {
        case "network":
            guard name.isEmpty else { throw Mistake(message: "'[network]' has no name") }
            if let networkLine {
                throw Mistake(message: "'[network]' is in line \(networkLine) already")
            }
            (section, networkLine) = (.network, number)
        case "device", "devices": try begin(named: String(name), isSet: kind == "devices")
        default:
            let advice = nearestName(to: kind, among: ["device", "devices", "network"])
            throw Mistake(
                message: "there is no section \(quoted(kind)); "
                    + (advice.map { "did you mean '[\($0)]'?" }
                        ?? "write '[device NAME]', '[devices NAME]' or '[network]'"))
        }
        isInWrongSection = false
    }

    private mutating func begin(named name: String, isSet: Bool) throws(Mistake) {
        guard !name.isEmpty else {
            throw Mistake(message: "the section needs a name of your own, as in '[device nas]'")
        }
        guard name.utf8.count <= 255, printable(name) == name else {
            throw Mistake(
                message: "the name of the section has more than 255 bytes or control characters")
        }
        if let earlier = names.updateValue(number, forKey: name) {
            throw Mistake(message: "a section \(quoted(name)) is in line \(earlier) already")
        }
        guard file.expectations.count < ExpectationFile.expectationLimit else {
            throw Mistake(
                message: "there are more than \(ExpectationFile.expectationLimit) expectations; "
                    + "combine some in '[devices …]'")
        }
        current = Expectation(name, line: number, isSet: isSet)
        // The network's time replaces it at the end.
        current.time = .seconds(-1)
        section = isSet ? .devices : .device
    }

    private mutating func endSection() {
        defer { (section, lines, isInWrongSection) = (nil, [:], false) }
        guard let section, section != .network else { return }
        if section == .devices {
            if current.criteria.isEmpty, !lines.keys.contains(where: Self.criteria.contains) {
                fail(
                    "the set \(quoted(current.name)) has no criterion; write one such as 'kind = printer'",
                    at: current.line)
            }
            if lines["count"] == nil {
                fail(
                    "the set \(quoted(current.name)) needs a count, as in 'count = 2..4'",
                    at: current.line)
            }
        } else if !lines.keys.contains(where: Self.criteria.contains) {
            current.criteria = [.word(FoldedWord(current.name))]
        }
        file.expectations.append(current)
    }

    // MARK: Values

    private mutating func store(
        _ key: String, _ value: Substring, in section: Section
    ) throws(Mistake) {
        let word = String(value)
        switch key {
        case "for":
            let time = try Self.time(value)
            if section == .network { file.time = time } else { current.time = time }
        case "newcomers":
            file.reportsNewcomers = try Self.choice(value, ["ignore", "report"]) == "report"
        case "present":
            switch try Self.choice(value, ["always", "sometimes", "never"]) {
            case "sometimes": current.count = 0...Int.max
            case "never": current.count = 0...0
            default: current.count = 1...Int.max
            }
        case "count": current.count = try Self.count(value)
        case "services":
            for part in value.parts {
                let type = try Self.type(part)
                if !current.services.contains(type) { current.services.append(type) }
            }
        case "vouched":
            for part in value.parts {
                let rule: VouchingRule = try Self.word(
                    part, absence: "no device is vouched for by")
                if !current.vouched.contains(rule) { current.vouched.append(rule) }
            }
        case "reachable": current.isReachable = try Self.choice(value, ["yes", "no"]) == "yes"
        case "port":
            guard let port = UInt16(value), port > 0 else {
                throw Mistake(message: "\(quoted(value)) is no port; write one from 1 to 65535")
            }
            current.port = port
        case "id":
            guard let id = UUID(uuidString: word) else {
                throw Mistake(
                    message: "\(quoted(value)) is not an identifier; write a whole one, as "
                        + "'peerlist --once --json' shows it")
            }
            current.criteria.append(.id(id))
        case "kind":
            let kind: DeviceKind = try Self.word(value, absence: "there is no kind of device")
            current.criteria.append(.kind(kind))
        case "type": current.criteria.append(.type(try Self.type(value)))
        case "address":
            guard let range = AddressRange(value) else {
                throw Mistake(
                    message: "\(quoted(value)) is not an address or a range; write one such as "
                        + "'192.0.2.7', '192.0.2.0/24' or 'fd00::/8'")
            }
            current.criteria.append(.address(range))
        case "name": current.criteria.append(.name(FoldedWord(word)))
        case "label": current.criteria.append(.label(FoldedWord(word)))
        default:
            current.criteria.append(
                .host(FoldedWord(word.hasSuffix(".") ? String(word.dropLast()) : word)))
        }
    }

    private static func choice(
        _ value: Substring, _ names: [String]
    ) throws(Mistake) -> String {
        let name = value.lowercased()
        guard !names.contains(name) else { return name }
        let advice = Self.advice(for: value, among: names)
        throw Mistake(message: "\(quoted(value)) is not possible here; \(advice)")
    }

    /// Parses the word for a value; an error says that there is none.
    private static func word<Value: RawRepresentable<String> & CaseIterable>(
        _ word: Substring, absence: String
    ) throws(Mistake) -> Value {
        if let value = Value(rawValue: word.lowercased()) { return value }
        let advice = Self.advice(for: word, among: Value.allCases.map(\.rawValue))
        throw Mistake(message: "\(absence) \(quoted(word)); \(advice)")
    }

    private static func advice(for value: Substring, among names: [String]) -> String {
        nearestName(to: String(value), among: names).map { "did you mean '\($0)'?" }
            ?? "write one of \(names.joined(separator: ", "))"
    }

    private static func type(_ value: Substring) throws(Mistake) -> String {
        let type: ServiceType
        do throws(InvalidServiceType) {
            type = try ServiceType(String(value))
        } catch {
            throw Mistake(message: "\(quoted(error.text)) \(printable(error.reason))")
        }
        guard type.subtype == nil else {
            throw Mistake(message: "\(quoted(value)) is a subtype; write '\(type.name)'")
        }
        return type.name
    }

    /// Parses `N`, `N..`, `..N` and `N..M`.
    private static func count(_ value: Substring) throws(Mistake) -> ClosedRange<Int> {
        let wrong = Mistake(
            message:
                "\(quoted(value)) is not a count; write one such as '3', '2..4', '2..' or '..4'")
        func number(_ text: some StringProtocol, or standard: Int?) throws(Mistake) -> Int {
            let text = String(text.filter { !$0.isWhitespace })
            if text.isEmpty, let standard { return standard }
            guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
                let number = Int(text)
            else { throw wrong }
            return number
        }
        guard let dots = value.firstRange(of: "..") else {
            let exact = try number(value, or: nil)
            return exact...exact
        }
        let low = try number(value[..<dots.lowerBound], or: 0)
        let high = try number(value[dots.upperBound...], or: .max)
        guard low <= high else { throw wrong }
        return low...high
    }

    private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]

    /// Parses a time such as `30s`, `5m`, `1h30m` or `2d`, of at most 30 days.
    private static func time(_ value: Substring) throws(Mistake) -> Duration {
        let wrong = Mistake(
            message:
                "\(quoted(value)) is not a time; write one such as '30s', '5m', '1h30m' or '2d', at "
                + "most '30d'")
        var (seconds, digits) = (0, "")
        for character in value.lowercased() where !character.isWhitespace {
            if character.isASCII, character.isNumber, digits.utf8.count < 8 {
                digits.append(character)
            } else if let unit = units[character], let number = Int(digits) {
                (seconds, digits) = (seconds + number * unit, "")
            } else {
                throw wrong
            }
        }
        guard digits.isEmpty, seconds <= 30 * 86_400 else { throw wrong }
        return .seconds(seconds)
    }
}
