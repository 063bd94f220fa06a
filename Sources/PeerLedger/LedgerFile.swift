// The file of the ledger: read as a whole, changed under a lock, and replaced atomically.
import FoundationEssentials
import Glibc
import PeerRecording
package import PeerSystem

/// The file of the ledger, `$XDG_STATE_HOME/peerlist/devices.json`, readable by its user alone.
///
/// Each change reads the file, changes it and replaces it under an advisory lock, so that the changes of
/// several processes are all kept. The file is whole at any time, also after a power failure.
package struct LedgerFile: Equatable, Sendable {
    private static let sizeLimit = 128 << 20
    /// How often, and after which pause in milliseconds, a lock that another process holds is tried.
    private static let lockTries = (count: 100, pause: Int32(20))

    /// The path; empty if the environment names no directory for the file.
    package let path: String
    private let home: String?

    init(path: String) { (self.path, home) = (path, nil) }

    /// The usual file, which an environment determines.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        path = stateDirectory(environment: environment).map { $0 + "/devices.json" } ?? ""
        home = environment["HOME"]
    }

    /// The ledger of the file, and what happened to a damaged one.
    package struct Content: Equatable, Sendable {
        package var ledger = DeviceLedger()
        /// The message that the file was damaged and under which name it was kept.
        package var damage: String?
    }

    /// Returns the ledger; an empty one if there is no file, or if it was damaged and has been renamed.
    package func read() throws(LedgerFailure) -> Content {
        guard !path.isEmpty else { throw .noDirectory }
        do throws(LedgerFailure) {
            return Content(ledger: try load())
        } catch {
            guard case .damaged = error else { throw error }
            return try withLock { () throws(LedgerFailure) in try loadOrSetAside() }
        }
    }

    /// Changes the ledger in the file, and returns it as it is then.
    @discardableResult
    package func change(_ body: (inout DeviceLedger) -> Void) throws(LedgerFailure) -> Content {
        guard !path.isEmpty else { throw .noDirectory }
        return try withLock { () throws(LedgerFailure) in
            var content = try loadOrSetAside()
            let before = content.ledger
            body(&content.ledger)
            content.ledger.trim()
            if content.ledger != before { try replace(by: content.ledger.json) }
            return content
        }
    }

    /// Applies the changes of a session.
    package func save(_ changes: LedgerChanges) -> Result<Content, LedgerFailure> {
        do throws(LedgerFailure) {
            return .success(try change { changes.apply(to: &$0) })
        } catch {
            return .failure(error)
        }
    }

    // MARK: Reading

    /// Returns the ledger, and changes nothing.
    ///
    /// A file behind a link that is not a ledger is refused: it may be any file of the user.
    package func load() throws(LedgerFailure) -> DeviceLedger {
        let entry: FileEntry
        do throws(FileRefusal) {
            entry = try FileEntry(path)
        } catch {
            // The directory is made with the first change.
            guard error.code == ENOENT else { throw .refused(error) }
            return DeviceLedger()
        }
        do throws(LedgerFailure) {
            return try ledger(in: entry)
        } catch {
            guard entry.isBehindLink, case .damaged(let reason) = error else { throw error }
            throw .refused(
                FileRefusal(
                    path,
                    "is a link to '\(entry.target)', which is not a ledger of devices: \(reason); "
                        + "remove the link"))
        }
    }

    private func ledger(in entry: borrowing FileEntry) throws(LedgerFailure) -> DeviceLedger {
        let content = try refusable { () throws(FileRefusal) in
            try entry.read(limit: Self.sizeLimit)
        }
        let bytes: [UInt8]
        switch content {
        case nil where entry.isBehindLink: throw .damaged("there is no such file")
        case nil: return DeviceLedger()
        case .success(let text): bytes = text
        case .failure(.system(let code)): throw .refused(FileRefusal(path, code: code))
        case .failure(.notRegular): throw .damaged("it is not a regular file")
        case .failure(.tooLarge): throw .damaged("it has more than \(Self.sizeLimit >> 20) MiB")
        }
        do throws(LedgerTextError) {
            return try DeviceLedger(json: bytes)
        } catch {
            switch error {
            case .damaged(let error): throw .damaged("\(error.message) at byte \(error.offset)")
            case .version(let version): throw .newer(path, version: version)
            }
        }
    }

    /// Returns the ledger, with the lock held; a damaged file is renamed.
    private func loadOrSetAside() throws(LedgerFailure) -> Content {
        do throws(LedgerFailure) {
            return Content(ledger: try load())
        } catch {
            guard case .damaged(let reason) = error else { throw error }
            let name = try refusable { () throws(FileRefusal) in
                try FileEntry(path).setAside(under: ".damaged-")
            }
            return Content(
                damage: "the ledger of devices was damaged (\(reason)), and starts again; "
                    + "the damaged file is \(name)")
        }
    }

    // MARK: Writing

    private func withLock<Result>(
        _ body: () throws(LedgerFailure) -> Result
    ) throws(LedgerFailure) -> Result {
        let name = path + ".lock"
        let descriptor = try refusable { () throws(FileRefusal) in
            try makeDirectories(above: path, home: home)
            let entry = try FileEntry(name)
            guard !entry.isBehindLink else {
                throw FileRefusal(name, "is a link, which a lock must not be; remove it")
            }
            return try entry.openOrCreate()
        }
        defer { close(descriptor) }
        var tries = 1
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .refused(FileRefusal(name, code: errno))
            }
            guard tries < Self.lockTries.count else { throw .locked(name) }
            tries += 1
            _ = poll(nil, 0, Self.lockTries.pause)
        }
        return try body()
    }

    /// Replaces the file, or the file behind a link of this user.
    private func replace(by bytes: [UInt8]) throws(LedgerFailure) {
        try refusable { () throws(FileRefusal) in
            let entry = try FileEntry(path)
            // Only one process has the lock, so a file that a killed one left is removed here.
            try entry.replace(by: bytes, through: entry.name + ".new", keepsPermissions: false)
        }
    }

    private func refusable<Result>(
        _ body: () throws(FileRefusal) -> Result
    ) throws(LedgerFailure) -> Result {
        do throws(FileRefusal) { return try body() } catch { throw .refused(error) }
    }
}

/// The reason why the ledger cannot be used.
package enum LedgerFailure: Error, Equatable, CustomStringConvertible {
    /// The text is not a ledger; the file is renamed before anything is written.
    case damaged(String)
    /// A later version of the program wrote the file, which is left as it is.
    case newer(String, version: Int)
    /// Another process held the lock for seconds.
    case locked(String)
    /// A file cannot be used.
    case refused(FileRefusal)
    /// The environment names no directory.
    case noDirectory

    package var description: String {
        switch self {
        case .damaged(let reason): "the ledger of devices is damaged: \(reason)"
        case .newer(let path, let version):
            "a later version of peerlist wrote \(path) (version \(version) of its format)"
        case .locked(let path): "another process does not release \(path)"
        case .refused(let refusal): refusal.description
        case .noDirectory:
            "there is no directory for the ledger of devices, because HOME is not set"
        }
    }
}
