// Reads the fields of a frame, and nothing past its end.

/// Takes one field after the other from a frame's body.
public struct FieldReader: Sendable {
    private var rest: ArraySlice<UInt8>

    /// The fields of a body.
    public init(_ body: ArraySlice<UInt8>) { rest = body }

    /// A number of 1, 2 or 4 bytes.
    public mutating func number<Number: FixedWidthInteger>(
        _ type: Number.Type = Number.self
    ) throws(FrameError) -> Number {
        let bytes = try take(Number.bitWidth / 8)
        var number: Number = 0
        for byte in bytes.reversed() { number = number << 8 | Number(truncatingIfNeeded: byte) }
        return number
    }

    /// A yes or a no.
    public mutating func flag() throws(FrameError) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .badValue
        }
    }

    /// A text in UTF-8 of at most ``FrameLimits/text`` bytes.
    public mutating func text() throws(FrameError) -> String {
        let count = Int(try number(UInt16.self))
        guard count <= FrameLimits.text else { throw .badValue }
        guard let text = String(validating: try take(count), as: UTF8.self) else { throw .badText }
        return text
    }

    /// Bytes, at most so many.
    public mutating func bytes(atMost most: Int) throws(FrameError) -> [UInt8] {
        let count = Int(try number(UInt32.self))
        guard count <= most else { throw .badValue }
        return Array(try take(count))
    }

    /// A list of at most ``FrameLimits/list`` texts.
    public mutating func texts() throws(FrameError) -> [String] {
        let count = Int(try number(UInt8.self))
        guard count <= FrameLimits.list else { throw .badValue }
        var texts: [String] = []
        for _ in 0..<count { texts.append(try text()) }
        return texts
    }

    /// Throws unless all has been read.
    func finish() throws(FrameError) { guard rest.isEmpty else { throw .tooMuch } }

    private mutating func take(_ count: Int) throws(FrameError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .cutShort }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
