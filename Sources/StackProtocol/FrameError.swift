// What is wrong with bytes that are no frames of the pipe.

/// What is wrong with bytes that came through the pipe, or with a message that does not fit into it.
public enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A frame says that it is longer than any may be.
    case tooLong
    /// A frame ends within a field.
    case cutShort
    /// A frame goes on after its last field.
    case tooMuch
    /// No message begins with this number.
    case unknownKind(UInt8)
    /// A field holds what it cannot hold.
    case badValue
    /// A text is not UTF-8.
    case badText
    /// The first frame is not the hello, or another one is.
    case misplacedHello
    /// The other side speaks this version, which is not ours.
    case otherVersion(UInt16)

    /// What is wrong, in a few words.
    public var description: String {
        switch self {
        case .tooLong: "a frame is too long"
        case .cutShort: "a frame is cut short"
        case .tooMuch: "a frame holds too much"
        case .unknownKind(let kind): "a frame is of the unknown kind \(kind)"
        case .badValue: "a frame holds a value that cannot be"
        case .badText: "a frame holds text that is not UTF-8"
        case .misplacedHello: "the first frame, and it alone, is the hello"
        case .otherVersion(let version): "the other side speaks version \(version)"
        }
    }
}
