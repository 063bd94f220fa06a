// Comparison of frames with the golden screens in Screens/.
import Glibc
import LabSupport
import TerminalList
import Testing

/// A golden screen.
enum Screen {
    private static let folder = String(#filePath.dropLast("Screen.swift".count)) + "Screens/"

    /// Compares a frame with a golden screen. With RECORD_SCREENS in the environment the golden
    /// screen is recorded, and the test fails.
    static func expect(
        _ frame: Frame, is name: String, location: SourceLocation = #_sourceLocation
    ) throws {
        let path = folder + name + ".txt"
        if unsafe getenv("RECORD_SCREENS") != nil {
            try TextFile.write(frame.text + "\n", to: path)
            Issue.record("recorded \(name)", sourceLocation: location)
            return
        }
        #expect(try TextFile.read(path) == frame.text + "\n", sourceLocation: location)
    }
}
