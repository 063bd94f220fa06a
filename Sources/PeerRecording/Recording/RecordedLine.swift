// A parsed line of a recording.
import FoundationEssentials
import PeerList

/// One line of a recording.
struct RecordedLine {
    /// The content that depends on the type of line.
    enum Content {
        /// The list from which the differences start.
        case begin(LineHeader, [ListSection])
        /// A difference.
        case difference(PeerListUpdate.Cause, [RecordedChange])
        /// A notice, and the backend from then on if it changed.
        case notice(code: String, message: String, backend: String?)
        /// The last line of a run.
        case end(LineEncoder.EndReason)
        /// A type of line that this version does not know; the format allows to skip it.
        case unknown
    }

    /// The sequence number since the last `begin`.
    var sequence: Int
    /// The time of the event.
    var time: Timestamp
    /// The content.
    var content: Content
}

extension RecordedLine {
    /// The notice in the line, if this version knows its code.
    var notice: Notice? {
        guard case .notice(let code, let message, let backend) = content else { return nil }
        return Notice.Code(rawValue: code).map { code in
            Notice(code, message, backend: backend.flatMap(Backend.init(rawValue:)), time: time)
        }
    }
}

// MARK: Reading

extension RecordedLine {
    /// Parses a line; skips unknown members.
    ///
    /// - Parameters:
    ///   - bytes: The line, with or without its line feed.
    ///   - grouping: The grouping in the last `begin`.
    /// - Throws: `JSONError` if it is not a JSON object, lacks a member, or a member
    ///   is not as `docs/json-lines.md` describes it.
    init(_ bytes: [UInt8], grouping: Grouping) throws(JSONError) {
        var reader = JSONReader(bytes)
        var parts = LineParts(grouping: grouping)
        try reader.object { (reader, key) throws(JSONError) in try parts.read(key, &reader) }
        try reader.end()
        self = try parts.line(reader)
    }
}

/// The members of a line of any type, in any order.
private struct LineParts {
    let grouping: Grouping
    var type: String?
    var sequence: Int?
    var time: Timestamp?
    var header = LineHeader.Members()
    /// A reader at the sections, which are parsed last because `groupBy` determines their items.
    var sections: JSONReader?
    var cause: PeerListUpdate.Cause?
    var changes: [RecordedChange]?
    var code: String?
    var message: String?
    var reason: LineEncoder.EndReason?

    mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONError) {
        switch key {
        case "type": type = try reader.string()
        case "seq": sequence = try reader.integer()
        case "time": time = try reader.timestamp()
        case "sections":
            sections = reader
            try reader.skip()
        case "cause": cause = try reader.word(of: PeerListUpdate.Cause.self, "cause")
        case "changes": changes = try reader.changes(grouping)
        case "code": code = try reader.string()
        case "message": message = try reader.string()
        case "reason": reason = try reader.word(of: LineEncoder.EndReason.self, "reason")
        default: try header.read(key, &reader)
        }
    }

    func line(_ reader: JSONReader) throws(JSONError) -> RecordedLine {
        guard let type, let sequence, let time else {
            throw reader.error("a line has a type, a seq and a time")
        }
        return RecordedLine(
            sequence: sequence, time: time, content: try content(type, reader))
    }

    private func content(
        _ type: String, _ reader: JSONReader
    ) throws(JSONError) -> RecordedLine.Content {
        switch type {
        case "begin":
            guard var sections else { throw reader.error("sections are missing") }
            let header = try header.header(reader)
            return .begin(header, try sections.sections(header.grouping))
        case "diff":
            guard let cause, let changes else {
                throw reader.error("a difference has a cause and changes")
            }
            return .difference(cause, changes)
        case "notice":
            guard let code, let message else {
                throw reader.error("a notice has a code and a message")
            }
            return .notice(code: code, message: message, backend: header.backend)
        case "end":
            guard let reason else { throw reader.error("the reason is missing") }
            return .end(reason)
        default:
            return .unknown
        }
    }
}

extension JSONReader {
    fileprivate mutating func sections(_ grouping: Grouping) throws(JSONError) -> [ListSection] {
        var sections: [ListSection] = []
        try array { reader throws(JSONError) in
            var id: String?
            var items: [ListItem] = []
            try reader.object { (reader, key) throws(JSONError) in
                switch key {
                case "id": id = try reader.string()
                case "items":
                    try reader.array { reader throws(JSONError) in
                        items.append(try reader.fields(of: grouping).whole(reader))
                    }
                default: try reader.skip()
                }
            }
            guard let id else { throw reader.error("a section has an id") }
            sections.append(ListSection(id: id, items: items))
        }
        return sections
    }

    fileprivate mutating func changes(_ grouping: Grouping) throws(JSONError) -> [RecordedChange] {
        var changes: [RecordedChange] = []
        try array { reader throws(JSONError) in
            var parts = ChangeParts(grouping: grouping)
            try reader.object { (reader, key) throws(JSONError) in try parts.read(key, &reader) }
            changes.append(try parts.change(reader))
        }
        return changes
    }
}
