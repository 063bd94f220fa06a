// Tests of random keys, clicks, pastes, sizes and changes.
import TerminalList
import TestSupport
import Testing

@Suite struct RandomInputTests {
    private static let keys: [Key] =
        [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .delete, .enter, .escape,
            .tab, .backspace, .altUp, .shiftDown, .control("u"), .control("w"), .control("x"),
            .function(2),
        ] + "?qaanj kgGx\u{301}プ".unicodeScalars.map { .character(Character($0)) }

    private func happen(_ list: ListFixture, using generator: inout SeededGenerator) {
        let view = list.view
        let some = ListFixture.names(0..<Int.random(in: 0...40, using: &generator))
        switch Int.random(in: 0..<14, using: &generator) {
        case 0: list.show(some)
        case 1: view.prompt = TextPrompt("/", onChange: { _ in }, onEnd: { _ in })
        case 2: view.choices = Choices("x", some.map { .init($0, $0, isOn: true) })
        case 3: view.choices?.entries = some.map { .init($0, $0) }
        case 4:
            let placement: TextPane.Placement = Bool.random(using: &generator) ? .side : .full
            let lines = some.map { TextPane.Line([.init($0 + " and more")], id: $0, indent: 30) }
            view.pane = TextPane("\(placement)", "x", lines, placement: placement)
        case 5: view.show(message: "something")
        case 6: view.strip = some.prefix(3).map { [.init($0)] }
        case 7: _ = view.handle(pasted: "a\nプ\u{1b}")
        case 8...9:
            let kinds: [MouseEvent.Kind] = [.press, .drag, .release, .wheelUp, .wheelDown]
            let row = Int.random(in: -2...40, using: &generator)
            let column = Int.random(in: -2...120, using: &generator)
            let kind = kinds.randomElement(using: &generator) ?? .press
            _ = view.handle(MouseEvent(kind, row: row, column: column))
        default: list.press(Self.keys.randomElement(using: &generator) ?? .up)
        }
    }

    @Test(arguments: seeds(100))
    func `any input leaves whole screens that show the selection`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let list = ListFixture(
            keys: .standard(adding: [KeyBinding([.tab], "pane", action: .switchFocus)]))
        list.show(ListFixture.names(0..<30), animating: false)
        list.view.rowHeight = seed.isMultiple(of: 2) ? 1 : 2
        if seed.isMultiple(of: 3) { list.allowMoves() }
        for _ in 0..<60 {
            happen(list, using: &generator)
            guard Bool.random(using: &generator) else { continue }
            let size = FrameSize(
                columns: Int.random(in: 0...110, using: &generator),
                rows: Int.random(in: 0...30, using: &generator))
            let frame = list.draw(size.columns, size.rows)
            let text = frame.text.split(separator: "\n")
            #expect(size.rows < 8 || size.columns < 40 || frame.cursorRow < size.rows)
            #expect(!list.view.needsDisplay)
            #expect(text.count <= size.rows)
            #expect(text.allSatisfy { $0.count <= size.columns })
            let listIsVisible =
                size.rows >= 8 && size.columns >= 40 && list.view.pane?.placement != .full
                && list.view.choices == nil && !text.contains { $0.contains("any key closes") }
            if listIsVisible, let selected = list.view.selectedItem {
                #expect(text.contains { $0.hasPrefix(">") && $0.contains(selected) })
            }
        }
    }
}
