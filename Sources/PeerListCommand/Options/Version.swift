// The version of the program, in its one place.

/// The version of the program (semver.org).
enum Version {
    static let number = "0.1.0"

    /// What `--version` prints.
    static let line = "peerlist \(number)"
}
