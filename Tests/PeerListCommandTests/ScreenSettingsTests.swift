// What options and the file of settings come to together.
import LabSupport
import TerminalList
import Testing

@testable import PeerListCommand

@Suite struct ScreenSettingsTests {
    private func settings(
        _ options: ScreenOptions = ScreenOptions(), _ config: Config = Config(),
        allowsColor: Bool = true
    ) -> ScreenSettings {
        ScreenSettings(
            options, config, charset: .unicode, environmentAllowsColor: allowsColor)
    }

    @Test(arguments: [
        (ScreenOptions.Color.auto, true, true), (.auto, false, false), (.always, false, true),
        (.never, true, false),
    ])
    func `an option says more than the environment`(
        color: ScreenOptions.Color, allowed: Bool, used: Bool
    ) {
        #expect(settings(ScreenOptions(color: color), allowsColor: allowed).usesColor == used)
    }

    @Test func `colours of the settings go with their theme, and not with that of an option`() {
        let config = Config(
            keymap: ["search": [.function(3)]], colors: [.good: Theme.Look(.palette(39))],
            theme: "bright")
        #expect(settings().theme == .standard)
        var both = Theme.bright
        both[.good] = Theme.Look(.palette(39))
        #expect(settings(ScreenOptions(), config).theme == both)
        let chosen = settings(ScreenOptions(theme: "mono"), config)
        #expect(chosen.theme == .mono)
        #expect(chosen.keymap == config.keymap)
    }

    @Test func `ASCII is what an option makes of any locale`() {
        #expect(settings().charset == .unicode)
        #expect(settings(ScreenOptions(isASCII: true)).charset == .ascii)
    }
}

/// A real terminal, in which the command is refused before anything begins.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"))
struct SettingsInTerminalTests {
    private func said(by command: String, environment: String) async throws -> String {
        let window = try await ShellWindow(columns: 100, rows: 24, environment: environment)
        try await window.run("\(command); echo status $?")
        let screen = try await window.wait { $0.contains(/status [0-9]/) }
        await window.close()
        return screen
    }

    @Test func `wrong settings are refused, with their place`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("[keys]\nsearch = xy\n", to: "peerlist/config")
        let environment = "XDG_CONFIG_HOME=\(directory.path)"
        for words in ["", "replay none.jsonl"] {
            let screen = try await said(
                by: "\(BuiltProducts.peerlist) \(words)", environment: environment)
            #expect(screen.contains("config:2:10: 'xy' is not a key"))
            #expect(screen.contains("status 2"))
        }
        // Where no list is shown, settings are not read.
        let screen = try await said(
            by: "\(BuiltProducts.peerlist) replay --json none.jsonl", environment: environment)
        #expect(!screen.contains("is not a key"))
        await directory.remove()
    }
}
