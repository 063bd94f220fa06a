// The file of settings: where it is, and its bytes.
import Glibc

/// The file of settings: where it is, and its bytes.
struct ConfigFile: Equatable {
    /// What it may hold at the most; more is no file of settings.
    static let sizeLimit = 64 << 10

    /// The name of the file, as it is opened.
    let path: String
    /// The name as it is told: with `~` for the user's own folder.
    let shownPath: String

    /// A file of the user's choice.
    init(path: String) { (self.path, shownPath) = (path, path) }

    /// The usual file, `$XDG_CONFIG_HOME/peerlist/config`, or below `~/.config` where that is not
    /// set or no absolute path; `nil` where no folder is the user's own.
    ///
    /// - Parameter variable: The value of a variable of the environment, if it is set.
    init?(environment variable: (String) -> String?) {
        let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let chosen = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = chosen ?? home.map({ $0 + "/.config" }) else { return nil }
        let path = folder + "/peerlist/config"
        self.path = path
        let own = home.map { $0 + "/" }
        shownPath = own.map { path.hasPrefix($0) ? "~/" + path.dropFirst($0.count) : path } ?? path
    }

    /// The bytes, or `nil` where there is no such file.
    ///
    /// - Throws: ``UsageError`` where there is one that cannot be read.
    func bytes() throws(UsageError) -> [UInt8]? {
        // Without O_NONBLOCK, a pipe in its place would be waited for.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw refusal(unsafe String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw refusal("it is not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: Self.sizeLimit + 1)
        var size = 0
        while size < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress?.advanced(by: size), buffer.count - size)
            }
            guard count >= 0 else { throw refusal(unsafe String(cString: strerror(errno))) }
            if count == 0 { return Array(bytes.prefix(size)) }
            size += count
        }
        throw refusal("it has more than \(Self.sizeLimit >> 10) KiB")
    }

    private func refusal(_ reason: String) -> UsageError {
        UsageError("\(shownPath) cannot be read: \(reason)")
    }
}

extension Config {
    /// What a file says; where there is none, nothing.
    ///
    /// - Throws: ``UsageError`` with the place of what is wrong.
    init(_ file: ConfigFile, _ vocabulary: ConfigVocabulary) throws(UsageError) {
        guard let bytes = try file.bytes() else {
            self.init()
            return
        }
        do throws(ConfigError) {
            self = try ConfigParser.config(from: bytes, vocabulary)
        } catch {
            throw UsageError(error.description(in: file.shownPath))
        }
    }
}
