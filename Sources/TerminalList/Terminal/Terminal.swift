// The terminal: opened, and given back on every way out.
import CNcurses
import CTerminalGuard
import Glibc

/// The terminal that the program runs in, while it shows a list.
///
/// From its opening until ``close()`` the terminal is ours: frames are drawn on its alternate
/// screen and keys are read as they are pressed. Standard error, where it is the same terminal,
/// is held back meanwhile and shown afterwards. Whatever ends the program, a crash included, the
/// terminal is given back; only SIGKILL cannot be helped, and a stack used up on a thread that
/// neither draws nor reads keys.
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
/// A program that waits for nothing else has this loop in ``TerminalListView/run(in:)``.
///
/// All of it belongs on one actor; there is one terminal at a time.
@safe public final class Terminal {
    /// Wakes the owner when something happened; the stream ends with ``close()``.
    public let wakeUps: AsyncStream<TerminalWakeUp>

    /// Which characters it can show.
    public let charset: Charset

    let watch: TerminalWatch
    /// Keys are read through a pad, since reading them through a window draws that window.
    let keyPad: UnsafeMutablePointer<WINDOW>
    let palette: Palette
    /// What is on the screen: only lines that differ from it are handed to curses.
    var shown: Frame?
    private let screen: OpaquePointer
    private(set) var isOpen = true
    /// Whether it is ours, and not given back for the time that the program is stopped.
    var isOurs = true
    /// Whether another program has it, and whether there was input that we left to that one.
    var isLent = false
    var hasUnreadInput = false
    var decoder = InputDecoder()
    /// Whether the terminal reports the mouse.
    private(set) var usesMouse = false

    /// Takes the terminal.
    ///
    /// - Parameters:
    ///   - usesColor: Whether colours may be used; `NO_COLOR` in the environment forbids them.
    ///   - theme: How what the list means is to look.
    ///   - charset: Which characters it can show; the default takes it from the locale.
    ///   - mouse: Whether to hear of the mouse. The terminal's own selecting then needs Shift.
    /// - Throws: ``TerminalError``, with the terminal as it was.
    public init(
        usesColor: Bool = Terminal.environmentAllowsColor, theme: Theme = .standard,
        charset: Charset? = nil, mouse: Bool = false
    ) throws(TerminalError) {
        let type = try Self.checkedType()
        self.charset = charset ?? .adoptFromEnvironment()
        let signals = terminal_guard_open(STDOUT_FILENO)
        guard signals >= 0 else { throw .system(code: errno) }
        guard let screen = unsafe curses_open() else {
            terminal_guard_close()
            Glibc.close(signals)
            throw .unknownType(type)
        }
        unsafe self.screen = screen
        guard Self.capability("cup") != nil, let pad = unsafe newpad(1, 1) else {
            endwin()
            unsafe Self.leave(screen)
            Glibc.close(signals)
            throw .cannotPlaceText(type: type)
        }
        unsafe keyPad = pad
        palette = Palette(theme, usesColor: usesColor)
        do throws(TerminalError) {
            watch = try TerminalWatch(input: STDIN_FILENO, signals: signals)
        } catch {
            endwin()
            unsafe Self.leave(screen)
            throw error
        }
        wakeUps = watch.wakeUps
        setModes(mouse: mouse)
    }

    deinit { close() }

    /// Whether `NO_COLOR` leaves colours allowed: it forbids them when it is set and not empty.
    public static var environmentAllowsColor: Bool {
        (unsafe getenv("NO_COLOR").map { unsafe strlen($0) } ?? 0) == 0
    }

    /// The window's size now.
    public var size: FrameSize {
        guard let size = FrameSize(ofWindow: STDOUT_FILENO) else {
            return unsafe FrameSize(
                columns: Int(getmaxx(curses_screen())), rows: Int(getmaxy(curses_screen())))
        }
        return size
    }

    /// Whether frames are seen: not while the program is stopped, while another program has the
    /// terminal, or after ``close()``.
    public var isShowing: Bool { isOpen && isOurs && !isLent }

    /// Gives the terminal back, then shows what was written to standard error meanwhile; a second
    /// call does nothing.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        foreground_child_hang_up()
        watch.stop()
        giveBack()
        unsafe Self.leave(screen)
        terminal_guard_release_errors()
    }

    /// Leaves the alternate screen and puts the modes back, unless that is done.
    func giveBack() {
        guard isOurs else { return }
        isOurs = false
        reportMouse(false)
        tellPastes(false)
        endwin()
        terminal_guard_disarm()
    }

    private static func leave(_ screen: OpaquePointer) {
        terminal_guard_close()
        unsafe delscreen(screen)
    }

    private static func checkedType() throws(TerminalError) -> String {
        guard isatty(STDOUT_FILENO) == 1 else { throw .outputIsNoTerminal }
        guard isatty(STDIN_FILENO) == 1 else { throw .inputIsNoTerminal }
        guard let value = unsafe getenv("TERM"), unsafe value.pointee != 0 else {
            throw .typeNotSet
        }
        let type = unsafe String(cString: value)
        guard type != "dumb" else { throw .cannotPlaceText(type: type) }
        return type
    }

    private func setModes(mouse: Bool) {
        cbreak()
        noecho()
        nonl()
        unsafe nodelay(keyPad, true)
        unsafe keypad(keyPad, true)
        defineKeys()
        // How long a lone Esc waits for the rest of a key's bytes.
        set_escdelay(50)
        unsafe idlok(curses_screen(), true)
        curs_set(0)
        usesMouse = mouse && Self.capability("kmous") != nil
        def_prog_mode()
        tellPastes(true)
        reportMouse(true)
        holdErrors()
        arm()
    }

    /// Keeps what is written to standard error from the screen, up to 256 KiB of it.
    func holdErrors() { terminal_guard_hold_errors(256 * 1024) }

    /// Prepares what a crash has to write so that the terminal is as it was.
    func arm() {
        let names = ["BD", "sgr0", "op", "cnorm", "rmkx", "rmcup"]
        // Terminfo has no name for what ends the mouse's reports.
        let mouse = usesMouse ? Self.endOfMouseReports : ""
        let sequence = mouse + names.compactMap(Self.capability).joined()
        _ = unsafe terminal_guard_arm(sequence, sequence.utf8.count)
    }

    /// A string of the terminal's description, without its padding.
    static func capability(_ name: String) -> String? {
        // tigetstr answers -1 for what is no string at all.
        guard let text = unsafe tigetstr(name), Int(bitPattern: text) != -1 else {
            return nil
        }
        // What stands between `$<` and `>` is a delay that only old terminals need.
        var pieces = unsafe String(cString: text).split(
            separator: "$<", omittingEmptySubsequences: false)
        let first = pieces.removeFirst()
        return pieces.reduce(String(first)) { $0 + $1.drop { $0 != ">" }.dropFirst() }
    }
}
