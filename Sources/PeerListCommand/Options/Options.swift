// What the user asks for, as a value.
import PeerList
import PeerRecording

/// What the user asks for.
struct Options: Equatable, Sendable {
    /// How the list is given out on standard output.
    enum Form: Equatable, Sendable {
        /// The live list on a terminal, else lines in words.
        case automatic
        /// Lines in words.
        case plain
        /// JSON lines.
        case json
    }

    /// What is given out.
    enum Subject: Equatable, Sendable {
        /// Who is there.
        case peers
        /// Of which types services are there, and how many.
        case types
    }

    /// The name under which this machine is announced.
    enum Announcement: Equatable, Sendable {
        /// Its host name.
        case hostName
        /// This name: valid UTF-8, 1 to 63 bytes.
        case name(String)
    }

    /// Only peers that offer one of these, and of them only these services; none means all.
    var types: [ServiceType] = []
    /// What is given out of it all.
    var subject = Subject.peers
    /// What the rows are.
    var grouping = Grouping.device
    /// By what the rows of a section are ordered.
    var sort = SortOrder.name
    /// The one interface to look at; it was there when the options were read.
    var interface: String?
    /// The one address family to look at.
    var family: AddressFamily?
    /// The one domain to browse, without its final dot.
    var domain: String?
    /// Who may be asked.
    var backend = BackendChoice.auto
    /// How the list is given out.
    var form = Form.automatic
    /// The file that the JSON lines are appended to.
    var output: String?
    /// How soon that file's lines are on the disk.
    var sync = SyncPolicy.standard
    /// Whether to wait until discovery is quiet, print, and exit.
    var once = false
    /// Whether tables have a heading.
    var hasHeading = true
    /// The hard deadline of ``once``.
    var timeout = Duration.seconds(5)
    /// How the live list looks.
    var screen = ScreenOptions()
    /// Whether and how this machine is announced.
    var announcement: Announcement?
}

/// What the command line asks the program to do.
enum Invocation: Equatable, Sendable {
    /// Show the list.
    case list(Options)
    /// Say what stands between this machine and the others.
    case doctor(DoctorOptions)
    /// Announce a service.
    case announce(AnnounceOptions)
    /// Compare two recordings.
    case diff(DiffOptions)
    /// Show a recording again.
    case replay(ReplayOptions)
    /// Print or check settings.
    case config(ConfigOptions)
    /// Print the help of a command.
    case help(CommandName)
    /// Print the manual page.
    case manual
    /// Print the version.
    case version
}
