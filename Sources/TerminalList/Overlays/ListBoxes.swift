// The boxes over the list, which take its keys and clicks while they are shown.

/// The help and the choices over the list, if any.
struct ListBoxes {
    private var help: Help?
    var choices: Choices?
    /// The box of the choices, as of the last frame.
    private var choicesBox: Box?

    var isShown: Bool { help != nil || choices != nil }

    mutating func showHelp() { help = Help() }

    /// Handles a key with an action in the list; returns `nil` if no box is shown.
    mutating func handle(_ key: Key, _ action: KeyAction?, page: Int) -> InputEffect? {
        guard help != nil else { return handle { $0.handle(key, action, page: page) } }
        let response = help?.handle(key, action, page: page)
        if response == nil { help = nil }
        return InputEffect(response: response ?? .handled)
    }

    /// Handles a click, which closes the help; returns `nil` if no box is shown.
    mutating func handleClick(row: Int, column: Int) -> InputEffect? {
        guard help == nil else {
            help = nil
            return InputEffect()
        }
        let line = choicesBox?.line(atRow: row, column: column)
        return handle { $0.handleClick(onLine: line) }
    }

    private mutating func handle(_ change: (inout Choices) -> InputEffect) -> InputEffect? {
        guard var box = choices else { return nil }
        let effect = change(&box)
        choices = effect.closes ? nil : box
        return effect
    }

    /// Scrolls by a number of lines; returns whether a box is shown.
    mutating func scroll(by count: Int) -> Bool {
        if help == nil { choices?.move(by: count) } else { help?.scroll(by: count) }
        return isShown
    }

    mutating func draw(_ keys: KeyTable, _ sections: [HelpSection], in frame: inout Frame) {
        choicesBox = choices?.draw(from: choicesBox?.top ?? 0, in: &frame)
        help?.draw(keys, sections, in: &frame)
    }
}
