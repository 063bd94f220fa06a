// The target is there and can be imported.
import Testing
@testable import PeerList

@Suite struct BuildTests {
    @Test func `the test runner runs`() { #expect(Bool(true)) }
}
