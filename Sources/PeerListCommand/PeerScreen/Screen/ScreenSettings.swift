// The appearance, keys and actions of the live list.
import PeerList
import TerminalList

struct ScreenSettings: Equatable, Sendable {
    var charset = Charset.unicode
    /// The characters of the signs of kinds.
    var kindCharset = Charset.unicode
    var usesColor = true
    var theme = Theme.standard
    var takesMouse = true
    /// The keys that the user assigned, by the actions' names.
    var keymap: [String: [Key]] = [:]
    /// How long the row of a departed device stays in the list.
    var departure = Duration.seconds(30)
    var sort = RowSort.name
    var isDescending = false
    /// The grouping of the rows; `nil` for that of the session.
    var grouping: Grouping?
    /// The names of the columns to show besides that of names; `nil` for all.
    var columns: Set<String>?
    /// Whether the details are beside the list from the start on.
    var showsDetails = false
    var actions: [CustomAction] = []
    /// The programs to run for changes.
    var hooks: [Hook] = []

    func terminal(
        _ device: TerminalDevice = .standardStreams
    ) throws(TerminalError) -> Terminal {
        try Terminal(
            device: device, usesColor: usesColor, theme: theme, charset: charset,
            mouse: takesMouse)
    }
}
