// The line on a terminal about work that takes long, as a value: when it is shown, and what it says.
package import PeerRecording
package import TerminalText

/// Work that may take long.
package enum LongWork: Sendable {
    /// A search: a description with what was found so far, and the time at which the search ends.
    case search(String, until: ContinuousClock.Instant?)
    /// A file that is being read: its name, the start, the number of bytes read, and the size of the file, if it
    /// has an end.
    case reading(
        String, since: ContinuousClock.Instant, bytes: @Sendable () -> (read: Int, all: Int?))

    /// A recording that is read from now on, from a path.
    package static func reading(_ recording: Recording, path: String) -> LongWork {
        let count = recording.readCount
        let name = recordingName(ofPath: path)
        return .reading(name, since: .now) { (count?.read ?? 0, count?.all) }
    }
}

/// The state of a line on a terminal about work.
package struct ProgressLine: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// The time before which no work counts as long.
    package static let delay = Duration.milliseconds(500)
    /// The time of reading before which the time left is not known.
    private static let estimateDelay = Duration.seconds(1)
    /// Ends the line, also where the terminal has echoed a key after it.
    private static let erasure = "\r\u{1b}[K"

    package var work: LongWork
    private let start: Instant
    private let charset: Charset
    /// The text on the terminal; `nil` if there is none.
    private var shown: String?

    package init(_ work: LongWork, charset: Charset = .unicode, at start: Instant) {
        (self.work, self.charset, self.start) = (work, charset, start)
    }

    /// Returns what is to be written to a terminal; `nil` if the line there is as it should be.
    package mutating func advance(to now: Instant, columns: Int) -> String? {
        guard now >= start + Self.delay else { return nil }
        // In the last column, some terminals would begin a new line.
        let text = SafeText(sentence(at: now), charset: charset).cut(to: max(0, columns - 1)).text
        guard text != shown else { return nil }
        shown = text
        return Self.erasure + text
    }

    /// Returns what removes the line, if there is one.
    package mutating func remove() -> String? { shown.take().map { _ in Self.erasure } }

    private func sentence(at now: Instant) -> String {
        switch work {
        case .search(let text, let end):
            let seconds = end.map { ($0 - now).secondsRoundedUp } ?? 0
            return text + (seconds > 0 ? ", at most \(seconds) s more" : "")
        case .reading(let name, let start, let bytes):
            let (read, all) = bytes()
            guard let all, all > 0 else { return "\(name): \(ByteSize(read, like: read))" }
            let part = min(1, Double(read) / Double(all))
            let size = ByteSize(read, like: all, withUnit: false)
            return "\(name): \(Int(part * 100)) %, \(size) of \(ByteSize(all, like: all))"
                + timeLeft(of: part, after: now - start)
        }
    }

    private func timeLeft(of part: Double, after time: Duration) -> String {
        guard time >= Self.estimateDelay, part > 0.001, part < 1 else { return "" }
        let seconds = (time * ((1 - part) / part)).secondsRoundedUp
        return ", " + (seconds < 100 ? "\(seconds) s" : "\((seconds + 59) / 60) min") + " left"
    }
}

extension Duration {
    fileprivate var secondsRoundedUp: Int {
        Int(min((self / .seconds(1)).rounded(.up), 1e9))
    }
}

/// A number of bytes in another number's unit, with a decimal if it is small.
private struct ByteSize: CustomStringConvertible {
    let description: String

    init(_ count: Int, like whole: Int, withUnit: Bool = true) {
        let (unit, divisor) =
            whole < 1_000_000
            ? ("kB", 1e3) : whole < 1_000_000_000 ? ("MB", 1e6) : ("GB", 1e9)
        let tenths = Int((Double(count) / divisor * 10).rounded())
        let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
        description = withUnit ? "\(number) \(unit)" : number
    }
}
