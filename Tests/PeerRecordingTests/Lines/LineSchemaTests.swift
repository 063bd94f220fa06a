// Validates lines with the JSON Schema.
import Foundation
import PeerModel
import PeerRecording
import Testing

@Suite(.timeLimit(.minutes(10))) struct LineSchemaTests {
    /// The validator's output for lines: their number alone if all are valid.
    private func verdict(_ lines: [UInt8]) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = root.appending(path: "Tests/Schema/validate")
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(lines))
        try input.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    private func example(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appending(path: "docs/examples/\(name)")))
    }

    @Test(arguments: ["house.jsonl", "house-by-type.jsonl"])
    func `the examples are valid under the schema`(name: String) throws {
        let (status, text) = try verdict(example(name))
        #expect(status == 0, "\(text)")
    }

    @Test func `a line of each type is valid under the schema`() throws {
        let lines = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: "docs/examples/lines"), includingPropertiesForKeys: nil)
        #expect(lines.count == 10)
        let (status, text) = try verdict(lines.flatMap { Array(try Data(contentsOf: $0)) })
        #expect(status == 0, "\(text)")
    }

    @Test(arguments: Grouping.allCases)
    func `the lines of random changes are valid under the schema`(grouping: Grouping) throws {
        var lines: [UInt8] = []
        for seed in 0..<20 as Range<UInt64> {
            var list = RandomList(seed: seed, grouping: grouping)
            var encoder = LineEncoder()
            lines += encoder.begin(.example(grouping), at: Timestamp(microseconds: 0))
            for _ in 0..<20 { lines += encoder.update(list.change()) ?? [] }
            lines += encoder.begin(
                .example(grouping), sections: list.sections, at: Timestamp(microseconds: 0))
        }
        let (status, text) = try verdict(lines)
        #expect(status == 0, "\(text.prefix(2000))")
    }

    @Test func `every notice and every end is valid under the schema`() throws {
        var encoder = LineEncoder()
        var lines: [UInt8] = []
        for code in Notice.Code.allCases {
            lines += encoder.notice(Notice(code, "something", time: .now()))
            lines += encoder.notice(Notice(code, "something", backend: .embedded, time: .now()))
        }
        for reason in LineEncoder.EndReason.allCases { lines += encoder.end(reason, at: .now()) }
        let (status, text) = try verdict(lines)
        #expect(status == 0, "\(text)")
    }

    /// The schema would be worth nothing if it let these pass.
    @Test(arguments: [
        (#""port":22"#, #""port":70000"#), (#""self":true"#, #""self":1"#),
        (#""host":"anna.local""#, #""hostname":"anna.local""#), (#""at":0"#, #""at":-1"#),
        (#""cause":"arrived""#, #""cause":"came""#), (#""op":"insert""#, #""op":"put""#),
        (#""presence":"present""#, #""presence":"here""#), (#"00Z""#, #"Z""#),
        (#""seq":1,"#, ""), (#""changes":["#, #""changed":["#),
    ])
    func `the schema rejects an invalid line`(was: String, now: String) throws {
        let lines = String(decoding: try example("house.jsonl"), as: UTF8.self)
        let (status, _) = try verdict(Array(lines.replacing(was, with: now).utf8))
        #expect(status == 1)
    }
}

private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
