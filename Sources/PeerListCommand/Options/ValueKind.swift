// The kinds of values that options and settings take: names, checks whose errors say what to write, candidates.
import PeerFleet
import PeerHooks
import PeerList
import PeerRecording
import PeerText
import TerminalList

/// A mistake in a value: a message that says what to write, and the word that is wrong.
struct ValueFault: Error {
    let message: String
    let word: Substring

    init(_ message: String, at word: Substring) { (self.message, self.word) = (message, word) }

    /// The fault of a word: it, and what is wrong.
    init(_ word: Substring, _ reason: String) { self.init("\(quoted(word)) \(reason)", at: word) }

    /// The fault of a name that is none of some, with the nearest one or, if they are few, all of them.
    init(no noun: String, _ word: Substring, among names: [String]) {
        let advice =
            nearestName(to: String(word), among: names).map { "; did you mean '\($0)'?" }
            ?? (names.count > 24 ? "" : "; write one of \(names.joined(separator: ", "))")
        self.init("there is no \(noun) \(quoted(word))\(advice)", at: word)
    }
}

/// The words that can complete a value.
enum Candidates: Sendable {
    typealias Word = (text: String, help: String)

    case none, files, recordings, interfaces, serviceTypes
    /// The labels or names of devices in the ledger, or else their identifiers.
    case devices
    /// The labels or names of devices in the ledger, for a search.
    case deviceNames
    case words([Word])
    /// Any of some words, separated by commas.
    indirect case list(Candidates)

    static func names(_ names: [String]) -> Candidates { .words(names.map { ($0, "") }) }
}

/// A kind of values: how a value is described, and the check that returns it as what it means.
struct ValueKind<Value: Sendable>: Sendable {
    /// The name in the help: `SECONDS`, or the values themselves as `line|second|none`.
    let name: String
    let example: String
    let candidates: Candidates
    let check: @Sendable (Substring) throws(ValueFault) -> Value

    init(
        _ name: String, example: String, _ candidates: Candidates = .none,
        check: @escaping @Sendable (Substring) throws(ValueFault) -> Value
    ) {
        (self.name, self.example, self.candidates) = (name, example, candidates)
        self.check = check
    }

    /// A kind whose values `read` returns; other texts are faults, for `reason`.
    init(
        _ name: String, example: String, _ candidates: Candidates = .none, or reason: String,
        read: @escaping @Sendable (Substring) -> Value?
    ) {
        self.init(name, example: example, candidates) { text throws(ValueFault) in
            guard let value = read(text) else { throw ValueFault(text, reason) }
            return value
        }
    }

    /// Returns the value of an option or operand; errors name it.
    func value(of title: String, _ text: String) throws(UsageError) -> Value {
        do throws(ValueFault) {
            return try check(text[...])
        } catch {
            throw UsageError("\(title): \(error.message)")
        }
    }

    /// One of some values, which have names in lower case.
    static func choice(
        _ noun: String, _ values: [(name: String, value: Value)], example: String = ""
    ) -> Self {
        let names = values.map(\.name)
        return Self(names.joined(separator: "|"), example: example, .names(names)) {
            text throws(ValueFault) in
            guard let found = values.first(where: { $0.name == text.lowercased() }) else {
                throw ValueFault(no: noun, text, among: names)
            }
            return found.value
        }
    }

    /// Any values of this kind, separated by commas.
    func list(_ name: String, example: String? = nil) -> ValueKind<[Value]> {
        ValueKind<[Value]>(name, example: example ?? self.example, .list(candidates)) {
            text throws(ValueFault) in
            var values: [Value] = []
            for part in text.parts { values.append(try check(part)) }
            return values
        }
    }
}

extension Substring {
    fileprivate var isDigits: Bool { !isEmpty && utf8.allSatisfy { 0x30...0x39 ~= $0 } }

    /// The text as a number without a sign, with or without decimals.
    fileprivate var decimal: Double? {
        utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E } ? Double(self) : nil
    }
}

// MARK: Names

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
    static func choice(_ noun: String, example: String = "") -> Self {
        choice(noun, Value.allCases.map { ($0.rawValue, $0) }, example: example)
    }
}

extension ValueKind<VouchingRule> {
    static var vouchingRule: Self { .choice("rule", example: "own") }
}

extension ValueKind<DiscoveryProtocol> {
    static var discoveryProtocol: Self { .choice("protocol", example: "ssdp") }
}

extension ValueKind<DeviceKind> {
    static var deviceKind: Self { .choice("kind of device", example: "printer") }
}

extension ValueKind<Hook.Event> {
    static var change: Self { .choice("change", example: "arrived") }
}

extension ValueKind<String> {
    static func text(_ name: String, example: String, _ candidates: Candidates = .none) -> Self {
        Self(name, example: example, candidates) { String($0) }
    }

    static func choice(_ noun: String, _ names: [String], example: String = "") -> Self {
        choice(noun, names.map { ($0, $0) }, example: example)
    }

    static var interface: Self {
        Self("NAME", example: "eth0", .interfaces) { text throws(ValueFault) in
            let interfaces = NetworkInterfaces.current
            if interfaces.exists(String(text)) { return String(text) }
            let names = interfaces.names().joined(separator: ", ")
            let advice = names.isEmpty ? "'ip link' lists them" : "there are: \(printable(names))"
            throw ValueFault("there is no network interface \(quoted(text)); \(advice)", at: text)
        }
    }

    /// A name that DNS can carry (RFC 1035, section 2.3.4), without its final dot.
    static var domain: Self {
        let reason = "is not a domain name; write one such as 'local' or 'example.org'"
        return Self("DOMAIN", example: "local", or: reason) { text in
            let name = String(text.hasSuffix(".") ? text.dropLast() : text)
            let labels = name.split(separator: ".", omittingEmptySubsequences: false)
            let isName =
                name.utf8.count <= 253 && labels.allSatisfy { (1...63).contains($0.utf8.count) }
                && printable(name) == name
                && name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\\" }
            return isName ? name : nil
        }
    }

    /// The name of a file; `-` is refused if `standardOutput` says what to do instead.
    static func file(
        _ example: String, whenEmpty advice: String? = nil,
        forStandardOutput standardOutput: String? = nil
    ) -> Self {
        Self("FILE", example: example, .files) { text throws(ValueFault) in
            if let standardOutput, text == "-" {
                throw ValueFault(text, "is not a file; \(standardOutput) for standard output")
            }
            if !text.isEmpty { return String(text) }
            let advice = advice ?? "write one such as '\(example)'"
            throw ValueFault("the file name is empty; \(advice)", at: text)
        }
    }

    /// A service instance name, at most 63 bytes long (RFC 6763, section 4.1.1).
    static func instanceName(whenEmpty advice: String = "write one such as 'Web'") -> Self {
        Self("NAME", example: "Web") { text throws(ValueFault) in
            let size = text.utf8.count
            let reason =
                size == 0
                ? "is empty; \(advice)"
                : size > 63
                    ? "has \(size) bytes; shorten it to at most 63"
                    : text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
                        ? nil : "\(quoted(text)) contains a control character; leave it out"
            if let reason { throw ValueFault("the name \(reason)", at: text) }
            return String(text)
        }
    }

    static var siteName: Self {
        let reason =
            "is not the name of a site; write 1 to \(FleetTopics.nameLimit) bytes without '/', '+', "
            + "'#' and '$'"
        return Self("NAME", example: "office", or: reason) { text in
            FleetTopics.isName(String(text)) ? String(text) : nil
        }
    }

    /// The name of an observer of a fleet.
    static var observerName: Self {
        Self("OBSERVER", example: "office/hall", or: FleetSelection.observerFault) { text in
            FleetSelection.isObserver(String(text)) ? String(text) : nil
        }
    }

    static var topicPrefix: Self {
        let reason = "is not a topic; write one of at most 200 bytes without '+', '#' and '$'"
        return Self("PREFIX", example: "homeassistant", or: reason) { text in
            let levels = text.split(separator: "/", omittingEmptySubsequences: false)
            let isTopic = levels.allSatisfy { FleetTopics.isName(String($0)) }
            return isTopic && text.utf8.count <= 200 ? String(text) : nil
        }
    }

    /// A service type without a subtype; `advice` says what to write instead of one with a subtype.
    static func plainType(_ advice: @escaping @Sendable (ServiceType, _ subtype: String) -> String)
        -> Self
    {
        Self("TYPE", example: "http", .serviceTypes) { text throws(ValueFault) in
            let type = try ValueKind<ServiceType>.serviceType.check(text)
            guard let subtype = type.subtype else { return type.name }
            throw ValueFault(text, "is a subtype; write '\(advice(type, printable(subtype)))'")
        }
    }
}

extension ValueKind<ServiceType> {
    static var serviceType: Self {
        Self("TYPE", example: "ssh", .serviceTypes) { text throws(ValueFault) in
            do throws(InvalidServiceType) {
                return try ServiceType(String(text))
            } catch {
                throw ValueFault("\(quoted(error.text)) \(printable(error.reason))", at: text)
            }
        }
    }
}

extension ValueKind<BrokerURL> {
    static var brokerURL: Self {
        Self("URL", example: "mqtt://broker.example") { text throws(ValueFault) in
            do throws(BrokerURLError) {
                return try BrokerURL(String(text))
            } catch {
                // What comes before an '@' may be a password.
                throw ValueFault(
                    text.contains("@") ? "\(error)" : "\(quoted(text)): \(error)", at: text)
            }
        }
    }
}

// MARK: Commands

extension ValueKind<[CommandWord]> {
    /// A command, without a shell, as its words.
    static func command(example: String) -> Self {
        Self("COMMAND", example: "logger") { text throws(ValueFault) in
            let words: [CommandWord]
            do throws(CommandWord.Fault) {
                words = try CommandWord.split(text)
            } catch {
                throw ValueFault(error.message, at: text[error.position...])
            }
            guard words.first?.text.isEmpty == false else {
                throw ValueFault("the command is missing; write one such as '\(example)'", at: text)
            }
            return words
        }
    }
}

// MARK: Numbers and times

extension ValueKind<Int> {
    static func number(in range: ClosedRange<Int>) -> Self {
        let reason = "is not a number from \(range.lowerBound) to \(range.upperBound)"
        return Self("N", example: "\(range.upperBound)", or: reason) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueKind<ScreenHeight> {
    static var height: Self {
        let reason = "is not a height; write a number of lines, or a part such as '40%'"
        return Self("N|N%", example: "40%", or: reason) { text in
            let isPercent = text.hasSuffix("%")
            let digits = isPercent ? text.dropLast() : text
            guard digits.isDigits, let number = Int(digits), number > 0 else { return nil }
            if !isPercent { return .lines(number) }
            return number <= 100 ? .percent(number) : nil
        }
    }
}

extension ValueKind<UInt16> {
    static var port: Self {
        Self("PORT", example: "80", or: "is not a port number; write one from 1 to 65535") {
            $0.isDigits ? UInt16($0).flatMap { $0 > 0 ? $0 : nil } : nil
        }
    }
}

extension ValueKind<Duration> {
    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]

    /// A time in seconds, or in minutes or hours as in `6m`, with or without decimals, above 0 and at most a day.
    static var seconds: Self {
        Self("SECONDS", example: "2.5") { text throws(ValueFault) in
            let unit = text.last.flatMap { units[$0] }
            guard let number = (unit == nil ? text : text.dropLast()).decimal else {
                throw ValueFault(
                    text, "is not a time; write seconds such as '5' or '0.5', or '6m' for minutes")
            }
            let seconds = number * (unit ?? 1)
            guard seconds <= 86_400 else {
                throw ValueFault(text, "is too long; write at most 86400, a day")
            }
            let duration = Duration.microseconds((seconds * 1_000_000).rounded())
            if duration > .zero { return duration }
            throw ValueFault(text, "is too short; write more than 0")
        }
    }
}

extension ValueKind<Double> {
    /// A playback speed: 0, or a factor from 0.001 to 1,000,000.
    static var speed: Self {
        let reason = "is not a speed; write a number such as '10' or '0.5', or 0 to play at once"
        return Self("N", example: "10", or: reason) { text in
            text.decimal.flatMap { $0 == 0 || 0.001...1_000_000 ~= $0 ? $0 : nil }
        }
    }
}

extension ValueKind<RecordingTime> {
    static var recordingTime: Self {
        let reason =
            "is not a time; write one such as '08:30', '2026-11-21T08:30' or '2026-11-21T08:30:00Z'"
        return Self("TIME", example: "08:30", or: reason) { RecordingTime(String($0)) }
    }
}

/// The network interfaces that an option can name.
struct NetworkInterfaces: Sendable {
    let exists: @Sendable (String) -> Bool
    let names: @Sendable () -> [String]

    /// The interfaces of this machine, also by their alternative names; a test can replace them.
    @TaskLocal static var current = NetworkInterfaces(
        exists: { NetworkInterface(named: $0) != nil },
        names: { LocalInterface.all().map(\.interface.name) })
}
