// The executable: reads the options, runs a session, ends with a status.
import Glibc
import PeerList

@main struct PeerListCommand {
    static func main() async {
        prepareProcess()
        let status: ExitStatus
        do throws(UsageError) {
            switch try Invocation(ProcessArguments.words(), interfaces: .system) {
            case .help(let command): status = printOut(HelpText.text(of: command))
            case .manual: status = printOut(ManualPage.text)
            case .config(let options): status = ConfigRun(options).run()
            case .version: status = printOut(Version.line + "\n")
            case .list(let options): status = try await ListRun(options).run()
            case .doctor(let options): status = await DoctorRun(options).run()
            case .announce(let options): status = await AnnounceRun(options).run()
            case .diff(let options): status = DiffRun(options).run()
            case .replay(let options): status = try await ReplayRun(options).run()
            }
        } catch {
            complain(error.description)
            status = .usage
        }
        exit(status.rawValue)
    }

    /// A reader that goes away is told of by `write`.
    private static func prepareProcess() {
        signal(SIGPIPE, SIG_IGN)
        // A descriptor that the caller closed would else be given to the next file that is opened.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // Open the wrong way round, so that using it fails as it did.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
