// The list of recordings, read one after the other.
package import FoundationEssentials
import PeerHappenings
package import PeerModel
package import PeerRecording
package import PeerText

/// An event of a recording.
package struct RecordedEvent: SourceEvent {
    enum Kind {
        /// A line was read, or all lines of an event that has several.
        case line
        /// Lines are missing, so the list is unknown until the next `begin`.
        case damage
        /// The next line is yet to be written.
        case pause
    }

    let kind: Kind
    /// The time of the line, or of the line before.
    package let time: Timestamp
    /// Whether another list begins than the one before.
    var beginsList = false
}

/// The list of recordings, as of the line that was read last.
///
/// A list goes on in the next file, or after an outage of its file, if the run is the same. Of another run, or after
/// damage, what happened in between is not known.
package struct RecordingSource: ListSource {
    /// The maximum size of the lines that are made of a capture: a number of bytes, and a number for each byte of the
    /// file, compressed as it is. Of a capture of a network, they are smaller than the unpacked file.
    private static let lineLimit = (all: 64 << 20, perByte: 24)

    /// The recordings that are not read to their ends, in order.
    private var unread: ArraySlice<(path: String, recording: Recording)> = []
    private var recording: Recording?
    /// Whether the reader is to know all before the next line, which may come late.
    private let isLive: Bool
    private var needsPause = false
    /// Returns the size of the lines that are made of a capture.
    private let lineSize: (@Sendable () -> Int)?
    /// The time of the last line; `nil` before the first.
    private var time: Timestamp?
    private var run: UUID?
    /// The list at the end of the recording before, until the next one begins.
    private var former: RecordedList?
    /// The number of devices before the line that was read last.
    package private(set) var deviceCount = 0
    private var fill = RecordedFill()
    /// The number of parts that could not be read, and the message about the first of them.
    package private(set) var damage: (count: Int, first: String?) = (0, nil)
    /// Whether all lines could be read, but for a last line that is cut off.
    package private(set) var isWhole = true

    /// A recording that was opened at a path.
    ///
    /// - Parameters:
    ///   - recording: The recording, of which nothing was read.
    ///   - path: The path, for messages.
    ///   - isLive: Whether the reader is to know all before the next line, which may come late.
    ///   - lineSize: Returns the size of the lines that are made of a capture; `nil` if none are.
    package init(
        _ recording: Recording, at path: String, isLive: Bool,
        lineSize: (@Sendable () -> Int)? = nil
    ) {
        (unread, self.isLive, self.lineSize) = ([(path, recording)], isLive, lineSize)
    }

    /// Opens recordings; several are read in the order of their first lines.
    package init(_ paths: [String]) throws(RecordingError) {
        (isLive, lineSize) = (false, nil)
        var opened: [(path: String, recording: Recording)] = []
        for path in paths { opened.append((path, try Progress.open(path))) }
        // The first line is read, but not applied.
        let earliest = Timestamp(microseconds: .min)
        for (path, recording) in opened where paths.count > 1 {
            while case .damage(let damage) = try recording.next(upTo: earliest) {
                note(damage, in: path)
            }
        }
        unread =
            opened.sorted {
                $0.recording.nextTime ?? earliest < $1.recording.nextTime ?? earliest
            }[...]
    }

    /// Reads the next line, and reports damage on standard error.
    mutating func next() throws(RecordingError) -> RecordedEvent? {
        if needsPause, let time {
            needsPause = false
            return RecordedEvent(kind: .pause, time: time)
        }
        while let (path, recording) = unread.first {
            if recording !== self.recording { Progress.update(.reading(recording, path: path)) }
            self.recording = recording
            let limit =
                Self.lineLimit.all + Self.lineLimit.perByte * (recording.readCount?.read ?? 0)
            if let size = lineSize?(), size > limit, let position = recording.position {
                throw RecordingError(
                    """
                    \(recordingName(ofPath: path)): \(position): what follows is left out: this capture \
                    makes \(size >> 20) MiB of lines, too many for its size; if it is compressed, unpack it
                    """)
            }
            switch try recording.next() {
            case .line:
                needsPause = isLive && !recording.hasBufferedLine
                guard let time = recording.list.time else { continue }
                self.time = time
                let run = recording.list.header?.run
                let beginsList = recording.beginsRun && (run == nil || run != self.run)
                self.run = run
                if beginsList { fill.end() }
                return RecordedEvent(kind: .line, time: time, beginsList: beginsList)
            case .damage(let damage):
                note(damage, in: path)
                guard !damage.isCutOff else { continue }
                run = nil
                fill.end()
                if let time { return RecordedEvent(kind: .damage, time: time) }
            case nil:
                former = recording.list
                unread.removeFirst()
            }
        }
        return nil
    }

    /// Returns the list at the end of the last recording.
    package func last() throws(RecordingError) -> RecordedMoment? {
        guard let (path, recording) = unread.last else { return nil }
        Progress.update(.reading(recording, path: path))
        return try RecordedMoment(of: recording, path)
    }

    private mutating func note(_ damage: RecordingDamage, in path: String) {
        let text = "\(recordingName(ofPath: path)): \(damage)"
        complain(text)
        self.damage = (self.damage.count + 1, self.damage.first ?? text)
        if !damage.isCutOff { isWhole = false }
    }

    // MARK: The list

    package var devices: RecordedList { recording?.list ?? RecordedList() }
    package var services: RecordedList? { nil }

    package mutating func apply(_ event: RecordedEvent) -> SourceEffects {
        var effects = SourceEffects()
        guard event.kind == .line, let recording else { return effects }
        defer { deviceCount = recording.list.count }
        if recording.beginsRun { effects.header = recording.list.header }
        if event.beginsList {
            effects.fill = fill.begin(recording.list, at: event.time)
        }
        effects.notices = [recording.notice].compactMap(\.self)
        effects.happenings = [recording.sourceHappening].compactMap {
            $0.flatMap { fill.handle($0) }
        }
        if let changes = changes(in: recording, event.beginsList), !changes.isEmpty {
            effects.items = (changes, recording.update.map { .event($0) } ?? .line)
            if !changes.arrivals.isEmpty { fill.find(at: event.time) }
        }
        return effects
    }

    /// Returns the changes of the items in the last line; `nil` for a line without any.
    private mutating func changes(in recording: Recording, _ beginsList: Bool) -> ItemChanges? {
        guard recording.beginsRun else { return recording.changes }
        let former = former.take()
        if beginsList { return ItemChanges(from: RecordedList(), to: recording.list) }
        return former.map { ItemChanges(from: $0, to: recording.list) } ?? recording.changes
    }

    package mutating func fillEnd(before event: RecordedEvent) -> Timestamp? {
        fillEnd(at: event.time)
    }

    package mutating func fillEnd(at time: Timestamp) -> Timestamp? {
        fill.end(at: time)
    }

    package var fillDue: Timestamp? { fill.due }

    package func verify(_ ids: [UUID], _ reply: @escaping @Sendable (Verification) -> Void) {
        reply(.unavailable("it is a recording"))
    }
}

extension RecordedList: OrderedItems {
    package var sections: [ListSection] { listSections }
    package func item(_ id: UUID) -> ListItem? { items[id] }
}
