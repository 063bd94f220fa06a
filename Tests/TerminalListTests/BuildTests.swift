// The target is there and can be imported.
import Testing
@testable import TerminalList

@Suite struct BuildTests {
    @Test func `the test runner runs`() { #expect(Bool(true)) }
}
