// The description of an option, and the kinds of values, each with the check that says what to write.
import PeerFleet
import PeerList
import PeerRecording
import PeerSession
import PeerText

/// The description of an option, from which it is parsed, and documented in every form.
struct OptionRow: Sendable {
    /// The value of an option, or an operand.
    struct Argument: Sendable {
        /// The name in the help: `SECONDS`, or the values themselves as `line|second|none`.
        let name: String
        let example: String
        var completion = Completion.none
        /// Whether the value may be left out; it is then accepted after `=` only.
        var isOptional = false
        /// Whether an operand may be repeated.
        var isRepeated: Bool { name.hasSuffix("...") }
    }

    enum Completion: Equatable, Sendable {
        case none, files, interfaces, serviceTypes
        case values([String])
        /// Any of some values, separated by commas.
        case list([String])
    }

    enum Repetition: Sendable {
        /// All values are used.
        case adds
        /// The last value is used, so that the option of an alias can be overridden.
        case overrides
        /// A different value is refused, because one of the two would be lost.
        case refused
    }

    enum Group: String, CaseIterable, Sendable {
        case announcement = "Announcement"
        case discovery = "Discovery"
        case output = "Output"
        case screen = "Live list"
        case recording = "Recording"
        case hooks = "Hooks"
        case broker = "Broker"
        case other = "Other"
    }

    /// Another option that this one depends on, by its title, and what to do if that is not met.
    typealias Relation = (title: String, advice: String)

    let forms: [String]
    var argument: Argument?
    var repetition = Repetition.overrides
    var group = Group.other
    let help: String
    var conflict: Relation?
    var requirement: Relation?
    var isRequired = false

    /// The long form, or the short one if there is no long one.
    var title: String { forms.last ?? "" }
    var long: String? { forms.first { $0.hasPrefix("--") } }
    var short: Character? { forms.first { $0.count == 2 }?.last }
}

/// A kind of values: how a value is described, and the check that returns it as what it means.
struct OptionValue<Value: Sendable>: Sendable {
    let argument: OptionRow.Argument
    let check: @Sendable (GivenOption) throws(UsageError) -> Value

    init(
        _ name: String, example: String, _ completion: OptionRow.Completion = .none,
        isOptional: Bool = false,
        check: @escaping @Sendable (GivenOption) throws(UsageError) -> Value
    ) {
        argument = OptionRow.Argument(
            name: name, example: example, completion: completion, isOptional: isOptional)
        self.check = check
    }
}

struct GivenOption {
    let title: String
    /// The value, or `nil` if an optional one was left out.
    let value: String?
    let interfaces: NetworkInterfaces

    var text: String { value ?? "" }

    var isDigits: Bool { !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } }

    /// The value as a number without a sign, with or without decimals.
    var decimal: Double? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E } ? Double(text) : nil
    }

    func error(_ reason: String) -> UsageError { UsageError("\(title): \(reason)") }

    func wrong(_ reason: String) -> UsageError { error("\(quoted(text)) \(reason)") }

    func name(among names: [String]) throws(UsageError) -> String {
        if names.contains(text) { return text }
        if let nearest = nearestName(to: text, among: names) {
            throw wrong("is not known; did you mean '\(nearest)'?")
        }
        let list = names.map { "'\($0)'" }.joined(separator: ", ")
        throw wrong("is not known; write one of \(list)")
    }

    func file(whenEmpty advice: String) throws(UsageError) -> String {
        guard !text.isEmpty else { throw error("the file name is empty; \(advice)") }
        return text
    }

    /// Returns a service instance name, at most 63 bytes long (RFC 6763, section 4.1.1).
    func instanceName(whenEmpty advice: String) throws(UsageError) -> String {
        guard !text.isEmpty else { throw error("the name is empty; \(advice)") }
        guard text.utf8.count <= 63 else {
            throw error("the name has \(text.utf8.count) bytes; shorten it to at most 63")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw error("the name \(quoted(text)) contains a control character; leave it out")
        }
        return text
    }

    /// Returns the service types of a comma-separated list, or one type, as `parse` reads them.
    func serviceType<Value>(
        _ parse: (String) throws(InvalidServiceType) -> Value
    ) throws(UsageError) -> Value {
        do throws(InvalidServiceType) {
            return try parse(text)
        } catch {
            throw self.error("\(quoted(error.text)) \(printable(error.reason))")
        }
    }
}

enum ValueKind {
    static func text(_ name: String, example: String) -> OptionValue<String> {
        OptionValue(name, example: example) { $0.text }
    }

    static func name(among names: [String], example: String) -> OptionValue<String> {
        OptionValue(names.joined(separator: "|"), example: example, .values(names)) {
            given throws(UsageError) in try given.name(among: names)
        }
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        of _: Choice.Type, example: String
    ) -> OptionValue<Choice> {
        let names = Choice.allCases.map(\.rawValue)
        return OptionValue(names.joined(separator: "|"), example: example, .values(names)) {
            given throws(UsageError) in
            let name = try given.name(among: names)
            guard let choice = Choice(rawValue: name) else { throw given.wrong("is not known") }
            return choice
        }
    }

    static let interface = OptionValue<String>("NAME", example: "eth0", .interfaces) {
        given throws(UsageError) in
        if given.interfaces.exists(given.text) { return given.text }
        let names = given.interfaces.names().joined(separator: ", ")
        let advice = names.isEmpty ? "'ip link' lists them" : "there are: \(printable(names))"
        throw given.error("there is no network interface \(quoted(given.text)); \(advice)")
    }

    /// A name that DNS can carry (RFC 1035, section 2.3.4), without its final dot.
    static let domain = OptionValue<String>("DOMAIN", example: "local") {
        given throws(UsageError) in
        let name = given.text.hasSuffix(".") ? String(given.text.dropLast()) : given.text
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            name.utf8.count <= 253 && labels.allSatisfy { (1...63).contains($0.utf8.count) }
            && printable(name) == name
            && name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\\" }
        guard isName else {
            throw given.wrong("is not a domain name; write one such as 'local' or 'example.org'")
        }
        return name
    }

    static let configuration = OptionValue<String>(
        "FILE", example: "/etc/avahi/avahi-daemon.conf", .files
    ) { given throws(UsageError) in try given.file(whenEmpty: "leave the option out") }

    static let outputFile = file("peers.jsonl", forStandardOutput: "use '--json'")
    static let watchedFile = file("peers.json", forStandardOutput: "leave the option out")

    private static func file(
        _ example: String, forStandardOutput advice: String
    ) -> OptionValue<String> {
        OptionValue("FILE", example: example, .files) { given throws(UsageError) in
            guard given.text != "-" else {
                throw given.error("'-' is not a file; \(advice) for standard output")
            }
            return try given.file(whenEmpty: "write one such as '\(example)'")
        }
    }

    static let reportFile = OptionValue<String>("FILE", example: "report.html", .files) {
        given throws(UsageError) in
        try given.file(whenEmpty: "write one such as 'report.html', or '-' for standard output")
    }

    static let brokerURL = OptionValue<BrokerURL>("URL", example: "mqtt://broker.example") {
        given throws(UsageError) in
        do throws(BrokerURLError) {
            return try BrokerURL(given.value ?? "")
        } catch {
            throw UsageError("'\(given.title)': \(error)")
        }
    }

    static let file = OptionValue<String>("FILE", example: "broker.pem", .files) { $0.value ?? "" }

    static let siteName = OptionValue<String>("NAME", example: "office") {
        given throws(UsageError) in
        let name = given.value ?? ""
        guard FleetTopics.isName(name) else {
            throw UsageError(
                "'\(given.title)' takes a name of 1 to \(FleetTopics.nameLimit) bytes without '/', "
                    + "'+', '#' and '$', not \(quoted(name))")
        }
        return name
    }

    static let topicPrefix = OptionValue<String>(
        "PREFIX", example: "homeassistant", isOptional: true
    ) { given throws(UsageError) in
        let prefix = given.value ?? "homeassistant"
        let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
        guard prefix.utf8.count <= 200, levels.allSatisfy(FleetTopics.isName) else {
            throw UsageError(
                "'\(given.title)' takes a topic without '+', '#' and '$', not \(quoted(prefix))")
        }
        return prefix
    }

    static let instanceName = OptionValue<String>("NAME", example: "Web") {
        given throws(UsageError) in try given.instanceName(whenEmpty: "write one such as 'Web'")
    }

    static let announcement = OptionValue<Options.Announcement>(
        "NAME", example: "", isOptional: true
    ) { given throws(UsageError) in
        guard given.value != nil else { return .hostName }
        return .name(try given.instanceName(whenEmpty: "leave '=' out to use the host name"))
    }

    static let serviceTypes = OptionValue<[ServiceType]>("TYPE", example: "ssh", .serviceTypes) {
        given throws(UsageError) in try given.serviceType(ServiceType.list)
    }

    static let kinds = OptionValue<[DeviceKind]>(
        "KIND", example: "printer", .list(DeviceKind.allCases.map(\.rawValue))
    ) { given throws(UsageError) in
        var kinds: [DeviceKind] = []
        for word in given.text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = word.lowercased()
            guard let kind = DeviceKind(rawValue: name) else {
                let known = DeviceKind.allCases.map(\.rawValue)
                throw given.error(
                    "\(quoted(word)) is not a kind of device; write one of "
                        + known.joined(separator: ", "))
            }
            kinds.append(kind)
        }
        return kinds
    }

    /// A service type that can be announced: one without a subtype.
    static let announcedType = OptionValue<String>("TYPE", example: "http", .serviceTypes) {
        given throws(UsageError) in
        let type = try given.serviceType(ServiceType.init(_:))
        guard let subtype = type.subtype else { return type.name }
        throw given.wrong(
            "is a subtype; write '\(given.title) \(type.name) --subtype \(printable(subtype))'")
    }

    static let port = OptionValue<UInt16>("PORT", example: "80") { given throws(UsageError) in
        guard given.isDigits, let port = UInt16(given.text), port > 0 else {
            throw given.wrong("is not a port number; write one from 1 to 65535")
        }
        return port
    }

    /// A time in seconds, with or without decimals, above 0 and at most a day.
    static let seconds = OptionValue<Duration>("SECONDS", example: "2.5") {
        given throws(UsageError) in
        guard let seconds = given.decimal else {
            throw given.wrong("is not a number of seconds; write one such as '5' or '0.5'")
        }
        guard seconds <= 86_400 else {
            throw given.wrong("is too long; write at most 86400, a day")
        }
        let duration = Duration.microseconds((seconds * 1_000_000).rounded())
        guard duration > .zero else { throw given.wrong("is too short; write more than 0") }
        return duration
    }

    /// A playback speed: 0, or a factor from 0.001 to 1,000,000.
    static let speed = OptionValue<Double>("N", example: "10") { given throws(UsageError) in
        guard let speed = given.decimal, speed == 0 || 0.001...1_000_000 ~= speed else {
            throw given.wrong(
                "is not a speed; write a number such as '10' or '0.5', or 0 to play at once")
        }
        return speed
    }

    static let command = OptionValue<[String]>("COMMAND", example: "logger") {
        given throws(UsageError) in
        let words: [CommandWord]
        do throws(CommandWord.Fault) {
            words = try CommandWord.split(given.text[...])
        } catch {
            throw given.error(error.message)
        }
        guard words.first?.text.isEmpty == false else {
            throw given.error("the command is empty; write a program and its arguments")
        }
        return words.map(\.text)
    }

    static let hookEvents = OptionValue<[Hook.Event]>(
        "EVENTS", example: "arrived,departed", .list(Hook.Event.allCases.map(\.rawValue))
    ) { given throws(UsageError) in
        let names = Hook.Event.allCases.map(\.rawValue)
        var events: [Hook.Event] = []
        for word in given.text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let event = Hook.Event(rawValue: String(word)) else {
                throw given.error(
                    "\(quoted(word)) is not an event; write one of \(names.joined(separator: ", "))"
                )
            }
            events.append(event)
        }
        return events
    }

    static let recordingTime = OptionValue<RecordingTime>("TIME", example: "08:30") {
        given throws(UsageError) in
        guard let time = RecordingTime(given.text) else {
            throw given.wrong(
                "is not a time; write one such as '08:30', '2026-11-21T08:30' or "
                    + "'2026-11-21T08:30:00Z'")
        }
        return time
    }
}

/// The network interfaces that an option can name.
struct NetworkInterfaces: Sendable {
    let exists: @Sendable (String) -> Bool
    let names: @Sendable () -> [String]

    /// The interfaces of this machine, also by their alternative names.
    static let system = NetworkInterfaces(
        exists: { NetworkInterface(named: $0) != nil },
        names: { LocalInterface.all().map(\.interface.name) })
}
