// Texts that are committed beside the tests, and compared with what the program says.
import Foundation
import Testing

/// Expects `text` to be what the folder `Screens` of a test target, the caller's or a named one, holds under `name`.
///
/// With `PEERLIST_RECORD_SCREENS=1` in the environment the file is written
/// instead, and the change shows in review.
package func expectCommitted(
    _ text: String, _ name: String, of other: String? = nil, in file: String = #filePath
) throws {
    var target = URL(filePath: file).deletingLastPathComponent()
    while target.deletingLastPathComponent().lastPathComponent != "Tests" {
        target.deleteLastPathComponent()
    }
    if let other { target = target.deletingLastPathComponent().appending(path: other) }
    let file = target.appending(path: "Screens/\(name)")
    if ProcessInfo.processInfo.environment["PEERLIST_RECORD_SCREENS"] == "1" {
        try Data(text.utf8).write(to: file)
    }
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(text == committed, "\(changedLines(of: text, since: committed))")
}

/// The lines that differ, as a short log has no place for two texts.
private func changedLines(of text: String, since committed: String) -> String {
    let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
    return lines(text).difference(from: lines(committed)).prefix(20).map { change in
        switch change {
        case .insert(let index, let line, _): "\n+\(index + 1) \(line)"
        case .remove(let index, let line, _): "\n-\(index + 1) \(line)"
        }
    }.joined()
}
