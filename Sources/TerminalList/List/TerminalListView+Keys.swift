// What keys do: each goes to what has the keys, a box over the list before the list itself.

/// What became of a key.
public enum KeyResponse: Sendable {
    /// The list knew it; draw if ``TerminalListView/needsDisplay`` is set.
    case handled
    /// The list does not know it.
    case unknown
    /// The whole screen is to be drawn again.
    case redraw
    /// The program is to end.
    case quit
}

extension TerminalListView {
    /// Does what the key table says about a key, or what a key does in what is shown over the list.
    ///
    /// While the help is shown, it is scrolled by arrows and left by any other key.
    ///
    /// - Complexity: O(rows) after changes.
    public func handle(_ key: Key) -> KeyResponse {
        let action = keys.action(for: key)
        if message != nil {
            message = nil
            setNeedsDisplay()
        }
        if help != nil { return handleInHelp(key, action) }
        return handleInChoices(key, action) ?? handleInPrompt(key) ?? handleInPane(key, action)
            ?? handleInList(key, action)
    }

    private func handleInList(_ key: Key, _ action: KeyAction?) -> KeyResponse {
        guard let action else { return .unknown }
        layOutRows()
        setNeedsDisplay()
        switch action {
        case .moveBy(let count): move(by: count)
        case .pageBy(let count): page(by: count)
        case .first: move(to: rows.firstItem, top: 0)
        case .last: move(to: rows.lastItem, top: rows.count)
        case .switchFocus: switchFocus()
        case .help: help = HelpState()
        case .redraw: return .redraw
        case .quit: return .quit
        case .run(let action): action()
        case .type(let type): if case .character(let character) = key { type(character) }
        }
        return .handled
    }

    /// Does what a key does to the text that is typed; `nil` for the other keys.
    private func handleInPrompt(_ key: Key) -> KeyResponse? {
        guard let old = prompt else { return nil }
        switch key {
        case .enter, .escape, .control("c"):
            prompt = nil
            old.onEnd(key == .enter)
        default:
            guard prompt?.edit(with: key) == true else { return nil }
            if let text = prompt?.text, text != old.text { old.onChange(text) }
        }
        return .handled
    }

    /// Takes pasted text: into the prompt, or where keys are text; elsewhere nothing happens, so
    /// that no paste is taken for keys.
    ///
    /// Line ends become spaces.
    public func handle(pasted text: String) -> KeyResponse {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        if help != nil || choices != nil { return .unknown }
        if let old = prompt {
            prompt?.insert(line)
            if let text = prompt?.text, text != old.text { old.onChange(text) }
            return .handled
        }
        guard case .type(let type) = keys.typingAction else { return .unknown }
        setNeedsDisplay()
        for character in line { type(character) }
        return .handled
    }
}
