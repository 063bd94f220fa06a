// Differences that are encoded and decoded, and what a stranger may send in their place.
import DiffCore
import FoundationEssentials
import TestSupport
import Testing

@Suite struct DifferenceCodingTests {
    private typealias Difference = SnapshotDifference<String, String>

    @Test func `each kind of change is encoded under its name`() throws {
        let difference = TextSnapshot("A(b)").difference(from: TextSnapshot("A(a)"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(difference), as: UTF8.self)
        let place = #""position":{"indexPath":{"item":0,"section":0},"section":"A"}"#
        #expect(text.contains(#""deletedItems":[{"item":"a",\#(place)}]"#))
        #expect(text.contains(#""insertedItems":[{"item":"b",\#(place)}]"#))
        #expect(text.contains(#""movedSections":[]"#))
    }

    /// A failure names its seed, and the seed alone decides the two snapshots.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func `a decoded difference is and does what the encoded one was and did`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let old = NumberSnapshot.random(items: 40, sections: 5, using: &generator)
        var new = NumberSnapshot.random(items: 40, sections: 5, using: &generator)
        new.reloadSections(Array(new.sectionIdentifiers.prefix(1)))
        new.reloadItems(Array(new.itemIdentifiers.prefix(3)))
        new.reconfigureItems(Array(new.itemIdentifiers.suffix(3)))
        let difference = new.difference(from: old)

        let data = try JSONEncoder().encode(difference)
        let decoded = try JSONDecoder().decode(SnapshotDifference<Int, Int>.self, from: data)

        #expect(decoded == difference)
        #expect(decoded.isEmpty == difference.isEmpty)
        #expect(decoded.batch == difference.batch)
        #expect(decoded.description == difference.description)
        #expect(decoded.inverse == difference.inverse)
        #expect(old.applyingIfFitting(decoded) == new)
        #expect(new.applying(decoded.inverse) == old)
        #expect(
            try JSONDecoder().decode(type(of: decoded), from: JSONEncoder().encode(decoded))
                == decoded)
    }

    @Test func `a difference of nothing is decoded as such`() throws {
        #expect(try decode(hostile()).isEmpty)
        #expect(throws: DecodingError.self) { try decode("{}") }
    }

    private static let contradictions = [
        hostile("deletedItems", item("a", in: "A", 0, -1)),
        hostile("insertedItems", item("a", in: "A", -1, 0)),
        hostile("deletedSections", section("A", -1)),
        hostile("insertedSections", section("A", 1 << 30)),
        hostile("reconfiguredItems", item("a", in: "A", 0, 1 << 62)),
        hostile("movedItems", move("a", from: item("a", in: "A", 0, -5), item("a", in: "A", 0, 0))),
        hostile("movedSections", #"{"section":"A","from":-1,"to":0}"#),
        // One item twice, in one kind of change and in two.
        hostile("deletedItems", item("a", in: "A", 0, 0), item("a", in: "A", 0, 1)),
        hostile("deletedItems", item("a", in: "A", 0, 0))
            .adding("insertedItems", item("a", in: "A", 0, 1)),
        hostile("insertedSections", section("A", 0), section("A", 1)),
        hostile("deletedSections", section("A", 0)).adding("insertedSections", section("A", 0)),
        // One place twice.
        hostile("insertedItems", item("a", in: "A", 0, 0), item("b", in: "A", 0, 0)),
        hostile("insertedItems", item("a", in: "A", 0, 3)).adding(
            "movedItems", move("b", from: item("b", in: "A", 0, 0), item("b", in: "A", 0, 3))),
        hostile("insertedSections", section("A", 0), section("B", 0)),
        // Out of order.
        hostile("deletedItems", item("b", in: "A", 0, 1), item("a", in: "A", 0, 0)),
        hostile("deletedSections", section("A", 2), section("B", 1)),
        // A section by two numbers, and two sections by one.
        hostile("insertedItems", item("a", in: "A", 0, 0), item("b", in: "A", 1, 0)),
        hostile("insertedItems", item("a", in: "A", 0, 0), item("b", in: "B", 0, 1)),
        hostile("insertedSections", section("A", 0))
            .adding("insertedItems", item("a", in: "A", 1, 0)),
        // What goes has no place afterwards, what comes none before.
        hostile("deletedSections", section("A", 0))
            .adding("insertedItems", item("a", in: "A", 0, 0)),
        hostile("insertedSections", section("A", 0))
            .adding("deletedItems", item("a", in: "A", 0, 0)),
        hostile("deletedItems", item("a", in: "A", 0, 0))
            .adding("reloadedItems", item("a", in: "A", 0, 0)),
        hostile("insertedItems", item("a", in: "A", 0, 0))
            .adding("reloadedItems", item("a", in: "A", 0, 1)),
        // Not even numbers, or beyond those that a machine has.
        #"{"deletedItems":7}"#,
        hostile("deletedSections", #"{"section":"A","index":1e99}"#),
    ]

    @Test(arguments: contradictions)
    func `changes that no two lists can differ by are refused`(text: String) {
        #expect(throws: DecodingError.self) { try decode(text) }
    }

    private static let misfits = [
        hostile("deletedItems", item("a", in: "A", 0, 1)),
        hostile("deletedItems", item("a", in: "B", 1, 0)),
        hostile("deletedItems", item("q", in: "A", 0, 0)),
        hostile("deletedSections", section("Q", 0)),
        hostile("deletedSections", section("A", 1)),
        hostile("deletedSections", section("B", 1)),
        hostile("insertedSections", section("A", 0)),
        hostile("insertedSections", section("C", 3)),
        hostile("insertedItems", item("a", in: "A", 0, 0)),
        hostile("insertedItems", item("n", in: "A", 0, 4)),
        hostile("insertedItems", item("n", in: "A", 0, (1 << 30) - 1)),
        hostile("insertedItems", item("n", in: "Q", 0, 0)),
        hostile("insertedItems", item("n", in: "C", 2, 0)),
        hostile("movedItems", move("a", from: item("a", in: "A", 0, 0), item("a", in: "A", 0, 3))),
        hostile("movedItems", move("a", from: item("a", in: "A", 0, 1), item("a", in: "A", 0, 0))),
        hostile("movedSections", #"{"section":"A","from":0,"to":2}"#),
        hostile("movedSections", #"{"section":"A","from":1,"to":0}"#),
        hostile("reloadedItems", item("b", in: "A", 0, 0)),
        hostile("reconfiguredItems", item("q", in: "A", 0, 0)),
        hostile("reloadedSections", section("B", 0)),
    ]

    @Test(arguments: misfits)
    func `a difference that does not fit a snapshot is not applied to it`(text: String) throws {
        #expect(TextSnapshot("A(a b c) B(x)").applyingIfFitting(try decode(text)) == nil)
    }

    /// Whatever becomes of an encoded difference, it is refused, does not fit, or gives a snapshot.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `a damaged difference does no harm`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let old = NumberSnapshot.random(items: 8, sections: 3, using: &generator)
        let new = NumberSnapshot.random(items: 8, sections: 3, using: &generator)
        var bytes = Array(try JSONEncoder().encode(new.difference(from: old)))
        let digits = bytes.indices.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[$0] }
        for place in digits.shuffled(using: &generator).prefix(
            Int.random(in: 1...3, using: &generator))
        {
            bytes[place] = UInt8.random(
                in: UInt8(ascii: "0")...UInt8(ascii: "9"), using: &generator)
        }
        guard
            let decoded = try? JSONDecoder().decode(
                SnapshotDifference<Int, Int>.self, from: Data(bytes)),
            let result = old.applyingIfFitting(decoded)
        else { return }
        #expect(result.applyingIfFitting(decoded.inverse) == old)
    }

    @discardableResult
    private func decode(_ text: String) throws -> SnapshotDifference<String, String> {
        try JSONDecoder().decode(SnapshotDifference<String, String>.self, from: Data(text.utf8))
    }
}

/// The text of a difference with changes of one kind, and none of the others.
private func hostile(_ kind: String = "movedItems", _ changes: String...) -> String {
    let kinds = [
        "deletedSections", "insertedSections", "movedSections", "reloadedSections",
        "deletedItems", "insertedItems", "movedItems", "reloadedItems", "reconfiguredItems",
    ]
    let fields = kinds.map { #""\#($0)":[\#($0 == kind ? changes.joined(separator: ",") : "")]"# }
    return "{" + fields.joined(separator: ",") + "}"
}

private func section(_ name: String, _ index: Int) -> String {
    #"{"section":"\#(name)","index":\#(index)}"#
}

private func item(_ name: String, in section: String, _ number: Int, _ place: Int) -> String {
    let indexPath = #"{"section":\#(number),"item":\#(place)}"#
    return #"{"item":"\#(name)","position":{"section":"\#(section)","indexPath":\#(indexPath)}}"#
}

/// A move between the places of two items of that name.
private func move(_ name: String, from: String, _ to: String) -> String {
    func position(_ item: String) -> Substring {
        item.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }.dropFirst().dropLast()
    }
    return #"{"item":"\#(name)","from":\#(position(from)),"to":\#(position(to))}"#
}

extension String {
    /// The text with changes of another kind, of which it has none yet.
    fileprivate func adding(_ kind: String, _ change: String) -> String {
        let parts = split(separator: #""\#(kind)":[]"#, omittingEmptySubsequences: false)
        return parts.joined(separator: #""\#(kind)":[\#(change)]"#)
    }
}
