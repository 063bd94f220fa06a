// A list of invented things that keys change, for trying the view in a real terminal.
import DiffCore
import Glibc
import TerminalList

/// Shows as many invented rows as the first argument says, in the theme that the second one names;
/// the help names the keys.
@main @MainActor enum TerminalListDemo {
    static func main() async {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
        let theme = CommandLine.arguments.dropFirst(2).first.flatMap(Theme.named) ?? .standard
        do throws(TerminalError) {
            let demo = Demo(terminal: try Terminal(theme: theme, mouse: true), count: count)
            exit(await demo.run())
        } catch {
            print("terminal-list-demo: \(error)")
            exit(1)
        }
    }
}
