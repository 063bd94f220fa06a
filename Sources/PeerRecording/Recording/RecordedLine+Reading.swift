// A line of a recording, read from its bytes.
import FoundationEssentials
import PeerList

extension RecordedLine {
    /// The line of these bytes, with or without its line feed.
    ///
    /// - Parameters:
    ///   - bytes: The line.
    ///   - grouping: What the rows are, as the last `begin` said.
    /// - Throws: `JSONError` where it is no JSON object, lacks a member, or a
    ///   member is not what `docs/json-lines.md` says. Members that are not
    ///   known are passed over.
    init(_ bytes: [UInt8], grouping: Grouping) throws(JSONError) {
        var reader = JSONReader(bytes)
        var parts = LineParts(grouping: grouping)
        try reader.object { (reader, key) throws(JSONError) in try parts.read(key, &reader) }
        try reader.end()
        self = try parts.line(reader)
    }
}

/// The members of a line of any type, in whatever order they come.
private struct LineParts {
    let grouping: Grouping
    var type: String?
    var sequence: Int?
    var time: Timestamp?
    var header = HeaderParts()
    /// A reader that stands before the sections: what their items are is known at the end of the line.
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
