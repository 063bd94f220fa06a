// A program that shows invented rows, for trying the view in a real terminal.
import DiffCore
import Glibc
import TerminalList

/// Shows the number of rows in the first argument, in the theme of the second one; if there is a
/// third one, on the controlling terminal, and if that is a number, in so many lines.
@main @MainActor enum TerminalListDemo {
    static func main() async {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
        let theme = CommandLine.arguments.dropFirst(2).first.flatMap(Theme.named) ?? .standard
        let device =
            CommandLine.arguments.count > 3 ? TerminalDevice.controlling : .standardStreams
        do throws(TerminalError) {
            let height =
                CommandLine.arguments.dropFirst(3).first.flatMap { Int($0) }
                .map(ScreenHeight.lines) ?? .window
            let terminal = try Terminal(
                device: device, theme: theme, mouse: true, height: height)
            exit(await Demo(terminal: terminal, count: count).run())
        } catch {
            print("terminal-list-demo: \(error)")
            exit(1)
        }
    }
}
