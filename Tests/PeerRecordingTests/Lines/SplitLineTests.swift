// Tests that lists and differences that are too large for a line are divided among several, which fold to the list.
import DiffCore
import Foundation
import PeerModel
import PeerListTestSupport
import PeerRecording
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SplitLineTests {
    /// Sizes at which most changes have a line of their own, and at which a few share one.
    private static let sizes = [300, 1_500].map { LineEncoder.Sizes(begin: 2_000, diff: $0) }

    private func split(_ text: [UInt8]?) throws -> [JSONValue] {
        try (text ?? []).split(separator: UInt8(ascii: "\n")).map {
            try JSONValue(line: Array($0) + [UInt8(ascii: "\n")])
        }
    }

    /// A failure names its seed, and the seed alone decides the lists and their changes.
    @Test(arguments: seeds(100), Grouping.allCases)
    func `folding the lines of each difference gives the list`(
        seed: UInt64, grouping: Grouping
    ) throws {
        var list = RandomList(seed: seed, grouping: grouping)
        var encoder = LineEncoder(Self.sizes[Int(seed % 2)])
        var fold = LineFold()
        #expect(
            fold.take(try split(encoder.begin(.example(grouping), at: House.time(0)))[0]) == nil)
        var count = 0
        for _ in 0..<30 {
            let update = list.change()
            let lines = try split(encoder.update(update))
            count = max(count, lines.count)
            for (index, line) in lines.enumerated() {
                // The list after each line is consistent, as the fold checks.
                let problem = fold.take(line)
                #expect(problem == nil)
                #expect((line["more"] == .bool(true)) == (index < lines.count - 1))
                #expect(line["time"] == lines[0]["time"] && line["cause"] == lines[0]["cause"])
                #expect(!line["changes"].array.isEmpty)
            }
            guard fold.reads(as: list.sections) else {
                Issue.record("the lines up to \(fold.nextSequence - 1) do not lead to the list")
                return
            }
        }
        #expect(count > 1 || !seed.isMultiple(of: 2))
    }

    @Test(arguments: seeds(30), Grouping.allCases)
    func `folding the lines of a large list gives the list`(
        seed: UInt64, grouping: Grouping
    ) throws {
        var list = RandomList(seed: seed, grouping: grouping)
        for _ in 0..<60 { _ = list.change() }
        var encoder = LineEncoder(Self.sizes[Int(seed % 2)])
        var fold = LineFold()
        let lines = try split(
            encoder.begin(.example(grouping), sections: list.sections, at: House.time(0)))
        for (index, line) in lines.enumerated() {
            #expect(line["type"].text == (index == 0 ? "begin" : "diff"))
            #expect((line["more"] == .bool(true)) == (index < lines.count - 1))
            let problem = fold.take(line)
            #expect(problem == nil)
        }
        #expect(fold.reads(as: list.sections))
    }

    private func devices(_ count: Int) -> [ListItem] {
        (0..<count).map { number in
            let host = "device-\(number).local"
            return .peer(
                Peer(
                    id: Identity.uuid(forName: host), name: "device \(number)", host: host,
                    presence: .present, identity: Identity(source: .hostName, value: host),
                    firstSeen: House.time(0), lastSeen: House.time(0)))
        }
    }

    @Test(arguments: seeds(60))
    func `items that move in any order, also to other sections, fold to the list`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let items = devices(60)
        func random() -> [ListSection] {
            var sections = [[ListItem]](repeating: [], count: 4)
            for item in items.shuffled(using: &generator) {
                // Some are in neither list, and some sections are in one only.
                let number = Int.random(in: 0...4, using: &generator)
                if number < 4 { sections[number].append(item) }
            }
            if Bool.random(using: &generator) { sections[Int(seed % 4)] = [] }
            return sections.enumerated().filter { !$0.element.isEmpty }
                .map { ListSection(id: "section \($0.offset)", items: $0.element) }
                .shuffled(using: &generator)
        }
        let (before, after) = (random(), random())
        var script = ListScript()
        _ = script.change(.arrived, at: House.time(0), to: before)
        let size = Int.random(in: 1...4_000, using: &generator)
        var encoder = LineEncoder(.init(begin: .max, diff: size))
        var fold = LineFold()
        let begin = encoder.begin(.example(.device), sections: before, at: House.time(0))
        #expect(fold.take(try JSONValue(line: begin)) == nil)
        let update = script.change(.changed, at: House.time(1), to: after)
        for line in try split(encoder.update(update)) {
            let problem = fold.take(line)
            #expect(problem == nil)
        }
        #expect(fold.reads(as: after))
    }

    @Test func `a difference of 20,000 devices makes lines of a few MiB`() throws {
        let list = [ListSection(id: "local", items: devices(20_000))]
        var script = ListScript()
        var encoder = LineEncoder()
        var sizes: [Int] = []
        encoder.update(script.change(.arrived, at: House.time(0), to: list)) {
            sizes.append($0.count)
        }
        #expect(sizes.count < 10)
        #expect(sizes.allSatisfy { $0 < (4 << 20) + 2_000 })
        #expect(sizes.count { $0 > 4 << 20 } >= 1)
        let begin = encoder.begin(.example(.device), sections: list, at: House.time(0))
        #expect(begin.count { $0 == UInt8(ascii: "\n") } == 1)
    }

    @Test func `a list and a difference that are larger than the limit of an output are written`()
        async throws
    {
        let folder = try LinesFolder()
        let log = EventLog()
        let output = LineOutput(
            file: try OutputFile(path: folder.path()), limit: 1_000, retryInterval: .zero,
            onEvent: log.note)
        let list = [ListSection(id: "local", items: devices(200))]
        let reversed = [ListSection(id: "local", items: list[0].items.reversed())]
        var script = ListScript()
        _ = script.change(.arrived, at: House.time(0), to: list)
        output.begin(.example(.device), sections: list, at: House.time(0))
        // The writer's thread may have to catch up with the list first.
        while try folder.text().last != "\n" { await Task.yield() }
        output.update(script.change(.changed, at: House.time(1), to: reversed), list: reversed)
        #expect(await output.close(within: .seconds(60)) == nil)
        #expect(await log.rest().isEmpty)
        var fold = LineFold()
        for line in try folder.lines() { #expect(fold.take(line) == nil) }
        #expect(fold.reads(as: reversed))
    }
}
