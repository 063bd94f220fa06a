// The result of parsing a command line: a command with its options, or an error.
import PeerExport
import PeerFleet
import PeerList
import PeerRecording
import PeerScreen
import PeerSession
import PeerText

enum Invocation: Equatable, Sendable {
    case list(Options)
    /// Export the list of these options, live or from a recording.
    case export(Options)
    case doctor(DoctorOptions)
    case announce(AnnounceOptions)
    case diff(DiffOptions)
    case replay(ReplayOptions)
    case report(ReportOptions)
    case devices(DevicesOptions)
    case label(LabelOptions)
    case config(ConfigOptions)
    case completions(Shell)
    /// Complete the last of the words.
    case candidates([String])
    case help(CommandName)
    case manual
    case version
}

/// The names of the commands; without one, the command is `list`.
package enum CommandName: String, CaseIterable, Sendable {
    case list = ""
    case fleet, pick, doctor, announce, types, devices, label, replay, diff, export, report, config
    case completions

    /// The start of the command line, as the user writes it.
    var title: String { self == .list ? "peerlist" : "peerlist \(rawValue)" }

    static let named = allCases.filter { $0 != .list }
}

/// Options that restrict browsing or announcing.
protocol LinkOptions: Sendable {
    var interface: String? { get set }
    var family: AddressFamily? { get set }
    var backend: BackendChoice { get set }
}

/// The options of the live list and of `peerlist types`.
struct Options: Equatable, Sendable {
    /// The format of standard output: the live list on a terminal and otherwise sentences; always
    /// sentences; JSON lines.
    enum Form: Equatable, Sendable { case automatic, plain, json }

    enum Subject: Equatable, Sendable { case peers, types }

    enum Announcement: Equatable, Sendable {
        case hostName
        /// A name in valid UTF-8, 1 to 63 bytes long.
        case name(String)
    }

    var subject = Subject.peers
    var list = ListOptions()
    var interface: String?
    var family: AddressFamily?
    var domain: String?
    var backend = BackendChoice.auto
    var form = Form.automatic
    /// Whether standard output stays empty.
    var isQuiet = false
    var output: String?
    var sync = SyncPolicy.standard
    /// The programs to run at changes of the list.
    var hooks: [Hook] = []
    /// The events that were given before the first hook.
    var eventsBeforeHooks: Set<Hook.Event> = []
    /// Whether to wait until discovery is quiet, print the list, and exit.
    var once = false
    var hasHeading = true
    var timeout = Duration.seconds(5)
    var screen = ScreenOptions()
    var announcement: Announcement?
    /// Whether devices are recognised by the ledger, and noted in it.
    var usesLedger = true
    /// The export that `peerlist export` writes instead of the list.
    var export: ExportOptions?
    /// How devices are chosen and printed; `nil` to show the list only.
    var pick: PickOptions?
    /// The broker to which the list is published, or from which that of a fleet is read.
    var broker = BrokerOptions()
    /// Whether the list is that of a fleet.
    var isFleet = false
}

struct BrokerOptions: Equatable, Sendable {
    var url: BrokerURL?
    var passwordFile: String?
    var caFile: String?
    var certificate: String?
    var key: String?
    var site = FleetTopics.standardSite
    /// The topic below which Home Assistant looks for devices; `nil` if it gets no messages.
    var homeAssistant: String?
}

struct ScreenOptions: Equatable, Sendable {
    /// When colours are used, on terminals that have them.
    enum Color: String, CaseIterable, Sendable {
        /// Unless `NO_COLOR` is set.
        case auto
        case always, never
    }

    var color = Color.auto
    /// `nil` for the theme of the settings.
    var theme: String?
    var isASCII = false
    var takesMouse = true
    /// The order of the rows; `nil` for that of the settings.
    var sort: RowSort?
    /// The grouping of the rows; `nil` for that of the settings.
    var grouping: Grouping?
}

struct AnnounceOptions: Equatable, Sendable {
    /// The instance name; a number is added if it is taken.
    var name = ""
    /// The type, without a subtype.
    var type = ""
    var port: UInt16 = 0
    var txt: [String] = []
    var subtypes: [String] = []
    var interface: String?
    var family: AddressFamily?
    var backend = BackendChoice.auto
    var isJSON = false
}

struct ReplayOptions: Equatable, Sendable {
    var path = ""
    var form = Options.Form.automatic
    /// The multiple of the recorded speed, 0 without waiting; `nil` for the default of the form.
    var speed: Double?
    /// The time at which the list is shown; `nil` to start at the beginning.
    var time: RecordingTime?
    var follows = false
    var screen = ScreenOptions()
}

struct DiffOptions: Equatable, Sendable {
    var first = ""
    var second = ""
    /// The time as of which they are compared; `nil` for their ends.
    var time: RecordingTime?
    var isJSON = false
}

struct ReportOptions: Equatable, Sendable {
    var recordings: [String] = []
    /// The path of the report; `-` for standard output, and empty if none was given.
    var output = ""
}

struct DoctorOptions: Equatable, Sendable {
    /// The broker to check instead of the network; its URL is `nil` to check the network.
    var broker = BrokerOptions()
    /// The file with the daemon's settings; `nil` for the usual one.
    var configuration: String?
    var patience = Duration.seconds(5)
    var isJSON = false
}

struct DevicesOptions: Equatable, Sendable {
    /// The identifier, the beginning of it, or the label of a device to remove.
    var forgotten: String?
    var isJSON = false
}

struct LabelOptions: Equatable, Sendable {
    /// The identifier, the beginning of it, or the present label of a device.
    var device = ""
    /// The label; empty to remove it.
    var label = ""
}

enum ConfigOptions: Equatable, Sendable {
    case print
    /// Check a file of settings; `nil` for the usual one.
    case check(String?)
}

enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }
