// Finds the program of the helper process.
import Glibc
import PeerSystem

/// The path of `peerlist-mdns`: beside the running program, or in the directory of `make install`.
package enum HelperPath {
    static let name = "peerlist-mdns"

    /// The places to look in, best first.
    static func candidates(beside program: String) -> [String] {
        let directory = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        return ["\(directory)/\(name)", "\(directory)/../libexec/peerlist/\(name)"]
    }

    /// Finds the helper, at a path if one is given.
    ///
    /// Neither `PATH` nor the environment has an influence. A helper must belong to root or to the owner
    /// of the program itself, and other users must not be able to change or exchange it. For example,
    /// every user can put a file beside a program in /tmp.
    ///
    /// - Throws: ``BackendError`` with the place where the helper should be, or the reason for
    ///   which it is not started.
    package static func find(
        named path: String? = nil, for program: String = runningProgram()
    ) throws(BackendError) -> String {
        var status = stat()
        let owner = unsafe stat(program, &status) == 0 ? status.st_uid : geteuid()
        let candidates = path.map { [$0] } ?? candidates(beside: program)
        for path in candidates where unsafe access(path, X_OK) == 0 {
            if let refusalReason = refusalReason(path, owner: owner) {
                throw BackendError("\(path) is not started: \(refusalReason)")
            }
            return path
        }
        throw BackendError(
            "the embedded stack is not installed: there is no \(candidates.joined(separator: ", nor "))"
        )
    }

    /// Returns the reason for which a helper is not started, or `nil`.
    private static func refusalReason(_ path: String, owner: uid_t) -> String? {
        var (entry, file, folder) = (stat(), stat(), stat())
        // The owner of a link may change its target at any time.
        guard unsafe lstat(path, &entry) == 0, unsafe stat(path, &file) == 0,
            [entry, file].allSatisfy({ [0, owner].contains($0.st_uid) })
        else { return "it belongs neither to root nor to the owner of peerlist" }
        // In a sticky directory, a file of another user cannot be exchanged.
        guard !file.mayBeChanged(byOthersThan: owner), unsafe stat(parent(of: path), &folder) == 0,
            folder.st_mode & S_ISVTX != 0 || !folder.mayBeChanged(byOthersThan: owner)
        else { return "other users may change it, or its directory; run: chmod go-w" }
        return nil
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// Returns the path of the running program; empty without /proc, which Swift also needs to know the arguments.
    private static func runningProgram() -> String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        unsafe _ = readlink("/proc/self/exe", &path, path.count)
        return String(beforeNUL: path)
    }
}
