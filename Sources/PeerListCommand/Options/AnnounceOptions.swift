// What the user asks of `peerlist announce`.
import PeerList

/// Which service is announced, and how that is told.
struct AnnounceOptions: Equatable, Sendable {
    /// The instance name to begin with.
    var name = ""
    /// The type, without a subtype.
    var type = ""
    /// Where it answers.
    var port: UInt16 = 0
    /// The TXT record.
    var txt: [String] = []
    /// The subtypes, such as `_printer`.
    var subtypes: [String] = []
    /// The one interface to announce it on.
    var interface: String?
    /// The one address family to announce it over.
    var family: AddressFamily?
    /// Who may announce it.
    var backend = BackendChoice.auto
    /// Whether what becomes of it is told in JSON.
    var isJSON = false

    /// Reads the words behind `peerlist announce`; `nil` asks for the help.
    ///
    /// - Throws: ``UsageError`` for the first word that is wrong, then for what is missing or does not
    ///   fit together.
    static func reading(
        _ words: [String], _ interfaces: NetworkInterfaces
    ) throws(UsageError) -> AnnounceOptions? {
        var scanner = OptionScanner(words, of: .announce)
        var options = AnnounceOptions()
        var (subtypes, seen) = ([String](), [OptionRow.Name: String?]())
        while let given = try scanner.next() {
            if given.row.name == .help { return nil }
            if given.row.repetition == .refused, let earlier = seen[given.row.name],
                earlier != given.value
            {
                throw UsageError(
                    "'\(given.row.title)' is given twice, with different values; leave one out")
            }
            seen[given.row.name] = .some(given.value)
            if given.row.name == .subtype {
                subtypes.append(given.value ?? "")
            } else {
                try options.take(given, interfaces)
            }
        }
        try options.checkWhole(seen.keys)
        options.subtypes = try OptionValue.subtypes(subtypes, of: options.type)
        options.txt = try OptionValue.attributes(options.txt)
        return options
    }

    private mutating func take(
        _ given: GivenOption, _ interfaces: NetworkInterfaces
    ) throws(UsageError) {
        let value = given.value ?? ""
        switch given.row.name {
        case .name:
            name = try OptionValue.instanceName(
                value, of: "--name", whenEmpty: "write one such as 'Web'")
        case .type: type = try OptionValue.announcedType(value)
        case .port: port = try OptionValue.port(value)
        case .txt: txt.append(value)
        case .interface: interface = try OptionValue.interface(value, among: interfaces)
        case .backend: backend = try OptionValue.choice(value, of: given.row)
        case .ipv4: family = .ipv4
        case .ipv6: family = .ipv6
        default: isJSON = true
        }
    }

    /// Refuses what cannot be announced because something is missing or contradicts itself.
    private func checkWhole(_ given: some Collection<OptionRow.Name>) throws(UsageError) {
        for name in [OptionRow.Name.name, .type, .port] where !given.contains(name) {
            throw UsageError(
                "'peerlist announce' needs '--\(name.rawValue)'; write for instance "
                    + "'peerlist announce --name Web --type http --port 80'")
        }
        if given.contains(.ipv4), given.contains(.ipv6) {
            throw UsageError(
                "'-4' and '-6' cannot be combined; leave both out to announce over both")
        }
    }
}
