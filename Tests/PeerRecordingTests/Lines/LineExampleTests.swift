// Compares the examples of docs/json-lines.md with the encoder's output.
import DiffCore
import Foundation
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@Suite struct LineExampleTests {
    /// All that happens in the house, as lines.
    private func stream(_ grouping: Grouping) -> [[UInt8]] {
        var encoder = LineEncoder()
        var lines = [encoder.begin(House.header(grouping), at: House.time(0))]
        for step in House.steps(grouping) {
            switch step {
            case .update(let update, _): if let line = encoder.update(update) { lines.append(line) }
            case .notice(let notice): lines.append(encoder.notice(notice))
            }
        }
        return lines + [encoder.end(.finished, at: House.time(301))]
    }

    @Test(arguments: [(Grouping.device, "house.jsonl"), (.type, "house-by-type.jsonl")])
    func `the committed example is what the encoder writes`(
        grouping: Grouping, name: String
    ) throws {
        let file = docs.appending(path: "examples/\(name)")
        let written = Data(stream(grouping).joined())
        if ProcessInfo.processInfo.environment["PEERLIST_RECORD_SCREENS"] == "1" {
            try written.write(to: file)
        }
        let isSame = try Data(contentsOf: file) == written
        #expect(isSame, "PEERLIST_RECORD_SCREENS=1 writes docs/examples/\(name) anew")
    }

    @Test func `every line in the documentation is a line of an example`() throws {
        let text = try String(contentsOf: docs.appending(path: "json-lines.md"), encoding: .utf8)
        let shown = text.split(separator: "\n").filter { $0.hasPrefix("{\"type\":") }
        let written = Set(
            (stream(.device) + stream(.type)).map { String(decoding: $0.dropLast(), as: UTF8.self) }
        )
        #expect(shown.count >= 8)
        for line in shown { #expect(written.contains(String(line)), "\(line.prefix(80))") }
    }

    @Test(arguments: Grouping.allCases)
    func `the example folds to the list at every line`(grouping: Grouping) throws {
        var lines = stream(grouping)[...]
        var fold = LineFold()
        let first = fold.take(try JSONValue(line: lines.removeFirst()))
        #expect(first == nil)
        for step in House.steps(grouping) {
            if case .update(let update, _) = step, update.difference.isEmpty { continue }
            let problem = fold.take(try JSONValue(line: lines.removeFirst()))
            #expect(problem == nil)
            if case .update(_, let list) = step {
                let isRight = fold.reads(as: list)
                #expect(isRight)
            }
        }
    }
}

private let docs = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs")
