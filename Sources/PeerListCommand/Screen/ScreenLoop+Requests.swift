// What the screen asks for, done at the terminal, beside it and in the network.
import FoundationEssentials
import PeerList
import TerminalList

extension ScreenLoop {
    /// Does what the screen asks for, and tells it what came of it.
    func carryOut(_ request: ScreenRequest) {
        switch request {
        case .copy(let text, let what): Task { await copy(text, what) }
        case .run(let command): Task { await run(command) }
        case .open(let command): Task { await open(command) }
        case .verify(let items, let name): verify(items, name)
        case .sightings(let items, let row): findSightings(of: items, row)
        }
    }

    private func copy(_ text: String, _ what: String) async {
        switch await terminal.copy(text) {
        case .sent: screen.tell("sent to the terminal: \(what) \(text)", .good)
        case .buffered: screen.tell("in tmux's buffer: \(what) \(text)", .good)
        case .unsupported:
            screen.tell("this terminal does not say that it can copy (OSC 52): \(text)", .caution)
        case .tooLong: screen.tell("too long to copy", .caution)
        }
        wake()
    }

    private func run(_ command: [String]) async {
        do throws(TerminalError) {
            let status = try await terminal.run(
                command, printing: command.joined(separator: " "), waitsAfterFailure: true)
            if status != 0 { screen.tell("\(command[0]) ended with status \(status)", .caution) }
        } catch {
            screen.tell("\(error)", .bad)
        }
        wake()
    }

    private func open(_ command: [String]) async {
        screen.tell("given to \(command[0])", .good)
        do throws(TerminalError) {
            let status = try await Terminal.runInBackground(command)
            if status != 0 { screen.tell("\(command[0]) ended with status \(status)", .caution) }
        } catch {
            screen.tell("\(error): \(command.last ?? "") (c copies it)", .bad)
        }
        wake()
    }

    private func verify(_ items: [UUID], _ name: String) {
        guard let session else {
            return screen.tell("nothing can be verified in a recording", .caution)
        }
        screen.tell("verifying \(name)")
        session.verify(items) { [weak self] answer in
            Task { @MainActor in
                self?.tell(answer, items, name)
                self?.wake()
            }
        }
    }

    private func findSightings(of items: [UUID], _ row: RowID) {
        session?.sightings(items) { [weak self] sightings in
            Task { @MainActor in
                self?.screen.take(sightings, of: row)
                self?.wake()
            }
        }
    }

    private func tell(_ answer: Verification, _ items: [UUID], _ name: String) {
        switch answer {
        case .answered(let count, let all):
            let services = all == 1 ? "" : " for \(count) of \(all) services"
            screen.tell("\(name) \(items.count == 1 ? "answers" : "answer")\(services)", .good)
        case .unanswered:
            screen.tell("\(name) \(items.count == 1 ? "does" : "do") not answer", .bad)
        case .unavailable(let reason): screen.tell("\(name) not verified: \(reason)", .caution)
        }
    }
}
