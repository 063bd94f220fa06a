// The files that were put away beside the one that is written: their names, their order, their number.
import Glibc
import PeerList

/// The old files of one file of lines.
///
/// They stand beside it, under its name with a stamp: the moment, in UTC, at
/// which they were put away, such as `peers.jsonl-20261121T083000Z.gz`. A stamp
/// is later than all that are there, so the names are in the order of the lines,
/// and stay so when the clock is set back. Files of any other name are not touched.
struct KeptFiles: Sendable {
    /// What could not be done, in words.
    struct Problem: Error, Equatable, CustomStringConvertible {
        let description: String

        init(_ action: String, code: Int32) {
            description = "\(action): \(unsafe String(cString: strerror(code)))"
        }

        init(_ description: String) { self.description = description }
    }

    /// One old file: plain, compressed, or, after a crash, both.
    struct Entry: Equatable {
        let stamp: String
        var isPlain = false
        var isCompressed = false
        /// A copy was begun and not ended.
        var isUnfinished = false
    }

    private let directory: String
    private let base: String

    /// The old files of the file at a path, where it really is.
    init(of path: String) {
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        directory = String(path[..<end])
        base = String(path[end...])
    }

    /// Why files cannot be put away here, or `nil`.
    var obstacle: Int32? { unsafe access(place, W_OK | X_OK) == 0 ? nil : errno }

    private var place: String { directory.isEmpty ? "." : directory }

    /// The name of the plain file with a stamp.
    func plain(_ stamp: String) -> String { "\(directory)\(base)-\(stamp)" }

    /// The name of the compressed one.
    func compressed(_ stamp: String) -> String { plain(stamp) + Suffix.compressed.rawValue }

    /// The name of a compressed one that is not finished.
    func unfinished(_ stamp: String) -> String { plain(stamp) + Suffix.unfinished.rawValue }

    /// What is there, oldest first.
    ///
    /// - Complexity: O(files in the directory).
    func all() throws(Problem) -> [Entry] {
        guard let stream = unsafe opendir(place) else {
            throw Problem("the directory of the old files cannot be read", code: errno)
        }
        defer { unsafe _ = closedir(stream) }
        var entries: [String: Entry] = [:]
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
                unsafe String(cString: UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self))
            }
            guard let (stamp, suffix) = parts(of: name) else { continue }
            switch suffix {
            case .plain: entries[stamp, default: Entry(stamp: stamp)].isPlain = true
            case .compressed: entries[stamp, default: Entry(stamp: stamp)].isCompressed = true
            case .unfinished: entries[stamp, default: Entry(stamp: stamp)].isUnfinished = true
            }
        }
        return entries.values.sorted { $0.stamp < $1.stamp }
    }

    /// Gives the file a name among the old ones.
    ///
    /// - Parameter time: The moment of its stamp, unless there is one that is not older.
    /// - Throws: ``Problem``; the file has its name still, and so have all others.
    func putAway(at time: Timestamp) throws(Problem) {
        let newest = try all().last.flatMap { Timestamp(stamp: $0.stamp) }
        let after = newest.map { Timestamp(microseconds: $0.microseconds + 1_000_000) }
        let stamp = max(time, after ?? time).stamp
        let name = plain(stamp)
        guard Timestamp(stamp: stamp) != nil else {
            throw Problem(
                "the file could not be put away as '\(name)', which no later name could follow; "
                    + "rename the newest old file, or set the clock")
        }
        if let code = renameToFree(directory + base, name) {
            throw Problem("the file could not be put away as '\(name)'", code: code)
        }
        bringToDisk()
    }

    /// Removes an old file, in every form that is there.
    func remove(_ entry: Entry) throws(Problem) {
        for name in [plain, compressed, unfinished].map({ $0(entry.stamp) }) {
            guard unsafe unlink(name) == 0 || errno == ENOENT else {
                throw Problem("'\(name)' could not be deleted", code: errno)
            }
        }
    }

    /// Brings changes of names to the disk.
    func bringToDisk() {
        let descriptor = unsafe open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private enum Suffix: String {
        case plain = ""
        case compressed = ".gz"
        case unfinished = ".gz.tmp"
    }

    private func parts(of name: String) -> (stamp: String, suffix: Suffix)? {
        let (bytes, start) = (Array(name.utf8), Array("\(base)-".utf8))
        guard bytes.starts(with: start) else { return nil }
        let rest = bytes.dropFirst(start.count)
        let stamp = String(decoding: rest.prefix(Timestamp.stampLength), as: UTF8.self)
        let end = String(decoding: rest.dropFirst(Timestamp.stampLength), as: UTF8.self)
        guard let suffix = Suffix(rawValue: end), Timestamp(stamp: stamp) != nil else {
            return nil
        }
        return (stamp, suffix)
    }
}
