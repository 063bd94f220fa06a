// Checks the values of options; what they mean is the business of whoever takes them.
import PeerList

/// Checks of the values behind options.
enum OptionValue {
    /// One of the values of an enumeration, by its raw value.
    static func choice<Choice>(_ text: String, of row: OptionRow) throws(UsageError) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        if let nearest = nearestName(to: text, among: names) {
            throw UsageError(
                "\(row.title): \(quoted(text)) is not known; did you mean '\(nearest)'?")
        }
        let list = names.map { "'\($0)'" }.joined(separator: ", ")
        throw UsageError("\(row.title): \(quoted(text)) is not known; write one of \(list)")
    }

    /// A network interface of this machine.
    static func interface(
        _ text: String, among interfaces: NetworkInterfaces
    ) throws(UsageError) -> String {
        if interfaces.exists(text) { return text }
        let names = interfaces.names()
        let advice =
            names.isEmpty
            ? "'ip link' lists them" : "there are: \(printable(names.joined(separator: ", ")))"
        throw UsageError("--interface: there is no network interface \(quoted(text)); \(advice)")
    }

    /// A name that DNS can carry (RFC 1035, section 2.3.4), without its final dot.
    static func domain(_ text: String) throws(UsageError) -> String {
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            name.utf8.count <= 253 && labels.allSatisfy { (1...63).contains($0.utf8.count) }
            && name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" }
            && printable(name) == name
        guard isName else {
            throw UsageError(
                "--domain: \(quoted(text)) is not a domain name; write one such as 'local' or "
                    + "'example.org'")
        }
        return name
    }

    /// The name of a file that is to be written.
    static func file(_ text: String) throws(UsageError) -> String {
        if text == "-" {
            throw UsageError("--output: '-' is not a file; use '--json' for standard output")
        }
        guard !text.isEmpty else {
            throw UsageError(
                "--output: the file name is empty; write one such as 'peers.jsonl'")
        }
        return text
    }

    /// A name that fits the label of a service instance (RFC 6763, section 4.1.1).
    ///
    /// - Parameters:
    ///   - text: The name.
    ///   - option: The option that it stands behind.
    ///   - advice: What to write where it is empty.
    /// - Returns: The name.
    /// - Throws: ``UsageError`` where it does not fit.
    static func instanceName(
        _ text: String, of option: String, whenEmpty advice: String
    ) throws(UsageError) -> String {
        guard !text.isEmpty else { throw UsageError("\(option): the name is empty; \(advice)") }
        guard text.utf8.count <= 63 else {
            throw UsageError(
                "\(option): the name has \(text.utf8.count) bytes; shorten it to at most 63")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw UsageError(
                "\(option): the name \(quoted(text)) contains a control character; leave it out")
        }
        return text
    }

    /// A time in seconds, with or without decimals, above zero and at most a day.
    static func seconds(_ text: String) throws(UsageError) -> Duration {
        func wrong(_ reason: String) -> UsageError {
            UsageError("--timeout: \(quoted(text)) \(reason)")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.joined()
        guard parts.count <= 2, !digits.isEmpty,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw wrong("is not a number of seconds; write one such as '5' or '0.5'") }

        let whole = parts[0].drop { $0 == "0" }
        let limit = "is too long; write at most 86400, a day"
        guard whole.count <= 5, let seconds = Int64("0" + whole) else { throw wrong(limit) }
        let decimals = parts.count == 2 ? parts[1].prefix(6) : ""
        let fraction = decimals + String(repeating: "0", count: 6 - decimals.count)
        let duration = Duration.seconds(seconds) + .microseconds(Int64(fraction) ?? 0)
        guard duration > .zero else { throw wrong("is too short; write more than 0") }
        guard duration <= .seconds(86_400) else { throw wrong(limit) }
        return duration
    }

    /// How many times as fast: a number from 0 on, with or without decimals.
    static func speed(_ text: String) throws(UsageError) -> Double {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E }
        guard isNumber, let speed = Double(text), speed == 0 || 0.001...1_000_000 ~= speed else {
            throw UsageError(
                """
                --speed: \(quoted(text)) is not a speed; write a number such as '10' or '0.5', or 0 \
                to play at once
                """)
        }
        return speed
    }

    /// A time in a recording.
    static func time(_ text: String) throws(UsageError) -> RecordingTime {
        guard let time = RecordingTime(text) else {
            throw UsageError(
                "--at: \(quoted(text)) is not a time; write one such as '08:30', "
                    + "'2026-11-21T08:30' or '2026-11-21T08:30:00Z'")
        }
        return time
    }
}
