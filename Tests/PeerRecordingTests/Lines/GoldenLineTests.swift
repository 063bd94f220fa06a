// Compares a committed line of each type with the encoder, the reader and the schema.
import Foundation
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@Suite struct GoldenLineTests {
    private static let operations = [
        "insert", "delete", "update", "move", "insert-section", "delete-section", "move-section",
    ]
    private static let kinds = ["begin", "notice", "end"] + operations

    /// The first line of the kind that is written of what happens in the house, and then once more with its sections turned round.
    private func line(of kind: String) throws -> [UInt8] {
        let mark = Self.operations.contains(kind) ? #""op":"\#(kind)""# : #""type":"\#(kind)""#
        var encoder = LineEncoder()
        var lines = (House.lines() + House.lines(.type)).map { Array($0.utf8) + [0x0A] }
        var script = ListScript()
        let sections = ["_ipp._tcp", "_ssh._tcp"].map { ListSection(id: $0, items: []) }
        lines.append(encoder.begin(House.header(.type), at: House.time(0)))
        for list in [sections, sections.reversed()] {
            let update = script.change(.changed, reason: .removed, at: House.time(1), to: list)
            let line = encoder.update(update)
            lines.append(try #require(line))
        }
        lines.append(encoder.end(.finished, at: House.time(2)))
        let first = lines.first { String(decoding: $0, as: UTF8.self).contains(mark) }
        return try #require(first)
    }

    @Test(arguments: kinds) func `the committed line is what the encoder writes`(kind: String)
        throws
    {
        let written = Data(try line(of: kind))
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/examples/lines/\(kind).jsonl").standardizedFileURL
        if ProcessInfo.processInfo.environment["PEERLIST_RECORD_SCREENS"] == "1" {
            try written.write(to: file)
        }
        let golden = try Data(contentsOf: file)
        #expect(golden == written, "PEERLIST_RECORD_SCREENS=1 writes \(kind).jsonl anew")
        // The first ones are of devices, where such are.
        let readings = Grouping.allCases.map { grouping in
            Result { try RecordedLine(Array(golden), grouping: grouping) }
        }
        #expect(readings.contains { (try? $0.get()) != nil })
    }
}
