// What happens at a terminal.

/// What happens at a terminal.
public enum TerminalEvent: Hashable, Sendable {
    /// A key was pressed. An interrupt (SIGINT) is Ctrl-C.
    case key(Key)
    /// A text was pasted; only from terminals that tell it from keys. It may be a stranger's.
    case pasted(String)
    /// A mouse did something; only where the terminal was opened with `mouse`.
    case mouse(MouseEvent)
    /// The window has another size: ask for it and draw.
    case resized
    /// Someone wants the program stopped: call ``Terminal/suspend()``.
    case suspendRequested
    /// The program runs again after it was stopped; draw.
    case resumed
    /// Someone wants the program to end: the signal's number (SIGTERM, SIGHUP).
    case terminated(signal: Int32)
    /// The terminal is gone: no more keys will come.
    case inputEnded
}
