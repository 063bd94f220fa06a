// What happened at the terminal: keys, signals, stopping and going on.
import CNcurses
import CTerminalGuard
import Glibc

extension Terminal {
    /// What a wake-up stands for, in order; never waits.
    public func events(at wakeUp: TerminalWakeUp) -> [TerminalEvent] {
        guard isOpen else { return [] }
        terminal_guard_protect_thread()
        switch wakeUp {
        case .inputEnded: return [.inputEnded]
        case .input:
            hasUnreadInput = isLent
            if isLent { return [] }
            let events = readInput()
            watch.readOn()
            return events
        case .signal(SIGWINCH): return [.resized]
        case .signal(SIGINT):
            // A paste whose end is lost must not swallow keys for ever.
            _ = paste.end()
            return [.key(.control("c"))]
        case .signal(SIGTSTP): return [.suspendRequested]
        case .signal(SIGCONT):
            if isLent { return [] }
            take()
            return [.resumed]
        case .signal(let number): return [.terminated(signal: number)]
        }
    }

    /// Gives the terminal back, stops the program as Ctrl-Z is expected to, and takes the terminal
    /// again when the program is continued: `.resumed` follows.
    public func suspend() {
        giveBack()
        terminal_guard_release_errors()
        terminal_guard_stop()
        // Continued: taken again in the order of the signals, since one of them may end us. This
        // one says so even where stopping had no effect.
        terminal_guard_post(UInt8(SIGCONT))
    }

    /// Takes the terminal again, as others may have left it.
    private func take() {
        // Continued in the background (`bg`): the terminal is the shell's, so stop as others do.
        // Whenever that ends, SIGCONT brings us here again.
        guard terminal_guard_is_foreground() else { return terminal_guard_stop() }
        isOurs = true
        holdErrors()
        reset_prog_mode()
        redraw()
        unsafe wrefresh(curses_screen())
        curs_set(0)
        tellPastes(true)
        arm()
        if hasUnreadInput { watch.readOn() }
        hasUnreadInput = false
    }

    /// Terminals have two forms for the same keys and change between them when told to; one that
    /// was not told yet sends the form that its description does not name.
    func defineKeys() {
        let keys = [
            "A": KEY_UP, "B": KEY_DOWN, "C": KEY_RIGHT, "D": KEY_LEFT, "H": KEY_HOME, "F": KEY_END,
        ]
        for (letter, code) in keys {
            for form in ["\u{1b}[" + letter, "\u{1b}O" + letter]
            where unsafe key_defined(form) == 0 {
                unsafe define_key(form, code)
            }
        }
        unsafe define_key("\u{1b}[200~", PasteReader.beginCode)
        unsafe define_key("\u{1b}[201~", PasteReader.endCode)
    }

    /// Asks the terminal to tell pasted text from keys, or not any more, where it can.
    func tellPastes(_ isOn: Bool) {
        if let sequence = Self.capability(isOn ? "BE" : "BD") { send(sequence) }
    }

    private func readInput() -> [TerminalEvent] {
        var events: [TerminalEvent] = []
        var code: wint_t = 0
        while true {
            switch unsafe wget_wch(keyPad, &code) {
            case KEY_CODE_YES where Int32(code) == PasteReader.beginCode: paste.begin()
            case KEY_CODE_YES where Int32(code) == PasteReader.endCode:
                if paste.isReading { events.append(.pasted(paste.end())) }
            case OK where paste.isReading: paste.take(code)
            case KEY_CODE_YES where paste.isReading: break
            case OK: if let key = Key(scalar: code) { events.append(.key(key)) }
            case KEY_CODE_YES where Int32(code) == KEY_MOUSE:
                if let event = readMouse() { events.append(.mouse(event)) }
            case KEY_CODE_YES:
                if let key = Key(cursesCode: Int32(code)) { events.append(.key(key)) }
            default: return events
            }
        }
    }

    private func readMouse() -> MouseEvent? {
        var event = MEVENT()
        guard unsafe getmouse(&event) == OK else { return nil }
        let kinds: [(mmask_t, MouseEvent.Kind)] = [
            (CURSES_BUTTON1_PRESSED, .press), (CURSES_WHEEL_UP, .wheelUp),
            (CURSES_WHEEL_DOWN, .wheelDown),
        ]
        guard let kind = kinds.first(where: { event.bstate & $0.0 != 0 })?.1 else { return nil }
        return MouseEvent(kind, row: Int(event.y), column: Int(event.x))
    }
}

extension Key {
    /// The key that sends a character, if it is one.
    fileprivate init?(scalar value: UInt32) {
        switch value {
        case 13, 10: self = .enter
        case 9: self = .tab
        case 27: self = .escape
        case 8, 127: self = .backspace
        case 1...26:
            guard let letter = Unicode.Scalar(value + 96) else { return nil }
            self = .control(Character(letter))
        default:
            guard value >= 32, let scalar = Unicode.Scalar(value) else { return nil }
            self = .character(Character(scalar))
        }
    }

    /// The key that curses knows by a code of its own, if we know it too.
    fileprivate init?(cursesCode code: Int32) {
        switch code {
        case KEY_UP: self = .up
        case KEY_DOWN: self = .down
        case KEY_LEFT: self = .left
        case KEY_RIGHT: self = .right
        case KEY_PPAGE: self = .pageUp
        case KEY_NPAGE: self = .pageDown
        case KEY_HOME: self = .home
        case KEY_END: self = .end
        case KEY_IC: self = .insert
        case KEY_DC: self = .delete
        case KEY_ENTER: self = .enter
        case KEY_BTAB: self = .backTab
        case KEY_BACKSPACE: self = .backspace
        case KEY_F0 + 1...KEY_F0 + 63: self = .function(Int(code - KEY_F0))
        default: return nil
        }
    }
}
