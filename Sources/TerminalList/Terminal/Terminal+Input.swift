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
            decoder.reset()
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
        reportMouse(true)
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
        for (sequence, code) in InputDecoder.sequences { unsafe define_key(sequence, code) }
    }

    /// Asks the terminal to tell pasted text from keys, or not any more, where it can.
    func tellPastes(_ isOn: Bool) {
        if let sequence = Self.capability(isOn ? "BE" : "BD") { send(sequence) }
    }

    /// Asks the terminal to report the mouse, or not any more, where it was opened with `mouse`.
    ///
    /// In SGR form (1006) columns beyond 223 can be reported too; a terminal that does not know it
    /// reports in X10 form.
    func reportMouse(_ isOn: Bool) {
        if usesMouse { send(isOn ? "\u{1b}[?1000h\u{1b}[?1006h" : Self.endOfMouseReports) }
    }

    static let endOfMouseReports = "\u{1b}[?1006l\u{1b}[?1000l"

    private func readInput() -> [TerminalEvent] {
        var events: [TerminalEvent] = []
        var value: wint_t = 0
        while true {
            let symbol: InputDecoder.Symbol
            switch unsafe wget_wch(keyPad, &value) {
            case OK: symbol = .character(value)
            case KEY_CODE_YES: symbol = .code(Int32(value))
            default: return events
            }
            if let event = decoder.decode(symbol) { events.append(event) }
        }
    }
}
