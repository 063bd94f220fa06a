// The screen with the devices of the scene.
import PeerListTestSupport
import Testing

@testable import PeerListCommand

@MainActor @Suite struct SceneScreenTests {
    @Test func `ten devices, of which one left and returned and one does not respond`() throws {
        let driven = DrivenScreen(columns: 100, rows: 20, steps: Scene.steps)
        driven.live(until: 120)
        try expectCommitted(driven.text, "scene-departed.txt")
        driven.live(until: 250)
        try expectCommitted(driven.text, "scene.txt")
    }
}
