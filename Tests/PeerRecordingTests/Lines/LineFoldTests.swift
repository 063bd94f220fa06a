// Tests that folding the lines gives the list at every line, with every field.
import DiffCore
import Foundation
import PeerModel
import PeerRecording
import TestSupport
import Testing

@Suite struct LineFoldTests {
    /// A failure names its seed, and the seed alone decides the lists and their changes.
    @Test(arguments: seeds(60), Grouping.allCases)
    func `folding the lines gives the list at every line`(seed: UInt64, grouping: Grouping) throws {
        var list = RandomList(seed: seed, grouping: grouping)
        var encoder = LineEncoder()
        var fold = LineFold()
        let begin = encoder.begin(.example(grouping), at: Timestamp(microseconds: 0))
        #expect(fold.take(try JSONValue(line: begin)) == nil)
        for _ in 0..<25 {
            let update = list.change()
            guard let line = encoder.update(update) else {
                #expect(update.difference.isEmpty)
                continue
            }
            let problem = fold.take(try JSONValue(line: line))
            #expect(problem == nil)
            guard fold.reads(as: list.sections) else {
                Issue.record("line \(fold.nextSequence - 1) does not lead to the list")
                return
            }
        }
    }

    @Test(arguments: seeds(20), Grouping.allCases)
    func `a begin line holds the whole list and resets the sequence number`(
        seed: UInt64, grouping: Grouping
    )
        throws
    {
        var list = RandomList(seed: seed, grouping: grouping)
        var encoder = LineEncoder()
        for _ in 0..<20 { _ = encoder.update(list.change()) }

        var fold = LineFold()
        let begin = encoder.begin(
            .example(grouping), sections: list.sections, at: Timestamp(microseconds: 0))
        #expect(fold.take(try JSONValue(line: begin)) == nil)
        let isRight = fold.reads(as: list.sections)
        #expect(isRight)
        while let line = encoder.update(list.change()) {
            let problem = fold.take(try JSONValue(line: line))
            #expect(problem == nil)
            let isRight = fold.reads(as: list.sections)
            #expect(isRight)
        }
    }

    @Test func `the pieces of a begin line are the line`() {
        var list = RandomList(seed: 1, grouping: .device)
        for _ in 0..<20 { _ = list.change() }
        let section = list.sections[0]
        let items = (0..<1_000).flatMap { _ in section.items }
        let sections = [ListSection(id: section.id, items: items)] + list.sections
        let time = Timestamp(microseconds: 0)
        var encoder = LineEncoder()
        let line = encoder.begin(.example(.device), sections: sections, at: time)
        var pieces: [[UInt8]] = []
        encoder.begin(.example(.device), sections: sections, at: time) { pieces.append($0) }
        #expect(pieces.count > 2)
        let isSame = Array(pieces.joined()) == line
        #expect(isSame)
    }
}

extension LineFold {
    /// Whether the folded list is the one that is given, byte for byte.
    func reads(as list: [ListSection]) -> Bool {
        sections.map(\.id) == list.map(\.id)
            && zip(sections, list).allSatisfy {
                $0.items.isExactly($1.items.map(\.expected))
            }
    }
}

extension LineHeader {
    /// The header of an imagined run.
    static func example(_ grouping: Grouping) -> LineHeader {
        LineHeader(
            run: .example("0b3f2a56-6c1f-4d0e-9a53-2f7c5f7f4a10"), observerHost: "anna.local",
            observerID: .example("6d0f7c1e-0f0a-5a51-8a5d-3a1b8f6f7f10"), backend: "daemon",
            grouping: grouping)
    }
}
