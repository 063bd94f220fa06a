// What a `begin` line says of its run, read from the line.
import FoundationEssentials
import PeerList

/// The members of a header, in whatever order they come.
struct HeaderParts {
    private var version: Int?
    private var run: UUID?
    private var observerHost: String?
    private var observerID: UUID?
    /// Who is asked; a notice may say it as well.
    private(set) var backend: String?
    private var grouping: Grouping?
    private var filter = LineHeader.Filter()

    /// Reads one member, or passes over one that is not known.
    mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONError) {
        switch key {
        case "version": version = try reader.integer()
        case "run": run = try reader.uuid()
        case "observer": try readObserver(&reader)
        case "backend": backend = try reader.string()
        case "groupBy": grouping = try reader.word(of: Grouping.self, "groupBy")
        case "filter": try readFilter(&reader)
        default: try reader.skip()
        }
    }

    /// The header, if all is there and its version is known.
    func header(_ reader: JSONReader) throws(JSONError) -> LineHeader {
        guard let version else { throw reader.error("the version is missing") }
        guard version == LineEncoder.version else {
            throw reader.error(
                "this is version \(version) of the format, and only \(LineEncoder.version) is known"
            )
        }
        guard let run, let observerHost, let observerID, let backend, let grouping else {
            throw reader.error("a begin has a run, an observer, a backend and a groupBy")
        }
        return LineHeader(
            run: run, observerHost: observerHost, observerID: observerID, backend: backend,
            grouping: grouping, filter: filter)
    }

    private mutating func readObserver(_ reader: inout JSONReader) throws(JSONError) {
        var parts = self
        try reader.object { (reader, key) throws(JSONError) in
            switch key {
            case "host": parts.observerHost = try reader.string()
            case "id": parts.observerID = try reader.uuid()
            default: try reader.skip()
            }
        }
        self = parts
    }

    private mutating func readFilter(_ reader: inout JSONReader) throws(JSONError) {
        var filter = LineHeader.Filter()
        try reader.object { (reader, key) throws(JSONError) in
            switch key {
            case "types": filter.types = try reader.strings()
            case "interface": filter.interface = try reader.string()
            case "family": filter.family = try reader.word(of: AddressFamily.self, "family")
            case "domain": filter.domain = try reader.string()
            default: try reader.skip()
            }
        }
        self.filter = filter
    }
}
