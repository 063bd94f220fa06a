// Encodes the changes of the list as numbered JSON lines.
import FoundationEssentials
public import PeerList

/// The encoder of one output's JSON lines.
///
/// Every method returns one whole line with its line feed, except for an update
/// that changes nothing. Each output has its own encoder, because
/// ``begin(_:sections:at:)`` resets the sequence number. The format is described
/// in `docs/json-lines.md`.
///
/// - Complexity: Each method is linear in the length of the line; an update
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

    private var sequence = 0

    /// An encoder whose next line has the sequence number 0.
    public init() {}

    /// Encodes the line that differences start from, with the sequence number 0.
    ///
    /// - Parameters:
    ///   - header: The run, the observer and the filter.
    ///   - sections: The list; empty at the start of a run.
    ///   - time: The time of the list.
    /// - Returns: The line.
    public mutating func begin(
        _ header: LineHeader, sections: [ListSection] = [], at time: Timestamp
    ) -> [UInt8] {
        sequence = 0
        return line("begin", at: time) { members in
            members.member("version", LineHeader.version)
            header.write(to: &members)
            members.array("sections") { array in
                for section in sections { array.object { section.write(to: &$0) } }
            }
        }
    }

    /// Encodes a difference; returns `nil` if it changes nothing.
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

    /// Encodes a notice.
    public mutating func notice(_ notice: Notice) -> [UInt8] {
        line("notice", at: notice.time) { members in
            members.member("code", notice.code.rawValue)
            members.member("message", notice.message)
            if let backend = notice.backend { members.member("backend", backend.rawValue) }
        }
    }

    /// Encodes the last line.
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
    /// Writes the section with its items.
    fileprivate func write(to members: inout JSONObjectWriter) {
        members.member("id", id)
        members.array("items") { array in
            for item in items { array.object { item.write(to: &$0) } }
        }
    }
}
