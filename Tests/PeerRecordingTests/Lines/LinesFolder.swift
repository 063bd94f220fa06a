// A temporary folder for files of lines.
import Foundation
import PeerModel
import PeerRecording

/// A folder that is removed with this object.
final class LinesFolder: Sendable {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "peerlist-lines-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of a file in the folder.
    func path(_ name: String = "lines") -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }

    /// The names in the folder, in order.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path("")).sorted()
    }

    /// The lines of a file.
    func lines(_ name: String = "lines") throws -> [JSONValue] {
        try text(name).split(separator: "\n").map { try JSONValue(line: Array($0.utf8)) }
    }

    /// Writes a file in the folder.
    func write(_ text: String, to name: String = "lines") throws {
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    }

    /// The text of a file.
    func text(_ name: String = "lines") throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }
}
