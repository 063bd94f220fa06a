// How lines go on in another file.

/// What is done with a file before the next line is written.
public enum FileTurn: Sendable, Hashable {
    /// It is put away among the old ones, and another is begun under its name.
    case rotate
    /// What stands under its name now is opened, as somebody has put it away.
    case reopen
}
