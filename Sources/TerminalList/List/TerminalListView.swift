// The list view: what it shows, and what its owner sets and asks.
import DiffCore

/// A list in the terminal that a diffable data source drives.
///
/// The data source tells what changed; the view shows it: what arrived stands out for a few
/// seconds, what left stays for a while, marked, and the selection and the scrolling
/// follow the items, whatever happens above and below them. It draws into a ``Frame`` and never
/// touches a terminal.
///
/// ```swift
/// let view = TerminalListView<String, UUID>(columns: [ListColumn("Name", minimum: 8, ideal: 24)])
/// let source = DiffableDataSource(view: view) { _, _, id in ListCell([.init(name(of: id))]) }
/// source.apply(snapshot)
/// terminal.draw(view.frame(size: terminal.size, now: .now))
/// ```
///
/// The owner draws when ``needsDisplay`` is set and when ``nextDeadline`` has come, and not
/// otherwise.
public final class TerminalListView<Section, Item>
where Section: Hashable & Sendable, Item: Hashable & Sendable {
    /// What stands above the list.
    public var header = ListHeader("") { didSet { if header != oldValue { setNeedsDisplay() } } }

    /// What is said in place of an empty list, a paragraph each: why it is empty, what to try.
    public var emptyMessage: [String] = [] {
        didSet { if emptyMessage != oldValue { setNeedsDisplay() } }
    }

    /// Lines below the list, each of some pieces from left to right; in a low window the last ones only.
    public var footer: [[ListCell.Field]] = [] {
        didSet { if footer != oldValue { setNeedsDisplay() } }
    }

    /// Lines between the header and the columns' titles, each of some pieces from left to right; in
    /// a low window they give way to the list.
    public var strip: [[ListCell.Field]] = [] {
        didSet { if strip != oldValue { setNeedsDisplay() } }
    }

    /// Sections of the help after the keys: the meaning of signs, the use of the mouse.
    public var helpSections: [HelpSection] = []

    /// Text that is being typed at the bottom, if any.
    public var prompt: TextPrompt? { didSet { setNeedsDisplay() } }

    /// A box in which something is chosen, if any.
    public var choices: Choices? { didSet { setNeedsDisplay() } }

    /// Text beside the list or in its place, if any.
    public var pane: TextPane? { didSet { paneDidChange(from: oldValue) } }

    /// Finds in a text what was searched for, to be marked; asked for each text that is shown in
    /// a row or a pane. Set it anew when something else is searched for.
    public var highlight: ((String) -> [Range<String.Index>])? {
        didSet {
            wrappedPane = nil
            setNeedsDisplay()
        }
    }

    /// The columns, from left to right.
    public var columns: [ListColumn] {
        didSet { if columns != oldValue { setNeedsDisplay() } }
    }

    /// Which characters the terminal can show.
    public var charset: Charset = .unicode {
        didSet {
            wrappedPane = nil
            setNeedsDisplay()
        }
    }

    /// Which key does what.
    public var keys: KeyTable { didSet { setNeedsDisplay() } }

    /// Called when another item is selected, or none.
    public var selectionDidChange: ((Item?) -> Void)?

    /// Called when the sign of a row in an outline is clicked.
    public var outlineWasClicked: ((Item) -> Void)?

    /// Called with the index of a column whose title is clicked.
    public var titleWasClicked: ((Int) -> Void)?

    /// Called when the selected row is clicked; without it such a click does what Enter does.
    public var itemWasOpened: ((Item) -> Void)?

    /// The deleted items whose rows are still shown, the earliest deletion first.
    public var departedItems: [Item] { departures.items }

    /// The selected item; it may have left already and be shown for its last seconds.
    public internal(set) var selectedItem: Item? {
        didSet { if selectedItem != oldValue { selectionDidChange?(selectedItem) } }
    }

    /// Whether something changed since the last frame.
    public internal(set) var needsDisplay = true {
        didSet { if needsDisplay, !oldValue { displayBecameNeeded?() } }
    }

    /// When the view must be drawn again though nothing happens: a highlight fades, a departed
    /// row goes. `nil`: never. Set by ``frame(size:now:)``.
    public internal(set) var nextDeadline: ContinuousClock.Instant?

    /// Told when ``needsDisplay`` is set, while ``run(in:)`` waits for it.
    var displayBecameNeeded: (() -> Void)?

    let timing: ListTiming
    var content: ListContent<Section, Item, ListCell, String>?
    var snapshot = DiffableDataSourceSnapshot<Section, Item>()

    /// The rows as of the last frame or key, and the place of the selected one.
    var rows = RowMap<Section, Item>()
    var selectedRow: Int?
    /// The titles of the sections in `rows`, also of those that are gone but for departed rows.
    var titles: [Section: String] = [:]
    /// The first row that is shown, and how many are at most.
    var top = 0
    var pageHeight = 1

    var changes = PendingChanges<Item>()
    var marks: RowMarks<Item>
    var departures: Departures<Item>
    /// What the rows on the screen show: all that is left of them when their items leave.
    var drawnCells: [Item: ListCell] = [:]
    var help: HelpState?
    var message: ShownMessage?
    /// The columns of the hints in the last line, each with the key that it names.
    var hints: [(columns: Range<Int>, key: Key)] = []
    var choicesTop = 0
    var paneScroll = PaneScroll()
    var wrappedPane: WrappedPane?
    var sidePaneHasFocus = false
    var lastSize = FrameSize(columns: 80, rows: 24)

    /// An empty list.
    ///
    /// - Parameters:
    ///   - columns: The columns, from left to right.
    ///   - keys: Which key does what.
    ///   - timing: For how long changes stay visible.
    public init(
        columns: [ListColumn], keys: KeyTable = .standard(), timing: ListTiming = ListTiming()
    ) {
        self.columns = columns
        self.keys = keys
        self.timing = timing
        marks = RowMarks(timing: timing)
        departures = Departures(timing: timing)
    }

    /// Has the view drawn again, for instance because what its cells show has changed.
    public func setNeedsDisplay() { needsDisplay = true }

    /// A pane of another text begins at its top; one that shows what is shown changes nothing.
    private func paneDidChange(from old: TextPane?) {
        if pane?.id != old?.id { paneScroll = PaneScroll() }
        if pane?.place != .side { sidePaneHasFocus = false }
        guard pane == nil ? old != nil : pane?.shows(theSameAs: old) == false else { return }
        wrappedPane = nil
        setNeedsDisplay()
    }

    func invalidateRows() {
        changes.isStale = true
        setNeedsDisplay()
    }
}
