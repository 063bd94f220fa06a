// The directory of what the program remembers between its runs.

/// Returns the directory of what the program remembers: `$XDG_STATE_HOME/peerlist`, or the one below
/// `$HOME/.local/state`; `nil` if neither variable is an absolute path (XDG Base Directory Specification).
package func stateDirectory(environment: [String: String]) -> String? {
    func absolute(_ variable: String) -> String? {
        environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
    return state.map { $0 + "/peerlist" }
}
