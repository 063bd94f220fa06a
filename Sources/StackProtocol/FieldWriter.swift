// Writes the fields of a frame.

/// Puts one field after the other into a frame's body.
public struct FieldWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    /// No field yet.
    public init() {}

    /// A number of 1, 2 or 4 bytes.
    public mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// A yes or a no.
    public mutating func put(_ flag: Bool) { put(UInt8(flag ? 1 : 0)) }

    /// A text of at most ``FrameLimits/text`` bytes.
    public mutating func put(_ text: String) throws(FrameError) {
        guard text.utf8.count <= FrameLimits.text else { throw .tooLong }
        put(UInt16(text.utf8.count))
        bytes += text.utf8
    }

    /// Bytes, at most so many.
    public mutating func put(_ data: [UInt8], atMost most: Int) throws(FrameError) {
        guard data.count <= most else { throw .tooLong }
        put(UInt32(data.count))
        bytes += data
    }

    /// A list of at most ``FrameLimits/list`` texts.
    public mutating func put(_ texts: [String]) throws(FrameError) {
        guard texts.count <= FrameLimits.list else { throw .tooLong }
        put(UInt8(texts.count))
        for text in texts { try put(text) }
    }
}
