// Reads a command line into options, and refuses what contradicts itself.
import PeerList
import PeerRecording

extension Invocation {
    /// What the words behind the program's name ask for.
    ///
    /// Words are read from left to right; `--help` and `--version` count as soon
    /// as they are met.
    ///
    /// - Throws: ``UsageError`` for the first word that is wrong, then for
    ///   options that contradict each other.
    init(_ words: [String], interfaces: NetworkInterfaces) throws(UsageError) {
        let rest = Array(words.dropFirst())
        switch words.first.flatMap(CommandName.init(rawValue:)) {
        case .doctor:
            self = try DoctorOptions.reading(rest).map(Invocation.doctor) ?? .help(.doctor)
        case .announce:
            let options = try AnnounceOptions.reading(rest, interfaces)
            self = options.map(Invocation.announce) ?? .help(.announce)
        case .types: self = try Self.types(rest, interfaces)
        case .diff: self = try DiffOptions.reading(rest).map(Invocation.diff) ?? .help(.diff)
        case .replay:
            self = try ReplayOptions.reading(rest).map(Invocation.replay) ?? .help(.replay)
        case .config:
            self = try ConfigOptions.reading(rest).map(Invocation.config) ?? .help(.config)
        case .list, nil: self = try Self.list(words, interfaces)
        }
    }

    /// What the options of `peerlist types` ask for: a list by type that is looked at once.
    private static func types(
        _ words: [String], _ interfaces: NetworkInterfaces
    ) throws(UsageError) -> Invocation {
        var scanner = OptionScanner(words, of: .types)
        var reader = OptionReader(interfaces: interfaces, lists: .types)
        while let given = try scanner.next() {
            if given.row.name == .help { return .help(.types) }
            try reader.read(given)
        }
        return .list(try reader.finish())
    }

    /// What the options of the list ask for.
    private static func list(
        _ words: [String], _ interfaces: NetworkInterfaces
    ) throws(UsageError) -> Invocation {
        var scanner = OptionScanner(words)
        var reader = OptionReader(interfaces: interfaces)
        while let given = try scanner.next() {
            switch given.row.name {
            case .help: return .help(.list)
            case .version: return .version
            case .manual: return .manual
            default: try reader.read(given)
            }
        }
        return .list(try reader.finish())
    }
}

/// Gathers options as they are met.
private struct OptionReader {
    let interfaces: NetworkInterfaces
    private var options = Options()
    private var seen: [OptionRow.Name: String?] = [:]

    init(interfaces: NetworkInterfaces, lists subject: Options.Subject = .peers) {
        self.interfaces = interfaces
        options.subject = subject
        guard subject == .types else { return }
        options.once = true
        options.grouping = .type
    }

    mutating func read(_ given: GivenOption) throws(UsageError) {
        let row = given.row
        if row.repetition == .refused, let earlier = seen[row.name], earlier != given.value {
            throw UsageError("'\(row.title)' is given twice, with different values; leave one out")
        }
        seen[row.name] = .some(given.value)
        guard try !options.screen.take(given) else { return }
        try apply(row, given.value ?? "")
    }

    private mutating func apply(_ row: OptionRow, _ value: String) throws(UsageError) {
        switch row.name {
        case .type: try addTypes(value)
        case .interface: options.interface = try OptionValue.interface(value, among: interfaces)
        case .ipv4: options.family = .ipv4
        case .ipv6: options.family = .ipv6
        case .domain: options.domain = try OptionValue.domain(value)
        case .backend: options.backend = try OptionValue.choice(value, of: row)
        case .announce: try announce(value)
        case .groupBy: options.grouping = try OptionValue.choice(value, of: row)
        case .sort: options.sort = try OptionValue.choice(value, of: row)
        case .plain: options.form = .plain
        case .json: options.form = .json
        case .output: options.output = try OptionValue.file(value)
        case .sync: options.sync = try OptionValue.choice(value, of: row)
        case .once: options.once = true
        case .noHeader: options.hasHeading = false
        case .timeout: options.timeout = try OptionValue.seconds(value)
        case .at, .speed, .follow, .help, .manual, .version: break
        case .color, .theme, .ascii, .noMouse, .print, .check: break
        case .name, .port, .txt, .subtype, .config: break
        }
    }

    private mutating func addTypes(_ value: String) throws(UsageError) {
        do {
            for type in try ServiceType.list(value) where !options.types.contains(type) {
                options.types.append(type)
            }
        } catch {
            throw UsageError("--type: \(quoted(error.text)) \(printable(error.reason))")
        }
    }

    private mutating func announce(_ value: String) throws(UsageError) {
        let isNamed = seen[.announce].flatMap { $0 } != nil
        guard isNamed else { return options.announcement = .hostName }
        options.announcement = .name(
            try OptionValue.instanceName(
                value, of: "--announce", whenEmpty: "leave '=' out to use the host name"))
    }

    /// The options, once it is clear that they fit together.
    mutating func finish() throws(UsageError) -> Options {
        if given(.ipv4), given(.ipv6) {
            throw UsageError(
                "'-4' and '-6' cannot be combined; leave both out to browse over both")
        }
        if given(.plain), given(.json) {
            throw UsageError(
                "'--plain' and '--json' cannot be combined; for both, write "
                    + "'--plain --output FILE'")
        }
        if given(.timeout), !options.once {
            throw UsageError(
                "'--timeout' applies to '--once'; add '--once' or leave it out")
        }
        if given(.noHeader), !options.once || options.form != .automatic {
            throw UsageError(
                "'--no-header' applies to the tables of '--once' and 'types'; leave it out")
        }
        if given(.sync), !given(.output) {
            throw UsageError(
                "'--sync' applies to the file of '--output'; add '--output FILE', or leave it out")
        }
        return options
    }

    private func given(_ name: OptionRow.Name) -> Bool { seen[name] != nil }
}
