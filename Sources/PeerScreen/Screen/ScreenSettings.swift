// The appearance, keys and actions of the live list.
package import PeerHooks
package import PeerModel
package import TerminalList

package struct ScreenSettings: Equatable, Sendable {
    package var charset = Charset.unicode
    /// The reason why the list is in ASCII, unless an option asks for it: `LC_ALL=C`.
    package var asciiReason: String?
    /// Whether the list is the demo, which says so.
    package var isDemo = false
    /// The signs of kinds; in ASCII, symbols are letters.
    package var signs: KindSigns {
        get { charset != .unicode && chosenSigns == .symbols ? .letters : chosenSigns }
        set { chosenSigns = newValue }
    }
    private var chosenSigns = KindSigns.symbols
    package var usesColor = true
    package var theme = Theme.standard
    package var takesMouse = true
    /// The keys that the user assigned, by the actions' names.
    package var keymap: [String: [Key]] = [:]
    /// How long the row of a departed device stays in the list.
    package var departure = Duration.seconds(30)
    /// Whether the packets on the link are listened to, so that new types are found at once.
    package var usesWitness = true
    /// The protocols besides multicast DNS by which devices are found; the options may name more, or others.
    package var protocols = DiscoveryProtocol.usual
    package var sort = RowSort.name
    package var isDescending = false
    /// The grouping of the rows; `nil` for the session's.
    package var grouping: Grouping?
    /// The names of the columns to show besides `name`; `nil` for all.
    package var columns: Set<String>?
    /// Whether the details are beside the list from the start on.
    package var showsDetails = false
    package var actions: [CustomAction] = []
    /// The programs to run for changes.
    package var hooks: [Hook] = []

    /// The standard settings.
    package init() {}

    package func terminal(
        _ device: TerminalDevice = .standardStreams, height: ScreenHeight = .window
    ) throws(TerminalError) -> Terminal {
        try Terminal(
            device: device, usesColor: usesColor, theme: theme, charset: charset,
            mouse: takesMouse, height: height)
    }
}
