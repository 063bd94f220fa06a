// Opens the terminal, draws on it, reads its keys, and restores it on every way out.
import CNcurses
import CTerminalGuard
import Dispatch
import Glibc

/// The terminal of the program, while it shows a list.
///
/// Until ``close()``, frames are drawn on the alternate screen, and keys are read as they are
/// pressed. If standard error is the same terminal, its output is held back and shown afterwards.
/// The terminal is restored whenever the program ends, even by a crash; the exceptions are SIGKILL
/// and a stack overflow on a thread that neither draws nor reads keys.
///
/// ```swift
/// let terminal = try Terminal()
/// defer { terminal.close() }
/// for await wakeUp in terminal.wakeUps {
///     for event in terminal.events(at: wakeUp) { … }
///     if view.needsDisplay { terminal.draw(view.frame(size: terminal.size, now: .now)) }
/// }
/// ```
///
/// ``TerminalListView/run(in:)`` is this loop for a program that waits for nothing else.
///
/// A terminal belongs to one actor, and there is one at a time.
@safe public final class Terminal {
    /// Yields when something happened at the terminal; ends with ``close()``.
    public let wakeUps: AsyncStream<TerminalWakeUp>

    /// The characters that the terminal can show.
    public let charset: Charset

    /// The descriptor that frames are written to.
    private let output: Int32
    private let watch: TerminalWatch
    /// The pad through which keys are read, because reading through a window would draw it.
    private let keyPad: UnsafeMutablePointer<WINDOW>
    private let palette: Palette
    private let screen: OpaquePointer
    /// The frame on the screen: only lines that differ from it are passed to curses.
    private var shown: Frame?
    private var isOpen = true
    /// Whether the modes and the screen of the terminal are set for frames; `false` while the
    /// program is stopped or another program has the terminal.
    private var isHeld = true
    /// Whether another program has the terminal.
    private var isLent = false
    private var decoder = InputDecoder()
    private let height: ScreenHeight
    private var inlineScreen = InlineScreen(
        isTmux: InlineScreen.isTmux { name in
            unsafe getenv(name).map { unsafe String(cString: $0) }
        })
    private var hasMouse = false
    /// Whether mouse events are received. If not, the user of the terminal can select text.
    public private(set) var takesMouse = false

    /// Opens the terminal.
    ///
    /// - Parameters:
    ///   - device: The terminal; by default the terminal of standard input and output.
    ///   - usesColor: Whether colours may be used; by default unless `NO_COLOR` is set.
    ///   - theme: The colours and attributes.
    ///   - charset: The characters that the terminal can show; by default according to the locale.
    ///   - mouse: Whether to receive mouse events. Selecting text then needs Shift.
    ///   - height: The part of the window that frames have; by default all of it.
    /// - Throws: ``TerminalError``; the terminal is unchanged.
    public init(
        device: TerminalDevice = .standardStreams,
        usesColor: Bool = Terminal.environmentAllowsColor, theme: Theme = .standard,
        charset: Charset? = nil, mouse: Bool = false, height: ScreenHeight = .window
    ) throws(TerminalError) {
        let file = try device.open()
        output = file?.descriptor ?? STDOUT_FILENO
        let type = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? ""
        if type.isEmpty { throw .typeNotSet }
        if type == "dumb" { throw .cannotPlaceText(type: type) }
        self.charset = charset ?? .adoptFromEnvironment()
        let signals = terminal_guard_open(output)
        guard signals >= 0 else { throw .system(code: errno) }
        self.height = height
        let open = unsafe height == .window ? curses_open : curses_open_inline
        var opened = unsafe open(type, file?.stream)
        if unsafe opened == nil, let description = TerminalDescription(for: type) {
            unsafe opened = description.provide { unsafe open($0, file?.stream) }
        }
        guard let screen = unsafe opened else {
            terminal_guard_close()
            Glibc.close(signals)
            throw .unknownType(type)
        }
        unsafe self.screen = screen
        guard Self.capability("cup") != nil, let pad = unsafe newpad(1, 1) else {
            endwin()
            terminal_guard_close()
            unsafe delscreen(screen)
            Glibc.close(signals)
            throw .cannotPlaceText(type: type)
        }
        unsafe keyPad = pad
        palette = Palette(theme, usesColor: usesColor)
        watch = TerminalWatch(file, signals: signals)
        wakeUps = watch.wakeUps
        setModes(mouse: mouse, keysSendSignals: file == nil)
    }

    deinit { close() }

    /// Whether colours are allowed: unless `NO_COLOR` is set and not empty.
    public static var environmentAllowsColor: Bool {
        (unsafe getenv("NO_COLOR").map { unsafe strlen($0) } ?? 0) == 0
    }

    /// The current size of the window, or of the part of it that frames have.
    public var size: FrameSize {
        var size =
            unsafe FrameSize(ofWindow: output)
            ?? FrameSize(
                columns: Int(getmaxx(curses_screen())), rows: Int(getmaxy(curses_screen())))
        size.rows = height.rows(ofWindow: size.rows)
        return size
    }

    private var isInline: Bool { height != .window }

    /// Whether frames are visible; `false` while the program is stopped, while another program has
    /// the terminal, and after ``close()``.
    public var isShowing: Bool { isOpen && isHeld }

    /// Restores the terminal, then shows what was written to standard error; a second call does
    /// nothing.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        foreground_child_hang_up()
        watch.stop()
        release()
        terminal_guard_close()
        unsafe delscreen(screen)
        terminal_guard_release_errors()
    }

    // MARK: Drawing

    /// Shows a frame by sending its changes; does nothing from ``suspend()`` to `.resumed`.
    public func draw(_ frame: Frame) {
        guard isShowing else { return }
        terminal_guard_protect_thread()
        if isInline {
            send(inlineScreen.draw(frame, style: palette.sequence))
            return terminal_guard_trim_errors()
        }
        fitScreen(to: frame.size)
        for (row, line) in frame.lines.enumerated() where shown?.lines[row] != line {
            draw(line, row: Int32(row))
        }
        shown = frame
        unsafe wmove(curses_screen(), Int32(frame.cursorRow), Int32(frame.cursorColumn))
        unsafe wnoutrefresh(curses_screen())
        doupdate()
        terminal_guard_trim_errors()
    }

    /// Sends the whole of the next frame, in case other programs wrote on the screen.
    public func redraw() {
        shown = nil
        if isInline { return send(inlineScreen.erase()) }
        unsafe clearok(curses_screen(), true)
    }

    private func fitScreen(to size: FrameSize) {
        if shown?.size == size { return }
        shown = nil
        let (columns, rows) = unsafe (getmaxx(curses_screen()), getmaxy(curses_screen()))
        if columns == size.columns, rows == size.rows { return }
        resizeterm(Int32(size.rows), Int32(size.columns))
        unsafe clearok(curses_screen(), true)
    }

    private func draw(_ line: [Frame.Cell], row: Int32) {
        // A cell has at most five scalars, terminated by zero.
        var wide = [wchar_t](repeating: 0, count: 6)
        for (column, cell) in line.enumerated() where !cell.text.isEmpty {
            let (attributes, pair) = palette.attributes(of: cell.style)
            for (index, scalar) in cell.text.unicodeScalars.prefix(5).enumerated() {
                (wide[index], wide[index + 1]) = (wchar_t(bitPattern: scalar.value), 0)
            }
            var character = cchar_t()
            unsafe setcchar(&character, wide, attributes, pair, nil)
            unsafe mvadd_wch(row, Int32(column), &character)
        }
    }

    // MARK: Events

    /// Returns the events of a wake-up, in order, without waiting.
    public func events(at wakeUp: TerminalWakeUp) -> [TerminalEvent] {
        guard isOpen else { return [] }
        terminal_guard_protect_thread()
        switch wakeUp {
        case .inputEnded: return [.inputEnded]
        case .input:
            if isLent { return [] }
            let events = readInput()
            watch.waitForInput()
            return events
        case .signal(SIGWINCH): return [.resized]
        case .signal(SIGINT):
            // A paste whose end was lost must not swallow all further keys.
            decoder.reset()
            return [.key(.control("c"))]
        case .signal(SIGTSTP): return [.suspendRequested]
        case .signal(SIGCONT):
            if isLent { return [] }
            reclaim()
            return [.resumed]
        case .signal(let number): return [.terminated(signal: number)]
        }
    }

    private func readInput() -> [TerminalEvent] {
        var events: [TerminalEvent] = []
        var value: wint_t = 0
        while true {
            let symbol: InputDecoder.Symbol
            switch unsafe wget_wch(keyPad, &value) {
            case OK: symbol = .character(value)
            case KEY_CODE_YES: symbol = .code(Int32(value))
            default:
                if let event = decoder.endOfInput() { events.append(event) }
                return events
            }
            if let event = decoder.decode(symbol) { events.append(event) }
        }
    }

    // MARK: Stopping, and other programs

    /// Restores the terminal and stops the program, as users expect of Ctrl-Z; `.resumed` follows
    /// when the program continues.
    public func suspend() {
        release()
        terminal_guard_release_errors()
        terminal_guard_stop(false)
        // The terminal is reclaimed when this signal is handled, in the order of all signals,
        // because one of them may end the program. The signal is posted even if stopping had no
        // effect.
        terminal_guard_post(UInt8(SIGCONT))
    }

    /// The cases in which Enter is awaited after a program that had the terminal; a failure is any
    /// status but 0.
    public enum WaitForEnter: Sendable { case never, afterFailure, always }

    /// Runs a program in the terminal, in place of the list; `.resumed` follows at its end.
    ///
    /// The program is found by `PATH` and gets exactly these words; no shell is involved. Ctrl-C is
    /// sent to it, and Ctrl-Z stops it and this program. Meanwhile nothing is drawn and no key is
    /// read.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - line: A text to print before, made safe.
    ///   - wait: When to wait for Enter at the end, so that the output can be read; Ctrl-C ends that too.
    /// - Returns: The program's status, or 128 and the number of the signal that ended it.
    /// - Throws: ``TerminalError/cannotStart(_:code:)``; `.resumed` follows as well.
    public func run(
        _ command: [String], printing line: String? = nil, waiting wait: WaitForEnter = .never
    ) async throws(TerminalError) -> Int32 {
        guard isShowing else { throw .system(code: EBUSY) }
        isLent = true
        release()
        terminal_guard_release_errors()
        defer {
            isLent = false
            // In the order of the signals, as after a stop.
            terminal_guard_post(UInt8(SIGCONT))
        }
        if let line { send(SafeText(line, charset: charset).text + "\n") }
        let output = output
        return try unsafe await Self.run(command) {
            unsafe foreground_child_start(output, $0)
        } wait: {
            foreground_child_wait(output, $0, wait == .always, wait != .never)
        }
    }

    /// Runs a program like ``run(_:printing:waiting:)``, but without a terminal: for example, a program
    /// that opens a window. The list continues meanwhile, and the program continues after the list ends.
    public static func runInBackground(
        _ command: [String], input: [UInt8] = []
    ) async throws(TerminalError) -> Int32 {
        try unsafe await run(command) {
            unsafe background_child_start($0, input, input.count)
        } wait: {
            background_child_wait($0)
        }
    }

    /// Starts a program and waits for its end on a thread of its own.
    private static func run(
        _ command: [String], start: ([UnsafeMutablePointer<CChar>?]) -> Int32,
        wait: @escaping @Sendable (Int32) -> Int32
    ) async throws(TerminalError) -> Int32 {
        guard let program = command.first, !program.isEmpty else { throw .system(code: EINVAL) }
        let words = unsafe command.map { unsafe strdup($0) } + [nil]
        let child = unsafe start(words)
        unsafe words.forEach { unsafe free($0) }
        guard child > 0 else { throw .cannotStart(program, code: -child) }
        return await withCheckedContinuation { ended in
            DispatchQueue(label: program).async { ended.resume(returning: wait(child)) }
        }
    }

    /// Leaves the alternate screen and restores the modes; a second call does nothing.
    private func release() {
        guard isHeld else { return }
        isHeld = false
        setReports(false)
        if isInline {
            send(inlineScreen.erase())
            // endwin() would go to the last line of the window.
            curs_set(1)
            reset_shell_mode()
        } else {
            endwin()
        }
        terminal_guard_disarm()
    }

    /// Sets the modes and the alternate screen again, whatever other programs changed.
    private func reclaim() {
        // If the program is continued in the background (`bg`), it stops again, as other programs
        // do; the next SIGCONT leads here again.
        guard terminal_guard_is_foreground() else { return terminal_guard_stop(true) }
        isHeld = true
        reset_prog_mode()
        redraw()
        if !isInline { unsafe wrefresh(curses_screen()) }
        beginShowing()
        watch.waitForInput()
    }

    // MARK: Modes

    private func setModes(mouse: Bool, keysSendSignals: Bool) {
        if keysSendSignals { cbreak() } else { raw() }
        noecho()
        nonl()
        unsafe nodelay(keyPad, true)
        unsafe keypad(keyPad, true)
        defineKeys()
        // The milliseconds that a lone Esc waits for the rest of a key's bytes.
        set_escdelay(50)
        unsafe idlok(curses_screen(), true)
        hasMouse = !isInline && Self.capability("kmous") != nil
        takesMouse = mouse && hasMouse
        def_prog_mode()
        beginShowing()
    }

    /// Defines both forms of the cursor keys, because a terminal may send the form that its
    /// description does not name.
    private func defineKeys() {
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

    /// Switches bracketed paste and mouse reports on or off, if the terminal has them: reports of
    /// buttons (1000), and of motion while a button is down (1002). The SGR form (1006) can report
    /// columns beyond 223; a terminal without it uses the X10 form.
    private func setReports(_ isOn: Bool) {
        send(Self.capability(isOn ? "BE" : "BD") ?? "")
        if takesMouse { send(isOn ? Self.startOfMouseReports : Self.endOfMouseReports) }
    }

    /// Receives mouse events from now on, or leaves the mouse to the terminal; on a terminal that reports
    /// no mouse this has no effect.
    public func takeMouse(_ isOn: Bool) {
        guard isShowing, hasMouse, isOn != takesMouse else { return }
        takesMouse = isOn
        send(isOn ? Self.startOfMouseReports : Self.endOfMouseReports)
    }

    private static let startOfMouseReports = "\u{1b}[?1000h\u{1b}[?1002h\u{1b}[?1006h"
    private static let endOfMouseReports = "\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?1000l"

    /// Hides the cursor, switches reports on, holds back up to 256 KiB of standard error, and
    /// prepares the sequence that restores the terminal after a crash.
    private func beginShowing() {
        curs_set(0)
        if isInline { send(Self.capability("smkx") ?? "") }
        setReports(true)
        terminal_guard_hold_errors(256 * 1024)
        let names = ["BD", "sgr0", "op", "cnorm", "rmkx", isInline ? "ed" : "rmcup"]
        // Terminfo has no capability for the end of mouse reports.
        let mouse = hasMouse ? Self.endOfMouseReports : ""
        let sequence = mouse + names.compactMap(Self.capability).joined()
        _ = unsafe terminal_guard_arm(sequence, sequence.utf8.count)
    }

    /// Returns a string of the terminal's description, without padding.
    static func capability(_ name: String) -> String? {
        // tigetstr returns -1 for a name that is not a string's.
        guard let text = unsafe tigetstr(name), Int(bitPattern: text) != -1 else {
            return nil
        }
        // Between `$<` and `>` there is a delay that only old terminals need.
        let pieces = unsafe String(cString: text).split(
            separator: "$<", omittingEmptySubsequences: false)
        return pieces[0] + pieces.dropFirst().map { $0.drop { $0 != ">" }.dropFirst() }.joined()
    }

    /// Sends bytes directly, after the output of curses.
    func send(_ text: String) {
        unsafe terminal_guard_write(output, text, text.utf8.count)
    }

    // MARK: Clipboard

    /// Copies a text to the clipboard of the terminal, and inside tmux also to its paste buffer.
    /// Inside tmux `tmux load-buffer -w` does both, whatever tmux's settings, if tmux knows that its
    /// terminal can copy. Elsewhere the text is sent with OSC 52 if the terminal's description has the
    /// capability `Ms`; other terminals might display the sequence.
    public func copy(_ text: String) async -> CopyOutcome {
        guard isShowing else { return .unsupported }
        let bytes = Array(text.utf8)
        guard bytes.count <= 100_000 else { return .tooLong }
        let isInTmux = unsafe getenv("TMUX").map { unsafe strlen($0) > 0 } ?? false
        // Without the program tmux, the sequence is sent to tmux itself.
        let load = ["tmux", "load-buffer", "-w", "-"]
        if isInTmux, (try? await Self.runInBackground(load, input: bytes)) == 0 {
            let features = "tmux display-message -p '#{client_termfeatures}' | grep -qw clipboard"
            let isSent = (try? await Self.runInBackground(["sh", "-c", features])) == 0
            return isSent ? .bufferedAndSent : .buffered
        }
        guard isShowing, isInTmux || Self.capability("Ms") != nil else { return .unsupported }
        send("\u{1b}]52;c;" + Self.base64(bytes) + "\u{7}")
        return isInTmux ? .sentToTmux : .sent
    }

    /// Encodes bytes as in RFC 4648, section 4.
    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return stride(from: 0, to: bytes.count, by: 3).map { start in
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            return String(
                (0..<4).map { $0 > group.count ? "=" : digits[bits >> (18 - 6 * $0) & 63] })
        }.joined()
    }
}
