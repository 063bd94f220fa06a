// Tests the jq program of the documentation, which folds lines to the list.
import Foundation
import PeerModel
import PeerRecording
import Testing

@Suite(.enabled(if: jq != nil, "jq is not installed")) struct JQFoldTests {
    @Test(arguments: 0..<8 as Range<UInt64>, Grouping.allCases)
    func `jq folds the lines to the list`(seed: UInt64, grouping: Grouping) throws {
        var list = RandomList(seed: seed, grouping: grouping)
        var encoder = LineEncoder()
        var lines = encoder.begin(.example(grouping), at: Timestamp(microseconds: 0))
        for _ in 0..<40 { lines += encoder.update(list.change()) ?? [] }

        let folded = try JSONValue(line: try fold(lines)).array
        #expect(folded.map { $0["id"].text } == list.sections.map(\.id))
        for (section, expected) in zip(folded, list.sections) {
            let isSame = section["items"].array.isExactly(expected.items.map(\.expected))
            #expect(isSame, "section \(expected.id)")
        }
    }

    /// The output of jq for the lines.
    private func fold(_ lines: [UInt8]) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/examples").standardizedFileURL
        let input = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(lines).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        let process = Process()
        let output = Pipe()
        process.executableURL = jq
        process.arguments = ["-n", "-c", "-f", folder.appending(path: "fold.jq").path, input.path]
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return Array(text)
    }
}

private let jq: URL? = ["/usr/bin/jq", "/usr/local/bin/jq"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}.map { URL(filePath: $0) }
