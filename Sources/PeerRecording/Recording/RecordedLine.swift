// A parsed line of a recording.
import FoundationEssentials
package import PeerHappenings
package import PeerModel

/// One line of a recording, with the members of its kind.
package struct RecordedLine: Sendable {
    enum Kind: String {
        /// The list from which the differences start.
        case begin
        /// A difference.
        case diff
        /// A notice, and the backend from then on if it changed.
        case notice
        /// Something that happened. What happened to devices is derived from the differences.
        case event
        /// The last line of a run.
        case end
    }

    private var version = 0
    /// A reader at the sections, which are parsed last because `groupBy` determines their items.
    private var unreadSections: JSONReader?
    private var code = ""
    private var interface = ""
    private var broker = ""

    /// The kind of line; `nil` for an unknown kind, which the format allows to skip.
    private(set) var kind: Kind?
    /// The sequence number since the last `begin`.
    private(set) var sequence = 0
    private(set) var time = Timestamp(microseconds: 0)
    private(set) var header = LineHeader.blank
    private(set) var sections: [ListSection] = []
    private(set) var cause = PeerListUpdate.Cause.changed
    private(set) var changes: [LineChange] = []
    /// Whether the event goes on in the next line.
    private(set) var hasMore = false
    /// The text of a notice.
    package private(set) var message = ""
    private(set) var reason = LineEncoder.EndReason.finished

    private var event = ""
    private var source = ""
    private var count = 0
    private var at = Timestamp(microseconds: 0)

    /// The event of an interface, a backend, a broker or an observer, if the line has one.
    package var sourceHappening: SourceHappening? {
        guard kind == .event, let event = SourceHappening.Event(rawValue: event) else { return nil }
        return SourceHappening(event, source, count: count, at: at)
    }

    /// The backend that a notice names.
    var backend: String? { header.backend.isEmpty ? nil : header.backend }

    /// The notice in the line, if this version knows its code.
    package var notice: Notice? {
        guard kind == .notice, let code = Notice.Code(rawValue: code) else { return nil }
        return Notice(
            code, message, backend: backend.flatMap(Backend.init),
            interface: interface.isEmpty ? nil : interface, broker: broker.isEmpty ? nil : broker,
            time: time)
    }

    private static let fields: [Field<RecordedLine>] =
        [
            Field("type", { $0.kind?.rawValue ?? "" }, { $0.kind = Kind(rawValue: $1) }),
            Field("seq", { $0.sequence }, { $0.sequence = $1 }),
            Field("time", { $0.time }, { $0.time = $1 }),
            Field("version", { $0.version }, { $0.version = $1 }),
        ] + LineHeader.fields.map { $0.of({ $0.header }, { $0.header = $1 }) } + [
            sectionsField,
            Field("cause", { $0.cause }, { $0.cause = $1 }),
            Field("changes", { $0.changes }, { $0.changes = $1 }),
            Field("more", { $0.hasMore }, { $0.hasMore = $1 }),
            Field("code", { $0.code }, { $0.code = $1 }),
            Field("interface", { $0.interface }, { $0.interface = $1 }),
            Field("broker", { $0.broker }, { $0.broker = $1 }),
            Field("message", { $0.message }, { $0.message = $1 }),
            Field("reason", { $0.reason }, { $0.reason = $1 }),
            Field("event", { $0.event }, { $0.event = $1 }),
            Field("at", { $0.at }, { $0.at = $1 }),
            Field("source", { $0.source }, { $0.source = $1 }),
            Field("count", { $0.count }, { $0.count = $1 }),
        ]

    private static let sectionsField = {
        var field = Field<RecordedLine>("sections", { $0.sections }, { $0.sections = $1 })
        field.read = { (reader, line) throws(LineError) in
            line.unreadSections = reader
            try reader.skip()
        }
        return field
    }()

    /// The maximum numbers of sections and items of a list; more of them is damage.
    ///
    /// Discovery stops at 20,000 services. A fleet stops at 200,000 devices, and at 1,000 observers with
    /// 8 domains each. Without a limit, an untrusted recording could take any amount of memory.
    static let listLimits = (sections: 8192, items: 200_000)

    private init() {}

    /// Parses a line; skips unknown members.
    ///
    /// - Parameters:
    ///   - bytes: The line, with or without its line feed.
    ///   - grouping: The grouping in the last `begin`.
    /// - Throws: `LineError` if it is not a JSON object, lacks a member, or a member
    ///   is not as `docs/json-lines.md` describes it.
    package init(_ bytes: [UInt8], grouping: Grouping) throws(LineError) {
        var reader = JSONReader(bytes, grouping: grouping)
        let members = try FieldSet(Self.fields, RecordedLine(), from: &reader)
        try reader.end()
        self = members.state
        try reader.require(
            members.has("type", "seq", "time"), "a line has a type, a seq and a time")
        switch kind {
        case .begin:
            guard var sections = unreadSections else { throw reader.error("sections are missing") }
            try reader.require(members.has("version"), "the version is missing")
            try reader.require(
                version == LineHeader.version,
                "this is version \(version) of the format, and only \(LineHeader.version) is known")
            try reader.require(
                members.has("run", "observer", "backend", "groupBy"),
                LineHeader.incompleteness ?? "")
            sections.grouping = header.grouping
            self.sections = try [ListSection].read(&sections)
            unreadSections = nil
        case .diff:
            try reader.require(
                members.has("cause", "changes"), "a difference has a cause and changes")
        case .notice:
            try reader.require(members.has("code", "message"), "a notice has a code and a message")
        case .event:
            try reader.require(members.has("event", "at"), "an event has a name and a time")
        case .end: try reader.require(members.has("reason"), "the reason is missing")
        case nil: break
        }
    }
}
