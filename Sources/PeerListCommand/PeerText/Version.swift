// The version of the program.

/// The version of the program (semver.org).
enum Version {
    static let number = "0.1.0"
    static let line = "peerlist \(number)"
}
