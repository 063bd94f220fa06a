// An example's list, driven by keys and drawn at times that the test chooses.
import Glibc
import LabSupport
import TerminalList
import Testing

/// An example's list without a terminal.
@MainActor final class DrivenList<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    private let view: TerminalListView<Section, Item>
    /// The owner, which the view's closures refer to without retaining it.
    private let example: AnyObject
    private var now = ContinuousClock.now

    /// Creates the list of an example and draws it once.
    init<Example: AnyObject>(
        _ example: Example, _ view: KeyPath<Example, TerminalListView<Section, Item>>
    ) {
        self.example = example
        self.view = example[keyPath: view]
        draw()
    }

    /// Presses keys and draws after each, like the event loop.
    func press(_ keys: Key...) {
        for key in keys {
            _ = view.handle(key)
            draw()
        }
    }

    /// Types a text.
    func type(_ text: String) { for character in text { press(.character(character)) } }

    /// Lets all marks and departed rows expire.
    func settle() {
        for _ in 0..<2 {
            now += .seconds(10)
            draw()
        }
    }

    @discardableResult
    func draw(_ columns: Int = 80, _ rows: Int = 24) -> String {
        view.frame(size: FrameSize(columns: columns, rows: rows), now: now).text
    }

    /// The lines between the column titles and the last line that are not empty.
    var lines: [String] {
        draw().split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).dropLast()
            .filter { !$0.isEmpty }.map(String.init)
    }

    /// Compares the screen with the golden one in Screens/.
    ///
    /// With RECORD_SCREENS in the environment the golden screen is recorded, and the test fails.
    func expectScreen(
        _ name: String, columns: Int = 80, rows: Int = 24,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let path = "\(BuiltProducts.package)/Tests/ExamplesTests/Screens/\(name).txt"
        let text = draw(columns, rows) + "\n"
        if unsafe getenv("RECORD_SCREENS") != nil {
            try TextFile.write(text, to: path)
            Issue.record("recorded \(name)", sourceLocation: location)
            return
        }
        #expect(try TextFile.read(path) == text, sourceLocation: location)
    }
}
