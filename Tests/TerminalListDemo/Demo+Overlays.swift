// The demo's overlays, and the programs that it runs.
import TerminalList

extension Demo {
    var overlayBindings: [KeyBinding] {
        [
            binding("/", "mark a text", hint: "search") { [self] in search() },
            binding("t", "choose kinds") { [self] in choose() },
            KeyBinding([.enter], name: "details", "details of the row") { [self] in
                showDetails(.full)
            },
            binding("p", "details beside the list") { [self] in showDetails(.side) },
            KeyBinding([.tab], name: "pane", "switch to the pane and back", action: .switchFocus),
            binding("y", "copy the row's name") { [self] in copy() },
            binding("s", "run a program that asks something") { [self] in
                lend([
                    "sh", "-c", "echo in the child; read answer; echo got $answer; exit 7",
                ])
            },
            binding("P", "run a program with strange words") { [self] in
                lend(["printf", "<%s>\\n", "$(echo no) 'shell' ; | reads \u{1b}"])
            },
            binding("F", "run a program that fails") { [self] in
                lend(["sh", "-c", "echo it went wrong; exit 3"], waiting: .afterFailure)
            },
            binding("N", "run a missing program") { [self] in lend(["no-such-program"]) },
            binding("c", "show a strip above the list") { [self] in
                let bars = Sparkline.text([0, 1, 5, 0, 40], charset: view.charset)
                view.strip = [[.init("+ " + bars), .init(" \u{1b}]0;owned\u{7}")]]
            },
        ]
    }

    private func search() {
        view.prompt = TextPrompt("/") { [view] text in
            view.highlight = { field in
                guard !text.isEmpty, let start = field.firstRange(of: text) else { return [] }
                return [start]
            }
        } onEnd: { [view] accepted in
            if !accepted { view.highlight = nil }
        }
    }

    private func choose() {
        let entries = (0..<8).map { number in
            Choices.Entry("\(number)", Things.name(of: number), detail: "\(number)", isOn: true)
        }
        view.choices = Choices("Kinds\u{1b}]0;owned\u{7}", entries) { [view] ids, isOn in
            view.show(message: ids.joined(separator: " ") + (isOn ? " on" : " off"))
        }
    }

    private func showDetails(_ placement: TextPane.Placement) {
        guard let item = view.selectedItem else { return }
        let lines = (0..<40).map { line in
            TextPane.Line([.init("\(line)  "), .init(Things.name(of: item + line))], id: "\(line)")
        }
        view.pane = TextPane("\(item)", Things.name(of: item), lines, placement: placement)
    }

    private func copy() {
        let name = view.selectedItem.map(Things.name(of:)) ?? ""
        Task { view.show(message: "copy: \(await terminal.copy(name))") }
    }

    private func lend(_ command: [String], waiting wait: Terminal.WaitForEnter = .never) {
        Task {
            do throws(TerminalError) {
                let status = try await terminal.run(
                    command, printing: "$ " + command.joined(separator: " "),
                    waiting: wait)
                view.show(message: "status \(status)")
            } catch {
                view.show(message: "\(error)", tone: .bad)
            }
        }
    }
}
