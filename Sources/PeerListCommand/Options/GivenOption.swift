// Checks the value of an option, and says what to write instead of one that is wrong.
import Glibc
import PeerList

/// An option of a command line, whose value the checks below return as what it means.
///
/// Each check throws a ``UsageError`` that says what is wrong with the value.
struct GivenOption {
    /// The option as errors name it.
    let title: String
    /// The value, or `nil` if an optional one was left out.
    let value: String?
    let interfaces: NetworkInterfaces

    /// The value; empty if there is none.
    var text: String { value ?? "" }

    private func error(_ reason: String) -> UsageError { UsageError("\(title): \(reason)") }

    private func wrong(_ reason: String) -> UsageError { error("\(quoted(text)) \(reason)") }

    /// Returns a value of an enumeration.
    func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(UsageError) -> Choice {
        if let choice = Choice(rawValue: text) { return choice }
        try refuse(among: Choice.allCases.map(\.rawValue))
        throw wrong("is not known")
    }

    /// Returns one of these names.
    func name(among names: [String]) throws(UsageError) -> String {
        if !names.contains(text) { try refuse(among: names) }
        return text
    }

    private func refuse(among names: [String]) throws(UsageError) {
        if let nearest = nearestName(to: text, among: names) {
            throw wrong("is not known; did you mean '\(nearest)'?")
        }
        let list = names.map { "'\($0)'" }.joined(separator: ", ")
        throw wrong("is not known; write one of \(list)")
    }

    /// Returns the name of a network interface of this machine.
    func interface() throws(UsageError) -> String {
        if interfaces.exists(text) { return text }
        let names = interfaces.names()
        let advice =
            names.isEmpty
            ? "'ip link' lists them" : "there are: \(printable(names.joined(separator: ", ")))"
        throw error("there is no network interface \(quoted(text)); \(advice)")
    }

    /// Returns a name that DNS can carry (RFC 1035, section 2.3.4), without its final dot.
    func domain() throws(UsageError) -> String {
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            name.utf8.count <= 253 && labels.allSatisfy { (1...63).contains($0.utf8.count) }
            && name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" }
            && printable(name) == name
        guard isName else {
            throw wrong("is not a domain name; write one such as 'local' or 'example.org'")
        }
        return name
    }

    /// Returns a file name.
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

    /// Returns the service types of a comma-separated list.
    func serviceTypes() throws(UsageError) -> [ServiceType] {
        do throws(InvalidServiceType) {
            return try ServiceType.list(text)
        } catch {
            throw self.error("\(quoted(error.text)) \(printable(error.reason))")
        }
    }

    /// Returns a service type that can be announced: one without a subtype.
    func announcedType() throws(UsageError) -> String {
        let type: ServiceType
        do throws(InvalidServiceType) {
            type = try ServiceType(text)
        } catch {
            throw self.error("\(quoted(error.text)) \(printable(error.reason))")
        }
        if let subtype = type.subtype {
            throw wrong(
                "is a subtype; write '\(title) \(type.name) --subtype \(printable(subtype))'")
        }
        return type.name
    }

    /// Returns a port number above 0.
    func port() throws(UsageError) -> UInt16 {
        guard isDigits(text), let port = UInt16(text), port > 0 else {
            throw wrong("is not a port number; write one from 1 to 65535")
        }
        return port
    }

    /// Returns a time in seconds, with or without decimals, above 0 and at most a day.
    func seconds() throws(UsageError) -> Duration {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, isDigits(parts.joined()) else {
            throw wrong("is not a number of seconds; write one such as '5' or '0.5'")
        }
        let whole = parts[0].drop { $0 == "0" }
        let decimals = parts.count == 2 ? parts[1].prefix(6) : ""
        let fraction = decimals + String(repeating: "0", count: 6 - decimals.count)
        guard whole.count <= 5, let seconds = Int64("0" + whole),
            case let duration = .seconds(seconds) + .microseconds(Int64(fraction) ?? 0),
            duration <= .seconds(86_400)
        else { throw wrong("is too long; write at most 86400, a day") }
        guard duration > .zero else { throw wrong("is too short; write more than 0") }
        return duration
    }

    /// Returns a playback speed: 0, or a factor from 0.001 to 1,000,000.
    func speed() throws(UsageError) -> Double {
        guard isDigits(text.filter { $0 != "." }), let speed = Double(text),
            speed == 0 || 0.001...1_000_000 ~= speed
        else {
            throw wrong(
                "is not a speed; write a number such as '10' or '0.5', or 0 to play at once")
        }
        return speed
    }

    /// Returns a time in a recording.
    func recordingTime() throws(UsageError) -> RecordingTime {
        guard let time = RecordingTime(text) else {
            throw wrong(
                "is not a time; write one such as '08:30', '2026-11-21T08:30' or "
                    + "'2026-11-21T08:30:00Z'")
        }
        return time
    }

    private func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }
}

/// The network interfaces that an option can name.
struct NetworkInterfaces: Sendable {
    /// Whether there is one of this name.
    let exists: @Sendable (String) -> Bool
    /// The names of all of them.
    let names: @Sendable () -> [String]

    /// The interfaces of this machine, also by their alternative names.
    static let system = NetworkInterfaces(
        exists: { unsafe if_nametoindex($0) != 0 },
        names: {
            guard let list = unsafe if_nameindex() else { return [] }
            defer { unsafe if_freenameindex(list) }
            var names: [String] = []
            var entry = unsafe list
            while let name = unsafe entry.pointee.if_name {
                names.append(unsafe String(cString: name))
                unsafe entry += 1
            }
            return names
        })
}
