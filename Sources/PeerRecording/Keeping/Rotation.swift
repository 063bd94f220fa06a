// When a file of lines is put away, and how many old ones stay.

/// When a file of lines is put away and a new one begun.
public enum Rotation: Sendable, Hashable {
    /// Once it has reached this many bytes.
    case size(Int)
    /// At midnight, local time.
    case daily
}

/// What becomes of a file of lines in the long run.
public struct Keeping: Sendable, Hashable {
    /// How many old files stay unless another number is given: a week of days.
    public static let defaultCount = 7

    /// When the file is put away.
    public var rotation: Rotation
    /// How many old files stay beside it; the oldest ones beyond are deleted.
    public var count: Int

    /// A file that is put away as `rotation` says, with so many old ones beside it.
    ///
    /// - Precondition: At least one old file is kept, and a size is above zero.
    public init(_ rotation: Rotation, count: Int = Keeping.defaultCount) {
        precondition(count > 0, "an old file that is not kept is lost at once")
        if case .size(let limit) = rotation {
            precondition(limit > 0, "a file cannot be put away before anything is in it")
        }
        self.rotation = rotation
        self.count = count
    }
}
