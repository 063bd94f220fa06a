// The settings of avahi-daemon, read from its file (avahi-daemon.conf(5)).

/// The settings in a file of avahi-daemon; settings that are not given have the daemon's defaults.
public struct DaemonSettings: Hashable, Sendable {
    /// The usual path of the file.
    public static let usualPath = "/etc/avahi/avahi-daemon.conf"

    private var values: [String: [String: String]] = [:]

    /// Parses the text of a file; lines that are not settings are ignored, and of repeated settings the last one
    /// counts.
    ///
    /// - Parameter text: The names of sections in brackets, each followed by lines of the form `key=value`.
    public init(_ text: String) {
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

    /// Returns the value of a setting, or `nil` if the file does not have it.
    public func value(_ section: String, _ key: String) -> String? { values[section]?[key] }

    /// Returns a setting that is yes or no.
    public func isOn(_ section: String, _ key: String, otherwise usual: Bool) -> Bool {
        guard let value = value(section, key)?.lowercased() else { return usual }
        return ["y", "t", "1"].contains { value.hasPrefix($0) } || value == "on"
    }

    /// Returns a setting that is a number.
    public func number(_ section: String, _ key: String, otherwise usual: Int) -> Int {
        value(section, key).flatMap { Int($0) } ?? usual
    }

    /// Returns a setting that is a list with commas; `nil` if the file does not have it.
    public func list(_ section: String, _ key: String) -> [String]? {
        value(section, key).map { text in
            text.split(separator: ",").map { String(trimmed($0)) }.filter { !$0.isEmpty }
        }
    }

    /// The maximum number of records that the daemon keeps for an interface and family.
    public var cacheLimit: Int { number("server", "cache-entries-max", otherwise: 4_096) }
}

/// Returns a text without the spaces around it.
private func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
}
