// What is done with the selected row: copy, open, sign in, ask again.
import DiffCore
import FoundationEssentials
import PeerList
import TerminalList

extension PeerScreen {
    /// Asks what of the row to copy, and copies it.
    func chooseCopy() {
        guard let actions else { return }
        let copies = actions.copies
        choose("Copy", copies.map { ($0.label, $0.text) }) { [weak self] place in
            self?.ask(.copy(copies[place].text, what: copies[place].label))
        }
    }

    /// Asks which page of the row to open, and opens it.
    func chooseOpen() {
        guard let actions else { return }
        let links = actions.links
        guard !links.isEmpty else { return tell("\(rowName) has no address to open") }
        chooseCommand("Open", links.map { ($0.arguments.last ?? "", $0.label) }) {
            [weak self] place in self?.ask(.open(links[place].arguments))
        }
    }

    /// Shows the command with which to sign in, and runs it when it is chosen.
    func chooseShell() {
        guard let actions else { return }
        let logins = actions.logins
        guard !logins.isEmpty else { return tell("\(rowName) has no SSH service") }
        let commands = logins.map { ($0.arguments.joined(separator: " "), $0.label) }
        chooseCommand("Run", commands) { [weak self] place in
            self?.ask(.run(logins[place].arguments))
        }
    }

    /// Asks whether the selected row's device is there.
    func verify() {
        guard let row else { return tell("select a row first") }
        if case .departed = row { return tell("it has left") }
        let name = content.seen.device(of: row)?.peer.name
        guard let name else { return tell("it has left") }
        ask(.verify(content.seen.itemIDs(of: row), name: name))
    }

    /// Asks whether all devices that are shown are there.
    func verifyAll() {
        var ids: Set<UUID> = []
        for row in content.rows.snapshot.itemIdentifiers {
            if case .departed = row { continue }
            ids.formUnion(content.seen.itemIDs(of: row))
        }
        guard !ids.isEmpty else { return tell("there is nothing to verify") }
        ask(.verify(Array(ids), name: ids.count == 1 ? "1 row" : "\(ids.count) rows"))
    }

    /// The name of the device that actions are for.
    private var rowName: String {
        row.flatMap { content.seen.device(of: $0)?.peer.name } ?? "the row"
    }

    /// What is acted on: what the details in place of the list are of, else the selected row.
    private var row: RowID? {
        details?.place == .full ? details?.row : view.selectedItem
    }

    /// Has a command chosen, which must be seen whole.
    private func chooseCommand(
        _ title: String, _ commands: [(command: String, label: String)],
        then pick: @escaping (Int) -> Void
    ) {
        // The box has its sides, a cursor, and a space on each side.
        let room = size.columns - 8
        choose(title, commands.map { ($0.command, $0.label) }) { [weak self] place in
            guard commands[place].command.count <= room else {
                self?.tell("too long for this window to show it whole: make it wider", .caution)
                return
            }
            pick(place)
        }
    }

    private var actions: RowActions? {
        guard let row else {
            tell("select a row first")
            return nil
        }
        return RowActions(row, content.seen, content.history)
    }

    /// Has one of several things chosen, each with what it is exactly.
    private func choose(
        _ title: String, _ things: [(label: String, detail: String)],
        then pick: @escaping (Int) -> Void
    ) {
        let entries = things.enumerated().map { place, thing in
            Choices.Entry("\(place)", thing.label, detail: thing.detail)
        }
        guard !entries.isEmpty else { return tell("there is nothing to choose from") }
        view.choices = Choices(
            title, entries, onPick: { id in if let place = Int(id) { pick(place) } })
    }
}
