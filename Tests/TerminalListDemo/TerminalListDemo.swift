// A program that shows invented rows, for trying the view in a real terminal.
import DiffCore
import Glibc
import TerminalList

/// Shows the number of rows in the first argument, in the theme of the second one.
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
