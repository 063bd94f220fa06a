// Tests that written lines are read back into the list they describe.
import Foundation
import PeerModel
import PeerListTestSupport
import PeerRecording
import TestSupport
import Testing

@Suite struct RecordedListTests {
    /// The list as the bytes of a `begin`, in which every field counts.
    private func bytes(_ sections: [ListSection], _ grouping: Grouping) -> [UInt8] {
        var encoder = LineEncoder()
        return encoder.begin(.example(grouping), sections: sections, at: House.time(0))
    }

    private func take(
        _ line: [UInt8], _ list: inout RecordedList, _ grouping: Grouping
    ) throws {
        try list.apply(RecordedLine(line, grouping: grouping))
    }

    @Test(arguments: seeds(60), Grouping.allCases)
    func `folding the written lines gives the list at every line`(
        seed: UInt64, grouping: Grouping
    ) throws {
        var random = RandomList(seed: seed, grouping: grouping)
        var encoder = LineEncoder()
        var list = RecordedList()
        try take(encoder.begin(.example(grouping), at: House.time(0)), &list, grouping)
        for _ in 0..<25 {
            let update = random.change()
            guard let line = encoder.update(update) else { continue }
            try take(line, &list, grouping)
            let isSame = bytes(list.listSections, grouping) == bytes(random.sections, grouping)
            #expect(isSame, "line \(list.count)")
            #expect(list.time == update.items.time)
        }
        #expect(list.header == .example(grouping))
    }

    @Test(arguments: seeds(20), Grouping.allCases)
    func `a begin with a list is read whole`(seed: UInt64, grouping: Grouping) throws {
        var random = RandomList(seed: seed, grouping: grouping)
        for _ in 0..<20 { _ = random.change() }
        var list = RecordedList()
        try take(bytes(random.sections, grouping), &list, grouping)
        let isSame = bytes(list.listSections, grouping) == bytes(random.sections, grouping)
        #expect(isSame)
    }

    @Test func `unknown members are skipped, and members can be in any order`()
        throws
    {
        let line = """
            {"sections":[{"new":1,"items":[],"id":"local"}],"groupBy":"device","extra":[{"a":null}],\
            "backend":"daemon","filter":{"types":["_ssh._tcp"],"family":"ipv6","more":2},\
            "observer":{"id":"\(House.header(.device).observerID)","host":"h1.local"},\
            "run":"\(House.header(.device).run)","version":1,"time":"2026-11-21T08:30:00.000000Z",\
            "seq":0,"type":"begin"}
            """
        var list = RecordedList()
        try take(Array(line.utf8), &list, .type)
        #expect(list.listSections == [ListSection(id: "local", items: [])])
        #expect(list.header?.filter.family == .ipv6)
        #expect(list.header?.filter.types == ["_ssh._tcp"])
        #expect(list.header?.observerHost == "h1.local")
    }

    @Test func `a filter of kinds is written, and read`() throws {
        var header = House.header(.device)
        header.filter.kinds = [.printer, .mediaPlayer]
        var encoder = LineEncoder()
        let line = encoder.begin(header, at: House.time(0))
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains(#""filter":{"types":[],"kinds":["printer","media-player"]}"#))
        var list = RecordedList()
        try take(line, &list, .device)
        #expect(list.header == header)
    }

    @Test
    func `a notice can change the backend`()
        throws
    {
        var encoder = LineEncoder()
        var list = RecordedList()
        try take(encoder.begin(.example(.device), at: House.time(0)), &list, .device)
        #expect(list.header?.backend == "daemon")
        let handOver = Notice(.backendBack, "other", backend: .embedded, time: House.time(1))
        let line = encoder.notice(handOver)
        #expect(try RecordedLine(line, grouping: .device).notice == handOver)
        try take(line, &list, .device)
        #expect(list.header?.backend == "embedded")

        let old = Notice(.backendBack, "back", time: House.time(2))
        let oldLine = encoder.notice(old)
        #expect(!String(decoding: oldLine, as: UTF8.self).contains("backend\":"))
        try take(oldLine, &list, .device)
        #expect(list.header?.backend == "embedded")
    }

    /// Each changes one thing in a line that fits, so that it fits no more; a failure names its words.
    @Test(arguments: [
        (
            #""op":"insert-section","section":"local","at":0"#,
            #""op":"insert-section","section":"local","at":7"#, "cannot come to 7"
        ),
        (
            #""op":"insert","section":"local","at":0"#, #""op":"insert","section":"local","at":-1"#,
            "no place -1"
        ),
        (
            #""op":"insert","section":"local""#, #""op":"insert","section":"nowhere""#,
            "no section nowhere"
        ),
        (#""seq":1"#, #""seq":2"#, "line 1 was expected"),
    ])
    func `an inconsistent line is refused`(was: String, now: String, reason: String) throws {
        var lines = try houseLines()
        lines[1] = lines[1].replacing(was, with: now)
        var list = RecordedList()
        try take(Array(lines[0].utf8), &list, .device)
        let error = #expect(throws: LineError.self) {
            try take(Array(lines[1].utf8), &list, .device)
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func `random faults in a recording give an error or a list`() throws {
        let lines = try houseLines().map { Array($0.utf8) }
        for seed in 0..<1000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var list = RecordedList()
            var harmed = 0
            for line in lines {
                var line = line
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    let place = Int.random(in: 0..<line.count, using: &generator)
                    line[place] = UInt8.random(in: 0...255, using: &generator)
                    harmed += 1
                }
                do {
                    try list.apply(RecordedLine(line, grouping: .device))
                } catch {
                    #expect(harmed > 0, "seed \(seed): \(error)")
                    break
                }
                let sections = list.listSections
                #expect(sections.reduce(0) { $0 + $1.items.count } == list.count, "seed \(seed)")
            }
        }
    }
}

/// The lines of the committed example.
func houseLines(_ grouping: Grouping = .device) throws -> [String] {
    let name = grouping == .device ? "house.jsonl" : "house-by-type.jsonl"
    return try String(contentsOf: examples.appending(path: name), encoding: .utf8)
        .split(separator: "\n").map(String.init)
}

private let examples = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/examples")
