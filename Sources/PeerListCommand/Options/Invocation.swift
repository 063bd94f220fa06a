// The result of parsing a command line: a command with its options, or an error.
import PeerDoctor
import PeerExpect
import PeerExport
import PeerFleet
import PeerHooks
import PeerModel
import PeerRecording
import PeerScreen
import PeerText

enum Invocation: Equatable, Sendable {
    case list(Options)
    /// The list of a recording that the program brings along.
    case demo(Options)
    /// The comparison of a list with a file of expectations.
    case expect(Options)
    case doctor(DoctorOptions)
    case announce(AnnounceOptions)
    case diff(DiffOptions)
    case report(ReportOptions)
    case devices(DevicesOptions)
    case label(LabelOptions)
    case config(ConfigOptions)
    case forget(ForgetOptions)
    case completions(Shell)
    /// Complete the last of the words.
    case candidates([String])
    /// The help of a command, short or with every option.
    case help(CommandName, isAll: Bool = false)
    case manual
    case version
}

/// The names of the commands; without one, the command is `list`.
package enum CommandName: String, CaseIterable, Sendable {
    case list = ""
    case demo, fleet, pick, doctor, announce, types, devices, label, replay, diff, export, report
    case expect
    case config
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

/// Options of a command that may take long.
protocol ProgressOptions: Sendable {
    /// Whether a line on the terminal shows where the command is.
    var showsProgress: Bool { get set }
}

/// A list: its source, its destination, and what is done besides.
struct Options: Equatable, ProgressOptions {
    enum Source: Equatable, Sendable {
        case link
        /// The observers of the broker.
        case fleet
        case recording(RecordingOptions)
    }

    enum Destination: Equatable, Sendable {
        /// The live list on a terminal, otherwise sentences.
        case screen
        case sentences
        /// JSON lines.
        case lines
        case table
        /// The number of services of each type, as a table or as JSON lines.
        case types(isJSON: Bool)
        case export(ExportOptions)
        /// A page that is kept up to date.
        case report(ReportOptions)
        /// The comparison with a file of expectations.
        case expect(ExpectOptions)
        /// The live list, to print the chosen rows.
        case pick(PickOptions)
        case nothing
    }

    var source = Source.link
    var destination = Destination.screen
    var list = ListOptions()
    var interface: String?
    var family: AddressFamily?
    var domain: String?
    var backend = BackendChoice.auto
    /// Whether the packets on the link are listened to.
    var usesWitness = true
    /// The protocols that the options name, of which types name theirs.
    var protocols: Set<DiscoveryProtocol> = []
    /// Whether devices that are found by these protocols are asked for their descriptions.
    var fetchesDescriptions = true
    /// Whether the list tells who answers for each device.
    var showsVouching = false
    /// The capture to which the packets on the link are appended.
    var capture: String?
    /// The file to which the JSON lines are written too.
    var output: String?
    var sync = SyncPolicy.standard
    /// The programs to run at changes of the list.
    var hooks: [Hook] = []
    /// The events that were given before the first hook.
    var eventsBeforeHooks: Set<Hook.Event> = []
    /// The time of a `--for` before the first `--exec`.
    var absenceBeforeHooks: Duration?
    /// Whether to wait until discovery is quiet, write the list, and exit.
    var once = false
    var showsProgress = true
    var hasHeading = true
    var timeout = Duration.seconds(5)
    var screen = ScreenOptions()
    /// The name under which this machine is announced, empty for its host name; `nil` if it is not announced.
    var announcement: String?
    /// Whether devices are recognised by the ledger, and noted in it.
    var usesLedger = true
    /// The broker to which the list is published, or from which a fleet's list is read.
    var broker = BrokerOptions()
    /// The observer to remove from a fleet, instead of a list.
    var forgotten: String?

    var recording: RecordingOptions {
        get { if case .recording(let recording) = source { recording } else { .init() } }
        set { source = .recording(newValue) }
    }

    var export: ExportOptions {
        get { if case .export(let export) = destination { export } else { ExportOptions() } }
        set { destination = .export(newValue) }
    }

    var report: ReportOptions {
        get { if case .report(let report) = destination { report } else { ReportOptions() } }
        set { destination = .report(newValue) }
    }

    var expect: ExpectOptions {
        get { if case .expect(let expect) = destination { expect } else { ExpectOptions() } }
        set { destination = .expect(newValue) }
    }

    var pick: PickOptions {
        get { if case .pick(let pick) = destination { pick } else { PickOptions() } }
        set { destination = .pick(newValue) }
    }
}

/// A recording that is played or exported.
struct RecordingOptions: Equatable, Sendable {
    var path = ""
    /// The time of the list to show or export; `nil` for the start, or for the end in an export.
    var time: RecordingTime?
    /// The multiple of the recorded speed, 0 without waiting; `nil` for the default of the destination.
    var speed: Double?
    var follows = false
}

struct BrokerOptions: Equatable, Sendable {
    var url: BrokerURL?
    /// Further brokers of a fleet, to which the same login applies.
    var others: [BrokerURL] = []
    /// The observers of a fleet that are read.
    var selection = FleetSelection()
    /// The sites whose observers are believed before others, the most trusted first.
    var trusted: [String] = []
    var passwordFile: String?
    var caFile: String?
    var certificate: String?
    var key: String?
    var site = FleetTopics.standardSite
    /// The topic below which Home Assistant looks for devices; `nil` if it gets no messages.
    var homeAssistant: String?
    /// The time after which a device that is gone is not at home for Home Assistant.
    var considerHome = HomeTrackers.standardTime
}

struct ForgetOptions: Equatable, Sendable {
    /// The name of an observer, or `SITE/OBSERVER`.
    var observer: String
    var broker: BrokerOptions
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
    /// Whether the recording is the demo, which says so.
    var isDemo = false
    /// The order of the rows; `nil` for the settings' order.
    var sort: RowSort?
    /// The grouping of the rows; `nil` for the settings' one.
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

struct DiffOptions: Equatable, ProgressOptions {
    var showsProgress = true
    var first = ""
    var second = ""
    /// The time at which they are compared; `nil` for their ends.
    var time: RecordingTime?
    var isJSON = false
}

struct ReportOptions: Equatable, ProgressOptions {
    var showsProgress = true
    var recordings: [String] = []
    /// The path of the report; `-` for standard output, and empty if none was given.
    var output = ""
    /// The path of a page that is kept up to date; `nil` for a report on recordings alone.
    var watched: String?
    /// The path of a file of expectations; the page shows their faults first.
    var expected: String?
}

/// The options of `peerlist expect`.
struct ExpectOptions: Equatable, Sendable {
    /// The path of the file of expectations.
    var path = ""
    /// The content of the file, once it is read.
    var file = ExpectationFile()
    var format = ExpectationFormat.plugin
    /// Whether to stay, and to write faults as they begin and end.
    var watches = false
    /// Whether to write a file of expectations instead.
    var writes = false
    /// Whether that is made of the ledger.
    var readsLedger = false
    /// The recordings to read, one after the other.
    var recordings: [String] = []
    var hooks: [FaultHook] = []
    /// The events that were given before the first hook.
    var eventsBeforeHooks: Set<FaultEvent.Kind> = []
}

struct DoctorOptions: Equatable, ProgressOptions {
    var showsProgress = true
    /// The broker to check instead of the network; its URL is `nil` to check the network.
    var broker = BrokerOptions()
    var doctor = Doctor()
}

struct DevicesOptions: Equatable, Sendable {
    /// The identifier, label or name of a device to remove.
    var forgotten: String?
    var isJSON = false
}

struct LabelOptions: Equatable, Sendable {
    /// The identifier, label or name of a device.
    var device = ""
    /// The label; empty to remove it.
    var label = ""
}

enum ConfigOptions: Equatable, Sendable {
    /// Print the path of the usual file and the settings in it.
    case show
    /// Print the default settings.
    case print
    /// Check a file of settings; `nil` for the usual one.
    case check(String?)
}

enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }
