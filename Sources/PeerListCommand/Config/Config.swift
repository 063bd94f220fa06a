// The settings of the live list, and the file that holds them.
import Glibc
import TerminalList

/// The settings of a file; what it does not set keeps its default.
struct Config: Equatable, Sendable {
    /// The keys of actions, by the actions' names; an empty list leaves an action without keys.
    var keymap: [String: [Key]] = [:]
    /// The looks that differ from the theme's.
    var colors: [Style.Tone: Theme.Look] = [:]
    /// The name of the theme, if one is chosen.
    var theme: String?
    /// How long the row of a departed device stays in the list, in seconds.
    var departureSeconds = 30
}

extension Config {
    /// The settings of a file; the defaults if there is no such file.
    ///
    /// - Throws: ``UsageError`` if the file cannot be read, or with the position of an error in it.
    init(_ file: ConfigFile) throws(UsageError) {
        self.init()
        guard let bytes = try file.bytes() else { return }
        do throws(ConfigError) {
            self = try ConfigParser.config(from: bytes)
        } catch {
            throw UsageError(error.description(in: file.shownPath))
        }
    }
}

/// The file of settings.
struct ConfigFile: Equatable {
    /// The maximum size in bytes.
    static let sizeLimit = 64 << 10

    let path: String
    /// The path for messages, with `~` for the home directory.
    let shownPath: String

    init(path: String) { (self.path, shownPath) = (path, path) }

    /// The usual file, `$XDG_CONFIG_HOME/peerlist/config`, or the one below `~/.config` if that
    /// variable is not an absolute path; `nil` if neither is known.
    ///
    /// - Parameter variable: Returns the value of an environment variable.
    init?(environment variable: (String) -> String?) {
        let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let chosen = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = chosen ?? home.map({ $0 + "/.config" }) else { return nil }
        let path = folder + "/peerlist/config"
        self.path = path
        let isInHome = home.map { path.hasPrefix($0 + "/") } ?? false
        shownPath = isInHome ? "~" + path.dropFirst(home?.count ?? 0) : path
    }

    /// Returns the bytes, or `nil` if there is no such file.
    ///
    /// - Throws: ``UsageError`` if it cannot be read.
    func bytes() throws(UsageError) -> [UInt8]? {
        // O_NONBLOCK, as opening a pipe would wait for its writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw unreadable(unsafe String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unreadable("it is not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: Self.sizeLimit + 1)
        var size = 0
        while size < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress?.advanced(by: size), buffer.count - size)
            }
            guard count >= 0 else { throw unreadable(unsafe String(cString: strerror(errno))) }
            if count == 0 { return Array(bytes.prefix(size)) }
            size += count
        }
        throw unreadable("it has more than \(Self.sizeLimit >> 10) KiB")
    }

    private func unreadable(_ reason: String) -> UsageError {
        UsageError("\(shownPath) cannot be read: \(reason)")
    }
}

/// Returns the value of an environment variable, or `nil` if it is not set.
func environmentVariable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
