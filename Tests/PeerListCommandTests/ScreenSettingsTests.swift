// The combination of options and the file of settings.
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
    func `the option --color overrides NO_COLOR`(
        color: ScreenOptions.Color, allowed: Bool, used: Bool
    ) {
        #expect(settings(ScreenOptions(color: color), allowsColor: allowed).usesColor == used)
    }

    @Test func `colours of the settings are used with their theme, not with that of an option`() {
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

    @Test func `the option --ascii overrides the locale`() {
        #expect(settings().charset == .unicode)
        #expect(settings(ScreenOptions(isASCII: true)).charset == .ascii)
    }
}

/// Errors of the settings, in a real terminal.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"))
struct SettingsInTerminalTests {
    private func screen(of command: String, environment: String) async throws -> String {
        let window = try await ShellWindow(columns: 100, rows: 24, environment: environment)
        try await window.run("\(command); echo status $?")
        let screen = try await window.wait { $0.contains(/status [0-9]/) }
        await window.close()
        return screen
    }

    @Test func `an error in the settings is reported with its position`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("[keys]\nsearch = xy\n", to: "peerlist/config")
        let environment = "XDG_CONFIG_HOME=\(directory.path)"
        for words in ["", "replay none.jsonl"] {
            let screen = try await screen(
                of: "\(BuiltProducts.peerlist) \(words)", environment: environment)
            #expect(screen.contains("config:2:10: 'xy' is not a key"))
            #expect(screen.contains("status 2"))
        }
        // Without a list on the screen, settings are not read.
        let screen = try await screen(
            of: "\(BuiltProducts.peerlist) replay --json none.jsonl", environment: environment)
        #expect(!screen.contains("is not a key"))
        await directory.remove()
    }
}
