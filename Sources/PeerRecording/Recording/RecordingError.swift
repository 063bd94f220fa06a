// Why a recording cannot be read.
import Glibc

/// A recording that cannot be opened or read.
public struct RecordingError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, with the name of the recording.
    public let description: String

    /// An error with this text.
    public init(_ description: String) { self.description = description }

    /// What the system says in `errno` of a file that it refuses.
    init(refusing name: String, _ what: String) {
        self.init("\(name) \(what): \(unsafe String(cString: strerror(errno)))")
    }
}
