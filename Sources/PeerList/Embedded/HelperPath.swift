// Finds the program of the helper process.
import Glibc

/// The path of `peerlist-mdns`: beside the running program, or where `make install` puts it.
enum HelperPath {
    static let name = "peerlist-mdns"

    /// The places to look in, best first.
    static func candidates(beside program: String) -> [String] {
        let directory = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        return ["\(directory)/\(name)", "\(directory)/../libexec/peerlist/\(name)"]
    }

    /// Looks for the helper.
    ///
    /// Neither `PATH` nor the environment has a say in it. A helper must belong to root or to the owner of
    /// the program itself: beside a program in /tmp, for one, anybody may put another.
    ///
    /// - Throws: ``BackendError`` that says where the helper should be.
    static func find(for program: String = runningProgram()) throws(BackendError) -> String {
        var status = stat()
        let owner = unsafe stat(program, &status) == 0 ? status.st_uid : geteuid()
        let candidates = candidates(beside: program)
        for path in candidates where unsafe access(path, X_OK) == 0 {
            // A link is its maker's, who may have it lead elsewhere at any time.
            guard unsafe lstat(path, &status) == 0, [0, owner].contains(status.st_uid) else {
                throw BackendError(
                    "\(path) is not started: it belongs neither to root nor to the owner of peerlist"
                )
            }
            return path
        }
        throw BackendError(
            "the embedded stack is not installed: there is no \(candidates.joined(separator: ", nor "))"
        )
    }

    /// The path of the program that runs; empty without /proc, where Swift knows no arguments either.
    private static func runningProgram() -> String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        unsafe _ = readlink("/proc/self/exe", &path, path.count)
        return String(beforeNUL: path)
    }
}
