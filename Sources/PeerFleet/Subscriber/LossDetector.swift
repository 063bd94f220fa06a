// Detects that messages of an observer about its peers were lost.

/// The detection of lost messages about the peers of an observer.
///
/// The observer numbers these messages and states the latest number in each status. The stated number
/// less the count of messages that arrived, the offset, stays the same unless messages are lost. A read
/// that begins without an offset takes it from the greatest number that the broker keeps; a status
/// during the read has to confirm it.
package struct LossDetector {
    /// The number of messages that arrived when they were published.
    private var count = 0
    /// `nil` while the stated number is not known.
    private var offset: Int?
    /// The greatest number that the broker kept, during a read that began without an offset.
    private var greatest: Int?
    /// The offset according to the latest status during such a read.
    private var statedOffset: Int?
    /// Whether messages were lost during the read.
    private var isStale = false

    package init() {}

    /// Counts a message that arrived when it was published.
    package mutating func receive() { count += 1 }

    /// Notes the number of a message that the broker kept.
    package mutating func receiveKept(_ number: Int) { greatest = greatest.map { max($0, number) } }

    /// Handles the number in a status; returns whether messages were lost since the previous status.
    package mutating func receiveStatus(_ number: Int?) -> Bool {
        // Any number may be stated.
        let stated = number.map { $0 &- count }
        guard greatest == nil else {
            statedOffset = stated
            return false
        }
        let isLost = offset != nil && stated != nil && offset != stated
        (offset, isStale) = (stated, isStale || isLost)
        return isLost
    }

    /// Forgets the offset, because a message arrived that may not have been counted.
    package mutating func reset() { offset = nil }

    /// Begins to read all peers; `number` is that of the latest status.
    package mutating func beginRead(_ number: Int?) {
        isStale = false
        if offset == nil { (count, greatest, statedOffset) = (0, number ?? 0, nil) }
    }

    /// Ends a read; returns whether messages were lost during it.
    package mutating func endRead() -> Bool {
        if let greatest {
            isStale = statedOffset.map { $0 != greatest } ?? false
            offset = statedOffset ?? greatest
            self.greatest = nil
        }
        return isStale
    }
}
