// Where the bytes of a recording come from.

/// The bytes of a recording's text, from front to back.
protocol ByteSource: AnyObject {
    /// Some more bytes; none at the end.
    ///
    /// - Throws: `RecordingError` where they cannot be read.
    func read() throws(RecordingError) -> [UInt8]
}
