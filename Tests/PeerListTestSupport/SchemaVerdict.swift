// The validator of the JSON Schemas.
import Foundation

/// Returns whether lines of a kind conform to its schema, and what the validator says.
package func schemaVerdict(_ lines: String, of kind: String) throws -> (isGood: Bool, text: String)
{
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let process = Process()
    process.executableURL = root.appending(path: "Tests/Schema/validate")
    process.arguments = ["--of", kind]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
    try input.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus == 0, String(decoding: text, as: UTF8.self))
}
