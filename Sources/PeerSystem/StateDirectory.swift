// The directory of the data that the program keeps between its runs.
import Glibc

/// Returns the directory of the data that the program keeps between its runs: `$XDG_STATE_HOME/peerlist`,
/// or else `$HOME/.local/state/peerlist`; `nil` if neither variable is an absolute path (XDG Base
/// Directory Specification).
package func stateDirectory(environment: [String: String]) -> String? {
    func absolute(_ variable: String) -> String? {
        environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
    return state.map { $0 + "/peerlist" }
}

/// Makes the missing directories above an absolute path, for this user alone.
///
/// The home directory itself is not made. Root makes none in a directory of another user, nor below a home
/// of another user, and refuses a path whose directories all exist there: what root leaves there, that user
/// could neither change nor read.
///
/// - Parameters:
///   - path: The path of a file that is about to be written.
///   - home: The path of the home directory; `nil` if none is known.
/// - Throws: ``FileRefusal`` if a directory cannot or must not be made.
package func makeDirectories(above path: String, home: String? = nil) throws(FileRefusal) {
    let home = home?.split(separator: "/") ?? []
    let parts = path.split(separator: "/").dropLast()
    var directory = ""
    for (index, part) in parts.enumerated() {
        directory += "/\(part)"
        let entry = try FileEntry(directory)
        let isHome = index + 1 == home.count && parts.starts(with: home)
        if let status = entry.status {
            if isHome || index + 1 == parts.count { try refuse(status, directory) }
            continue
        }
        guard !isHome else {
            throw FileRefusal(
                directory, "is the home directory, and does not exist; set HOME to one that does")
        }
        try refuse(entry.directory.status, entry.directory.path)
        try entry.makeDirectory()
    }
}

/// Refuses a directory of another user to root.
private func refuse(_ directory: stat, _ path: String) throws(FileRefusal) {
    guard geteuid() == 0, directory.st_uid != 0 else { return }
    throw FileRefusal(
        path,
        "belongs to another user, where root leaves no files; set HOME to a directory of root's")
}
