// The actions on the selected row: verifying, labelling, copying, opening, and commands.
import DiffCore
import FoundationEssentials
import PeerLedger
import PeerModel
import PeerText
import TerminalList

/// The actions on the selected row, or on that of the details in place of the list.
@MainActor final class SelectedRowActions {
    /// The actions of the settings.
    private let custom: [CustomAction]

    private let view: TerminalListView<String, RowID>
    private let content: RowContent
    private let details: DetailsPane
    private let request: (ScreenRequest) -> Void

    init(
        _ custom: [CustomAction], _ view: TerminalListView<String, RowID>, _ content: RowContent,
        _ details: DetailsPane, request: @escaping (ScreenRequest) -> Void
    ) {
        self.custom = custom
        (self.view, self.content, self.details) = (view, content, details)
        self.request = request
    }

    private func show(_ message: String, _ tone: Style.Tone = .plain) {
        view.show(message: message, tone: tone)
    }

    private func name(of row: RowID) -> String? { content.seen.device(of: row)?.peer.displayName }

    func verify() {
        guard let row = details.actionRow else { return show("select a row first") }
        guard let device = content.seen.device(of: row)?.peer else {
            return show("the device has departed")
        }
        let items = content.seen.itemIDs(of: row)
        let item = RowItem(device: device.id, service: row.service)
        request(.verify(items, name: device.displayName, item))
    }

    /// Prompts for a label of the selected device.
    func label() {
        guard let row = details.actionRow else { return show("select a row first") }
        guard let peer = content.seen.device(of: row)?.peer else {
            return show("the device has departed")
        }
        guard peer.isResolved else { return show("the host of the service is not known yet") }
        var text = peer.label ?? ""
        view.prompt = TextPrompt("Label of \(peer.name): ", text: text) {
            text = $0
        } onEnd: { [weak self] isAccepted in
            guard isAccepted, text != peer.label ?? "" else { return }
            if let fault = LedgerDevice.fault(ofLabel: text) {
                self?.show(fault, .caution)
            } else {
                self?.request(.label(peer.id, text))
            }
        }
    }

    func verifyAll() {
        var ids: Set<UUID> = []
        for row in content.rows.snapshot.itemIdentifiers where name(of: row) != nil {
            ids.formUnion(content.seen.itemIDs(of: row))
        }
        guard !ids.isEmpty else { return show("there is nothing to verify") }
        request(.verifyAll(Array(ids)))
    }

    /// Shows the actions of a kind to choose from.
    func choose(
        _ title: String, _ kind: KeyPath<RowActions, [RowAction]>, ifNone message: String
    ) {
        guard let row = details.actionRow else { return show("select a row first") }
        let actions = RowActions(row, content.seen, content.history)[keyPath: kind]
        guard !actions.isEmpty else { return show("\(name(of: row) ?? "the row") \(message)") }
        choose(title, actions)
    }

    /// Shows the commands of a custom action for the selected row.
    func choose(_ action: CustomAction) {
        guard let row = details.actionRow else { return show("select a row first") }
        guard let offer = action.offer(for: row, in: content.seen) else {
            return show("the device has departed")
        }
        guard !offer.commands.isEmpty else {
            let name = name(of: row) ?? "the row"
            return show(
                "\(action.title) is not possible for \(name): \(offer.omission ?? "")", .caution)
        }
        choose(
            offer.omission.map { "\(action.title) (left out: \($0))" } ?? action.title,
            RowActions.limited(offer.commands))
    }

    /// Shows the commands of all custom actions that fit the selected row, and what opens it.
    func chooseAction() {
        guard let row = details.actionRow else { return show("select a row first") }
        let custom = custom.flatMap { $0.offer(for: row, in: content.seen)?.commands ?? [] }
        let own = RowActions(row, content.seen, content.history)
        let all = RowActions.limited(custom) + own.logins + own.links
        guard !all.isEmpty else {
            return show("\(name(of: row) ?? "the row") has no actions, nor do the settings for it")
        }
        choose("Actions", all)
    }

    private var box: ActionBox { ActionBox(size: view.size, charset: content.charset) }

    /// Shows actions to choose from; a command that a line has no room for is shown as a whole then.
    private func choose(_ title: String, _ actions: [RowAction]) {
        let shown = box.entries(of: actions)
        if actions.count == 1, actions[0].isCommand, !box.fits(shown[0]) {
            return confirm(actions[0])
        }
        view.choices = Choices(
            title, shown,
            onPick: { [weak self] id in
                guard let self, let index = Int(id) else { return }
                // The window may have become smaller.
                if actions[index].isCommand, !box.fits(shown[index]) {
                    confirm(actions[index])
                } else {
                    request(actions[index].request)
                }
            })
    }

    /// Shows a long command as a whole before it runs.
    private func confirm(_ action: RowAction) {
        guard let lines = box.lines(of: action) else {
            return show("make the window larger for this command", .caution)
        }
        view.choices = Choices(
            "Run this?", lines, isTyped: false,
            onPick: { [weak self, size = view.size] _ in
                guard let self else { return }
                // The window may have become smaller.
                let isWhole =
                    view.size.columns >= size.columns && view.size.rows >= size.rows
                if isWhole { request(action.request) } else { confirm(action) }
            })
    }
}
