// Finds out whether the bytes of a file are lines, or another format from which lines are made.

/// A format other than lines that is read as a recording, such as a capture.
package struct RecordingFormat: Sendable {
    /// The number of bytes at the start by which the format is recognised.
    let startSize: Int
    let isFormat: @Sendable ([UInt8]) -> Bool
    let lines: @Sendable (any ByteSource, String, ReadCount) -> any ByteSource

    /// A format.
    ///
    /// - Parameters:
    ///   - startSize: The number of bytes at the start by which it is recognised.
    ///   - isFormat: Whether a file with these bytes at its start has the format.
    ///   - lines: Returns the lines of a file, given its unpacked bytes, its name, and the number of bytes that
    ///     were read of it.
    package init(
        startSize: Int, isFormat: @escaping @Sendable ([UInt8]) -> Bool,
        lines: @escaping @Sendable (any ByteSource, String, ReadCount) -> any ByteSource
    ) {
        (self.startSize, self.isFormat, self.lines) = (startSize, isFormat, lines)
    }
}

/// The lines of a file or of standard input, unpacked, and made from another format if it has one.
final class RecordingBytes: ByteSource {
    private let file: GzipBytes
    private let name: String
    private let format: RecordingFormat?
    /// The source of the lines, once the format is known.
    private var lines: (any ByteSource)?

    init(path: String, reading format: RecordingFormat?) throws(RecordingError) {
        file = try GzipBytes(path: path)
        name = path == "-" ? "standard input" : path
        self.format = format
    }

    /// The bytes that were read of the file, as they are.
    var readCount: ReadCount { file.readCount }

    /// Whether the lines are in a regular file, neither compressed nor of another format.
    func isPlainFile() throws(RecordingError) -> Bool {
        guard try file.isPlainFile() else { return false }
        return try !hasOtherFormat()
    }

    /// Whether the lines are made from another format.
    func hasOtherFormat() throws(RecordingError) -> Bool { try source() !== file }

    func read() throws(RecordingError) -> [UInt8] { try source().read() }

    func removeDamage() -> RecordingDamage? { lines?.removeDamage() }

    private func source() throws(RecordingError) -> any ByteSource {
        if let lines { return lines }
        var source: any ByteSource = file
        if let format, format.isFormat(try file.start(format.startSize)) {
            source = format.lines(file, name, file.readCount)
        }
        lines = source
        return source
    }
}
