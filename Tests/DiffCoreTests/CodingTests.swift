// Snapshots and outlines as JSON: written, read, and refused.
import DiffCore
import FoundationEssentials
import Testing

@Suite struct CodingTests {
    private func decoded<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test func `a snapshot is decoded as it was encoded`() throws {
        var snapshot = TextSnapshot("A(a b) B() C(c)")
        #expect(try decoded(snapshot) == snapshot)
        snapshot.reloadSections(["B"])
        snapshot.reloadItems(["c"])
        snapshot.reconfigureItems(["a", "c"])
        #expect(try decoded(snapshot) == snapshot)
        #expect(try decoded(TextSnapshot()) == TextSnapshot())
        let long = DiffableDataSourceSnapshot([(0, Array(0..<100)), (1, Array(100..<150))])
        #expect(try decoded(long) == long)
    }

    @Test(arguments: ["", "a", "a+(b c+(d)) e(f)", "a(b(c(d+)))"])
    func `an outline is decoded as it was encoded`(text: String) throws {
        #expect(try decoded(TextOutline(text)) == TextOutline(text))
    }

    /// Returns a snapshot of section A and item a, and of other items, in which something is marked.
    private static func marked(
        _ list: String, _ identifier: String, items count: Int = 1
    ) -> String {
        let lists = ["reloadedSections", "reloadedItems", "reconfiguredItems"].map {
            "\"\($0)\": [\($0 == list ? "\"\(identifier)\"" : "")]"
        }
        let items = ["\"a\""] + (1..<count).map { "\"\($0)\"" }
        return """
            {"sections": [{"section": "A", "items": [\(items.joined(separator: ", "))]}],
            "marks": {\(lists.joined(separator: ", "))}}
            """
    }

    @Test func `a marked snapshot is decoded`() throws {
        let json = Self.marked("reloadedItems", "a")
        let snapshot = try JSONDecoder().decode(TextSnapshot.self, from: Data(json.utf8))
        #expect(snapshot.reloadedItemIdentifiers == ["a"])
    }

    @Test(arguments: [
        #"{"sections": [{"section": "A", "items": []}, {"section": "A", "items": []}]}"#,
        #"{"sections": [{"section": "A", "items": ["a", "b", "a"]}]}"#,
        #"{"sections": [{"section": "A", "items": ["a"]}, {"section": "B", "items": ["a"]}]}"#,
        Self.marked("reloadedSections", "B"),
        Self.marked("reloadedItems", "b"),
        Self.marked("reconfiguredItems", "b"),
        Self.marked("reloadedItems", "b", items: 50),
        #"{"sections": [{"section": "A"}]}"#, "{}", "[]",
    ])
    func `an invalid snapshot is an error`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(TextSnapshot.self, from: Data(json.utf8))
        }
    }

    @Test(arguments: [[("a", 0), ("a", 0)], [("a", 1)], [("a", 0), ("b", 2)], [("a", -1)]])
    func `an invalid outline is an error`(items: [(String, Int)]) {
        let items = items.map { #"{"item": "\#($0.0)", "level": \#($0.1), "isExpanded": true}"# }
        let json = #"{"items": [\#(items.joined(separator: ", "))]}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(TextOutline.self, from: Data(json.utf8))
        }
    }
}
