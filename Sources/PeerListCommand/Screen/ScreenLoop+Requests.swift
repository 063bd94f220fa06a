// What the screen asks for, done at the terminal, beside it and in the network.
import FoundationEssentials
import PeerList
import TerminalList

extension ScreenLoop {
    /// Does what the screen asks for, and tells it what came of it.
    func carryOut(_ request: ScreenRequest) {
        switch request {
        case .copy(let text, let what): copy(text, what)
        case .run(let command): Task { await run(command) }
        case .open(let command): Task { await open(command) }
        case .verify(let items, let name): verify(items, name)
        case .paths(let items, let row): findPaths(of: items, row)
        }
    }

    private func copy(_ text: String, _ what: String) {
        switch terminal.copy(text) {
        case .sent: screen.tell("copied: \(what)", .good)
        case .tried: screen.tell("given to tmux to copy: \(what)", .good)
        case .unsupported:
            screen.tell("this terminal does not say that it can copy (OSC 52)", .caution)
        case .tooLong: screen.tell("too long to copy", .caution)
        }
    }

    private func run(_ command: [String]) async {
        do throws(TerminalError) {
            let status = try await terminal.run(
                command, saying: command.joined(separator: " "), waitsAfterFailure: true)
            if status != 0 { screen.tell("\(command[0]) ended with status \(status)", .caution) }
        } catch {
            screen.tell("\(command[0]): \(error)", .bad)
        }
        wake()
    }

    private func open(_ command: [String]) async {
        screen.tell("given to \(command[0])", .good)
        do throws(TerminalError) {
            let status = try await Terminal.runApart(command)
            if status != 0 { screen.tell("\(command[0]) ended with status \(status)", .caution) }
        } catch {
            screen.tell("\(command[0]): \(error)", .bad)
        }
        wake()
    }

    private func verify(_ items: [UUID], _ name: String) {
        guard let session else { return screen.tell("nobody can be asked here", .caution) }
        screen.tell("asking \(name)")
        session.verify(items) { [weak self] answer in
            Task { @MainActor in
                self?.tell(answer, name)
                self?.wake()
            }
        }
    }

    private func findPaths(of items: [UUID], _ row: RowID) {
        session?.paths(items) { [weak self] paths in
            Task { @MainActor in
                self?.screen.take(paths, of: row)
                self?.wake()
            }
        }
    }

    private func tell(_ answer: Verification, _ name: String) {
        switch answer {
        case .answered(let count, let all):
            let services = all == 1 ? "" : " for \(count) of \(all) services"
            screen.tell("\(name) answers\(services)", .good)
        case .unanswered: screen.tell("\(name) does not answer", .bad)
        case .unavailable(let reason): screen.tell("\(name) was not asked: \(reason)", .caution)
        }
    }
}
