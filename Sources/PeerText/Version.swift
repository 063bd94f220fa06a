// The version of the program.

/// The version of the program (semver.org).
package enum Version {
    package static let number = "0.2.0"
    package static let line = "peerlist \(number)"
}
