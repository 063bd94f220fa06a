// Encodes the changes of the list as numbered JSON lines.
import FoundationEssentials
package import PeerHappenings
public import PeerModel

/// The encoder of one output's JSON lines.
///
/// Every method returns whole lines, each with its line feed: one line, or several if a list or an
/// update is too large for a line, or none for an update that changes nothing. Each output has its
/// own encoder, because ``begin(_:sections:at:)`` resets the sequence number. The format is
/// described in `docs/json-lines.md`.
///
/// - Complexity: Each method is linear in the length of the lines; an update
///   also in the number of services of the changed peers.
public struct LineEncoder: Sendable {
    /// The reason for which the lines end.
    public enum EndReason: String, Sendable, Hashable, CaseIterable {
        /// The task is complete.
        case finished
        /// The user or a signal ended the run.
        case interrupted
        /// An error ended the run.
        case failed
    }

    /// The sizes in bytes at which a line ends and its event continues in the next line. A line exceeds
    /// the size by less than one item or change, so that readers with a limit of 64 MiB can read all
    /// lines.
    package struct Sizes: Sendable {
        /// The size of a `begin`, enough for about 60,000 devices.
        package let begin: Int
        /// The size of a `diff`.
        package let diff: Int

        package init(begin: Int = 32 << 20, diff: Int = 4 << 20) {
            (self.begin, self.diff) = (begin, diff)
        }
    }

    private let sizes: Sizes
    private var sequence = 0

    /// An encoder whose next line has the sequence number 0.
    public init() { sizes = Sizes() }

    /// An encoder whose lines have other sizes.
    package init(_ sizes: Sizes) { self.sizes = sizes }

    /// Encodes the list that differences start from; the first line has the sequence number 0.
    ///
    /// - Parameters:
    ///   - header: The run, the observer and the filter.
    ///   - sections: The list; empty at the start of a run.
    ///   - time: The time of the list.
    /// - Returns: The `begin` line; if the list is too large for it, also `diff` lines with the rest.
    public mutating func begin(
        _ header: LineHeader, sections: [ListSection] = [], at time: Timestamp
    ) -> [UInt8] {
        var lines: [UInt8] = []
        begin(header, sections: sections, at: time) { lines += $0 }
        return lines
    }

    /// Encodes the same lines in pieces, because the lines of a fleet can take more memory than its
    /// list.
    package mutating func begin(
        _ header: LineHeader, sections: [ListSection], at time: Timestamp,
        pieces: ([UInt8]) -> Void
    ) {
        sequence = 0
        let limit = sizes.begin
        var size = 0
        // The first item that is not in the line.
        var rest: (section: Int, item: Int)?
        let last = line("begin", at: time) { members in
            members.write("version", LineHeader.version)
            header.writeMembers(to: &members)
            members.array("sections") { array in
                for (number, section) in sections.enumerated() where rest == nil {
                    array.object { members in
                        members.write("id", section.id)
                        members.array("items") { items in
                            for (index, item) in section.items.enumerated() {
                                guard size + items.bytes.count < limit else {
                                    rest = (number, index)
                                    return
                                }
                                items.element(item)
                                guard items.bytes.count >= Self.pieceSize else { continue }
                                size += items.bytes.count
                                pieces(items.removeText())
                            }
                        }
                    }
                }
            }
            if rest != nil { members.write("more", true) }
        }
        pieces(last)
        guard let rest else { return }
        var parts = DiffParts(size: sizes.diff)
        func add(_ change: LineChange) {
            if let changes = parts.add(change) {
                pieces(diff(.arrived, changes, hasMore: true, at: time))
            }
        }
        for (number, section) in sections.enumerated().dropFirst(rest.section) {
            let isBegun = number == rest.section
            let place = LineChange.Place(section: section.id, at: number)
            if !isBegun { add(LineChange(op: .insertSection, place: place)) }
            for (index, item) in section.items.enumerated().dropFirst(isBegun ? rest.item : 0) {
                let place = LineChange.Place(section: section.id, at: index)
                add(LineChange(op: .insert, place: place, id: item.id, item: item))
            }
        }
        pieces(diff(.arrived, parts.rest, hasMore: false, at: time))
    }

    /// The minimum size of a piece, in bytes.
    private static let pieceSize = 65_536

    /// Encodes a difference; returns `nil` if it changes nothing.
    ///
    /// - Precondition: The update holds every item that its difference inserts
    ///   or deletes.
    public mutating func update(_ update: PeerListUpdate) -> [UInt8]? {
        var lines: [UInt8] = []
        self.update(update) { lines = lines.isEmpty ? $0 : lines + $0 }
        return lines.isEmpty ? nil : lines
    }

    /// Encodes the same lines one by one.
    package mutating func update(_ update: PeerListUpdate, lines: ([UInt8]) -> Void) {
        var (isEmpty, isTooLong) = (true, false)
        let limit = sizes.diff
        let line = line("diff", at: update.items.time) { members in
            members.write("cause", update.cause)
            members.array("changes") { array in
                do throws(LineIsFull) {
                    try update.forEachChange { change throws(LineIsFull) in
                        if array.bytes.count >= limit { throw LineIsFull() }
                        isEmpty = false
                        array.element(change)
                    }
                } catch {
                    isTooLong = true
                }
            }
        }
        guard isEmpty || isTooLong else { return lines(line) }
        sequence -= 1
        guard isTooLong else { return }
        var parts = DiffParts(size: limit)
        update.forEachStep(moves: max(1, limit / Self.moveSize)) { change in
            if let changes = parts.add(change) {
                lines(diff(update.cause, changes, hasMore: true, at: update.items.time))
            }
        }
        lines(diff(update.cause, parts.rest, hasMore: false, at: update.items.time))
    }

    private struct LineIsFull: Error {}

    /// The assumed size in bytes of the move of an item: more than usual, because names of sections may be
    /// long.
    private static let moveSize = 400

    /// Encodes a line with some or all changes of an event, which may continue in the next line.
    private mutating func diff(
        _ cause: PeerListUpdate.Cause, _ changes: [UInt8], hasMore: Bool, at time: Timestamp
    ) -> [UInt8] {
        line("diff", at: time) { members in
            members.write("cause", cause)
            members.array("changes") { $0.append(plain: changes.span) }
            if hasMore { members.write("more", true) }
        }
    }

    /// Encodes a notice.
    public mutating func notice(_ notice: Notice) -> [UInt8] {
        line("notice", at: notice.time) { members in
            members.write("code", notice.code.rawValue)
            members.write("message", notice.message)
            if let backend = notice.backend { members.write("backend", backend.rawValue) }
            if let interface = notice.interface { members.write("interface", interface) }
            if let broker = notice.broker { members.write("broker", broker) }
        }
    }

    /// Encodes something that happened and is said at a time; returns nothing for what was there at the start.
    package mutating func happening(_ happening: Happening, at time: Timestamp) -> [UInt8] {
        if case .item(let event) = happening, event.event == .there { return [] }
        return line("event", at: time) { members in happening.writeMembers(to: &members) }
    }

    /// Encodes the last line.
    public mutating func end(_ reason: EndReason, at time: Timestamp) -> [UInt8] {
        line("end", at: time) { $0.write("reason", reason) }
    }

    private mutating func line(
        _ type: String, at time: Timestamp, _ fill: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var text = JSONWriter(capacity: 1024)
        text.object { members in
            members.write("type", type)
            members.write("seq", sequence)
            members.write("time", time)
            fill(&members)
        }
        text.append("\n")
        sequence += 1
        return text.bytes
    }
}

/// The changes of an event, divided among lines.
private struct DiffParts {
    /// The size at which a line ends.
    let size: Int
    private var changes = JSONWriter()
    private var endsLine = false

    init(size: Int) { self.size = size }

    /// The changes of the last line.
    var rest: [UInt8] { changes.bytes }

    /// Adds a change, or ends the line for `nil`; returns the changes of the previous line if it has ended.
    mutating func add(_ change: LineChange?) -> [UInt8]? {
        endsLine = endsLine || change == nil || changes.bytes.count >= size
        guard let change else { return nil }
        var ended: [UInt8]?
        if endsLine, !changes.bytes.isEmpty {
            ended = changes.bytes
            changes = JSONWriter()
        }
        endsLine = false
        changes.element(change)
        return ended
    }
}

extension ListSection: JSONObject {
    static let fields: [Field<ListSection>] = [
        Field("id", { $0.id }, { $0.id = $1 }),
        Field("items", isRequired: false, { $0.items }, { $0.items = $1 }),
    ]
    static let blank = ListSection(id: "", items: [])
    static let incompleteness: String? = "a section has an id"
}

extension LineEncoder.EndReason: JSONWord { static let noun = "reason" }
