// The settings of avahi-daemon, read from its file (avahi-daemon.conf(5)).

/// What a file of avahi-daemon's settings says; what it does not say is as the daemon has it by itself.
struct DaemonSettings: Equatable, Sendable {
    /// Where the file usually is.
    static let usualPath = "/etc/avahi/avahi-daemon.conf"

    /// The settings of each section, by their names.
    private var values: [String: [String: String]] = [:]

    /// Reads a file; lines that are no settings are passed over, and the last of two counts.
    init(_ text: String) {
        var section = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let line = trimmed(line)
            if line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = String(line.dropFirst().dropLast())
                continue
            }
            guard let sign = line.firstIndex(of: "=") else { continue }
            let key = String(trimmed(line[..<sign]))
            values[section, default: [:]][key] = String(trimmed(line[line.index(after: sign)...]))
        }
    }

    /// A setting that was made, or `nil`.
    func value(_ section: String, _ key: String) -> String? { values[section]?[key] }

    /// A setting that is yes or no.
    func isOn(_ section: String, _ key: String, otherwise usual: Bool) -> Bool {
        guard let value = value(section, key)?.lowercased() else { return usual }
        return ["y", "t", "1"].contains { value.hasPrefix($0) } || value == "on"
    }

    /// A setting that is a number.
    func number(_ section: String, _ key: String, otherwise usual: Int) -> Int {
        value(section, key).flatMap { Int($0) } ?? usual
    }

    /// A setting that is a list with commas; `nil` where it was not made.
    func list(_ section: String, _ key: String) -> [String]? {
        value(section, key).map { text in
            text.split(separator: ",").map { String(trimmed($0)) }.filter { !$0.isEmpty }
        }
    }

    /// Whether the daemon asks name servers outside of the link.
    var usesWideArea: Bool { isOn("wide-area", "enable-wide-area", otherwise: false) }
}

/// The text without the spaces around it.
private func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
}
