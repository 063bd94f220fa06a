// Tests of the Wi-Fi settings example.
import TerminalList
import TestSupport
import Testing

@testable import WiFiSettings

@MainActor @Suite struct WiFiSettingsTests {
    private func settings() -> WiFiSettings { WiFiSettings(generator: SeededGenerator(seed: 1)) }

    @Test func `the switch and the networks in range`() throws {
        let list = DrivenList(settings(), \.view)
        try list.expectScreen("wifi-settings-80x24")
        try list.expectScreen("wifi-settings-40x10", columns: 40, rows: 10)
    }

    @Test func `the switch removes and restores the section of networks`() throws {
        let list = DrivenList(settings(), \.view)
        list.press(.enter)
        #expect(list.lines.contains { $0.hasPrefix(" - Attic") })
        list.settle()
        #expect(list.lines.map { $0.prefix(8) } == [">  Wi-Fi"])
        #expect(list.lines[0].contains("off"))
        list.press(.character("w"))
        #expect(list.lines.contains("Networks"))
        #expect(list.lines.contains { $0.hasPrefix(" + Attic") })
    }

    @Test func `a joined network moves to the settings with the selection`() throws {
        let settings = settings()
        let list = DrivenList(settings, \.view)
        list.press(.down, .down, .enter)
        #expect(settings.view.selectedItem == .network("Café guests"))
        try list.expectScreen("wifi-settings-joined-80x24")
        list.press(.enter)
        list.settle()
        #expect(
            list.lines.map { $0.prefix(8) }.prefix(4) == [
                "   Wi-Fi", "Networks", "   Attic", ">  Café ",
            ])
    }

    @Test func `networks arrive and depart, and signals change`() throws {
        let settings = settings()
        let list = DrivenList(settings, \.view)
        for _ in 0..<4 {
            settings.step()
            list.draw()
        }
        let signs = Set(list.lines.map { $0.dropFirst().prefix(1) })
        #expect(signs.isSuperset(of: ["+", "-", "~"]))
        try list.expectScreen("wifi-settings-later-80x24")
    }

    @Test func `nothing changes while Wi-Fi is off`() {
        let settings = settings()
        let list = DrivenList(settings, \.view)
        list.press(.character("w"))
        list.settle()
        for _ in 0..<50 { settings.step() }
        #expect(list.lines.count == 1)
    }

    @Test(arguments: 1...5)
    func `a joined network always stays`(seed: UInt64) {
        let settings = WiFiSettings(generator: SeededGenerator(seed: seed))
        let list = DrivenList(settings, \.view)
        list.press(.down, .enter)
        for _ in 0..<40 {
            settings.step()
            #expect(list.lines[1].contains("joined"))
        }
    }
}
