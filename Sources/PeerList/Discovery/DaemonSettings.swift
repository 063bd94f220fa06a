// What avahi-daemon's configuration says about its limits.
import Glibc

/// The limits that avahi-daemon was started with, as far as its configuration says.
struct DaemonSettings: Hashable {
    /// Where Debian and others keep it.
    static let path = "/etc/avahi/avahi-daemon.conf"

    /// `cache-entries-max`: the records that it keeps for an interface and family.
    private(set) var cacheLimit = 4_096

    /// What avahi-daemon does by itself.
    init() {}

    /// What a configuration says; what it does not say is as by itself.
    ///
    /// - Parameter text: Sections in brackets, and in them a `key=value` on a line each.
    init(_ text: String) {
        var section = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.filter { !$0.isWhitespace }
            if words.hasPrefix("[") { section = words }
            let parts = words.split(separator: "=", maxSplits: 1)
            guard section == "[server]", parts.count == 2, parts[0] == "cache-entries-max",
                let limit = Int(parts[1])
            else { continue }
            cacheLimit = limit
        }
    }

    /// What the configuration of this machine says, where it can be read.
    static func ofThisMachine() -> DaemonSettings {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return DaemonSettings() }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe read(file, &bytes, bytes.count)
        return DaemonSettings(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
    }
}
