// The tables of fields, compared with the schema and read back from lines.
import Foundation
import PeerModel
import Testing

@testable import PeerRecording

@Suite struct FieldTableTests {
    @Test(arguments: ["peer", "listing", "service"])
    func `the schema requires exactly the fields of the table, in order`(name: String) throws {
        func keys(_ fields: [Field<some Sendable>]) -> (all: [String], required: [String]) {
            (fields.map(\.key), fields.filter { $0.isWritten == nil }.map(\.key))
        }
        let keys = [
            "peer": keys(ListItem.peerFields), "listing": keys(ListItem.serviceFields),
            "service": keys(Service.fields),
        ]
        let file = docs.appending(path: "schema/peerlist-lines.schema.json")
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let definitions = try #require((schema as? [String: Any])?["$defs"] as? [String: Any])
        let definition = try #require(definitions[name] as? [String: Any])
        #expect(definition["required"] as? [String] == keys[name]?.required)
        let properties = definition["properties"] as? [String: Any]
        #expect(properties?.keys.sorted() == keys[name]?.all.sorted())
    }

    @Test func `the documentation names every field and value of the format`() throws {
        let text = try String(contentsOf: docs.appending(path: "json-lines.md"), encoding: .utf8)
        let words =
            ListItem.peerFields.map(\.key) + ListItem.serviceFields.map(\.key)
            + PeerListUpdate.Cause.allCases.map(\.rawValue) + Notice.Code.allCases.map(\.rawValue)
            + Departure.allCases.map(\.rawValue) + Presence.allCases.map(\.rawValue)
            + Identity.Source.allCases.map(\.rawValue)
            + LineEncoder.EndReason.allCases.map(\.rawValue)
            + [
                "insert", "delete", "move", "update", "insert-section", "delete-section",
                "move-section",
            ]
        for word in words { #expect(text.contains("`\(word)`"), "\(word)") }
    }

    @Test func `services have no padding, so that unchanged ones are found by their bytes`() {
        func size<Value>(of type: Value.Type) -> Int { MemoryLayout<Value>.size }
        let service = Service(id: UUID(), name: "Web", type: "_http._tcp", domain: "local")
        let sizes = Mirror(reflecting: service).children.map { property in
            _openExistential(type(of: property.value), do: size)
        }
        #expect(
            MemoryLayout<Service>.size == sizes.reduce(0, +),
            "put properties smaller than a word last, in the order of their alignment")
    }

    /// Reads a service of a list that is grouped by type.
    private func service(_ members: String) throws(LineError) -> ListItem {
        var reader = JSONReader(Array("{\(members)}".utf8), grouping: .type)
        return try ListItem.read(&reader)
    }

    private let id = "57c66a50-af00-5029-83a7-89022f88f180"

    private var own: String {
        #""id":"\#(id)","name":"Web","type":"_http._tcp","subtypes":[],"domain":"local","#
            + #""port":null,"txt":{}"#
    }

    private func rest(_ peer: String) -> String {
        #""peer":\#(peer),"self":false,"presence":"resolving","#
            + #""firstSeen":"2026-11-21T08:30:00.000000Z","lastSeen":"2026-11-21T08:30:00.000000Z""#
    }

    private let unresolved = #"{"id":null,"name":null,"host":null,"addresses":[]}"#

    @Test func `the peer of an unresolved service has the service's identifier and name`() throws {
        for members in ["\(own),\(rest(unresolved))", "\(rest(unresolved)),\(own)"] {
            let item = try service(members)
            #expect(item.peer.id == UUID(uuidString: id))
            #expect(item.peer.name == "Web")
            #expect(item.peer.identity.value == "web._http._tcp.local")
            #expect(item.json == "{\(own),\(rest(unresolved))}")
        }
    }

    @Test(arguments: [
        ("h1.local", Identity.Source.hostName), ("h2.local", .announced),
    ])
    func `the evidence of a service's peer follows from the identifier and the host`(
        host: String, source: Identity.Source
    ) throws {
        let id = Identity.uuid(forName: "h1.local").uuidString.lowercased()
        let peer = #"{"id":"\#(id)","name":"h1","host":"\#(host)","addresses":["10.0.0.1"]}"#
        let item = try service("\(own),\(rest(peer))")
        #expect(item.peer.identity.source == source)
        #expect(item.json == "{\(own),\(rest(peer))}")
    }

    @Test func `an object from before a field existed is read`() throws {
        var reader = JSONReader(Array(#"{"old":"a"}"#.utf8))
        #expect(try Extended.read(&reader) == Extended(old: "a", new: "absent"))
    }

    @Test func `a field that is missing or given twice is an error`() {
        #expect(throws: LineError.self) { try service(own) }
        #expect(throws: LineError.self) { try service("\(own),\(own),\(rest(unresolved))") }
    }
}

/// An object with a field that is not in objects from before.
private struct Extended: JSONObject, Equatable {
    var old = ""
    var new = "absent"

    static let fields: [Field<Extended>] = [
        Field("old", { $0.old }, { $0.old = $1 }),
        Field("new", isRequired: false, { $0.new }, { $0.new = $1 }),
    ]
    static let blank = Extended()
}

private let docs = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs")
