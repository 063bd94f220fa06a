// Where the bytes of a recording come from.

/// A recording that cannot be opened or read.
public struct RecordingError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, with the name of the recording.
    public let description: String

    /// An error with this text.
    public init(_ description: String) { self.description = description }
}

/// The bytes of a recording's text, from front to back.
protocol ByteSource: AnyObject {
    /// Some more bytes; none at the end.
    ///
    /// - Throws: `RecordingError` where they cannot be read.
    func read() throws(RecordingError) -> [UInt8]
}
