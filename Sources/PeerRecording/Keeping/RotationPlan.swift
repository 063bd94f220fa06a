// Decides when the file that is being written has been written long enough.
import PeerList

/// What is known of the file that is being written, as far as its rotation depends on it.
struct RotationPlan {
    private let rotation: Rotation
    private var size: Int
    private var firstLine = 0
    private var dayEnd: Timestamp

    /// The plan for a file that holds so much already, written last at `time`.
    init(_ rotation: Rotation, size: Int, writtenAt time: Timestamp) {
        self.rotation = rotation
        self.size = size
        dayEnd = LocalDay.end(after: time)
    }

    /// Whether nothing has been written into the file.
    var isEmpty: Bool { size == 0 }

    /// Takes note of a file that begins with a line of so many bytes.
    mutating func began(with count: Int, at time: Timestamp) {
        (size, firstLine) = (count, count)
        dayEnd = LocalDay.end(after: time)
    }

    /// Takes note of more bytes in the same file.
    mutating func wrote(_ count: Int) { size += count }

    /// Whether it is time for another file.
    ///
    /// By size, a file holds at least as much again as its first line, the
    /// whole list: where the list alone reaches the size, no more than half of
    /// what is written are beginnings.
    ///
    /// - Parameters:
    ///   - time: The moment.
    ///   - earlier: The bytes in the file that are not known here, as when what
    ///     was opened anew is the same file.
    /// - Returns: Whether it is.
    func isDue(at time: Timestamp, openedWith earlier: Int = 0) -> Bool {
        switch rotation {
        case .size(let limit): size + earlier >= max(limit, 2 * firstLine)
        case .daily: size > 0 && time >= dayEnd
        }
    }
}
