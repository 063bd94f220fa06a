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
            members.write("version", LineHeader.version)
            header.writeMembers(to: &members)
            members.write("sections", sections)
        }
    }

    /// Encodes the same line in pieces, because that of a fleet can take more memory than its list.
    package mutating func begin(
        _ header: LineHeader, sections: [ListSection], at time: Timestamp,
        pieces: ([UInt8]) -> Void
    ) {
        sequence = 0
        let last = line("begin", at: time) { members in
            members.write("version", LineHeader.version)
            header.writeMembers(to: &members)
            members.array("sections") { array in
                for section in sections {
                    array.object { members in
                        members.write("id", section.id)
                        members.array("items") { items in
                            for item in section.items {
                                items.element(item)
                                if items.bytes.count >= Self.pieceSize {
                                    pieces(items.removeText())
                                }
                            }
                        }
                    }
                }
            }
        }
        pieces(last)
    }

    /// The minimum size of a piece, in bytes.
    private static let pieceSize = 65_536

    /// Encodes a difference; returns `nil` if it changes nothing.
    ///
    /// - Precondition: The update holds every item that its difference inserts
    ///   or deletes.
    public mutating func update(_ update: PeerListUpdate) -> [UInt8]? {
        var isEmpty = true
        let line = line("diff", at: update.time) { members in
            members.write("cause", update.cause)
            members.array("changes") { array in
                update.forEachChange { change in
                    isEmpty = false
                    array.element(change)
                }
            }
        }
        guard isEmpty else { return line }
        sequence -= 1
        return nil
    }

    /// Encodes a notice.
    public mutating func notice(_ notice: Notice) -> [UInt8] {
        line("notice", at: notice.time) { members in
            members.write("code", notice.code.rawValue)
            members.write("message", notice.message)
            if let backend = notice.backend { members.write("backend", backend.rawValue) }
        }
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

extension ListSection: JSONObject {
    static let fields: [Field<ListSection>] = [
        Field("id", { $0.id }, { $0.id = $1 }),
        Field("items", isRequired: false, { $0.items }, { $0.items = $1 }),
    ]
    static let blank = ListSection(id: "", items: [])
    static let incompleteness: String? = "a section has an id"
}

extension LineEncoder.EndReason: JSONWord { static let noun = "reason" }
