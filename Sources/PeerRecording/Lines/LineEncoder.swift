// Turns what happens to the list into JSON lines, and counts them.
import FoundationEssentials
public import PeerList

/// The JSON lines of one output.
///
/// Every call gives one whole line with its line feed, except an update that
/// changes nothing, which gives none. Each output has an encoder of its own,
/// because a ``begin(_:sections:at:)`` counts anew. The format is described in
/// `docs/json-lines.md`.
///
/// - Complexity: Each call is linear in the length of what it gives; an update
///   also in the number of services of the peers that it changes.
public struct LineEncoder: Sendable {
    /// The format's version: raised when a reader of the old one could be misled.
    public static let version = 1

    /// Why the lines end.
    public enum EndReason: String, Sendable, Hashable, CaseIterable {
        /// All that was asked for is done.
        case finished
        /// The user or a signal ended it.
        case interrupted
        /// It could not go on.
        case failed
    }

    private var sequence = 0

    /// An encoder whose next line has the number 0.
    public init() {}

    /// The line from which the differences start; the count begins anew with it.
    ///
    /// - Parameters:
    ///   - header: Who looks, and what the list is limited to.
    ///   - sections: The list as it is; at the start of a run it is empty.
    ///   - time: When the list was so.
    /// - Returns: The line.
    public mutating func begin(
        _ header: LineHeader, sections: [ListSection] = [], at time: Timestamp
    ) -> [UInt8] {
        sequence = 0
        return line("begin", at: time) { members in
            members.member("version", Self.version)
            header.write(to: &members)
            members.array("sections") { array in
                for section in sections { array.object { section.write(to: &$0) } }
            }
        }
    }

    /// The line of a difference, or `nil` if it changes nothing.
    ///
    /// - Precondition: The update holds every item that its difference inserts
    ///   or deletes.
    public mutating func update(_ update: PeerListUpdate) -> [UInt8]? {
        let changedItems = update.changedItems
        guard update.movesAnything || !changedItems.isEmpty else { return nil }
        return line("diff", at: update.time) { members in
            members.member("cause", update.cause.rawValue)
            members.array("changes") { update.writeChanges(changedItems, to: &$0) }
        }
    }

    /// The line of a notice.
    public mutating func notice(_ notice: Notice) -> [UInt8] {
        line("notice", at: notice.time) { members in
            members.member("code", notice.code.rawValue)
            members.member("message", notice.message)
            if let backend = notice.backend { members.member("backend", backend.rawValue) }
        }
    }

    /// The last line.
    public mutating func end(_ reason: EndReason, at time: Timestamp) -> [UInt8] {
        line("end", at: time) { $0.member("reason", reason.rawValue) }
    }

    private mutating func line(
        _ type: String, at time: Timestamp, _ fill: (inout JSONObjectWriter) -> Void
    ) -> [UInt8] {
        var text = JSONWriter()
        text.reserve(1024)
        text.object { members in
            members.member("type", type)
            members.member("seq", sequence)
            members.member("time", time)
            fill(&members)
        }
        text.append("\n")
        sequence += 1
        return text.bytes
    }
}

extension ListSection {
    /// Writes the section with its items, whole.
    fileprivate func write(to members: inout JSONObjectWriter) {
        members.member("id", id)
        members.array("items") { array in
            for item in items { array.object { item.write(to: &$0) } }
        }
    }
}
