// The directory of the data that the program keeps between its runs.

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
