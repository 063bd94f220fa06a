// A temporary folder with recordings.
import Foundation
import PeerRecording

/// A folder that goes with the test.
package final class RecordingFolder {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "peerlist-recordings-\(UUID().uuidString)")

    /// Where it is, with a slash at the end.
    package var path: String { folder.path(percentEncoded: false) + "/" }

    package init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Makes a recording of these lines; returns where it is.
    package func file(_ name: String, _ lines: some Sequence<String>) throws -> String {
        try file(name, text: lines.map { $0 + "\n" }.joined())
    }

    /// Makes a file of this text; returns where it is.
    package func file(_ name: String, text: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return path + name
    }
}
