// The executable: parses the command line, runs the command, exits with its status.
import CMalloc
import Glibc
import PeerSession
import PeerText

@main struct PeerListCommand {
    static func main() async {
        prepareProcess()
        let status: ExitStatus
        do throws(UsageError) {
            switch try Invocation(words()) {
            case .help(let command): status = printOut(HelpText.text(of: command))
            case .manual: status = printOut(ManualPage.text)
            case .version: status = printOut(Version.line + "\n")
            case .completions(let shell): status = printOut(shell.completions)
            case .candidates(let words): status = printOut(Completion(words).answer)
            case .config(let options): status = try options.run()
            case .list(let options): status = try await options.run()
            case .expect(let options): status = try await options.runExpect()
            case .doctor(let options): status = try await options.run()
            case .announce(let options): status = await AnnounceRun(options).run()
            case .diff(let options): status = options.run()
            case .report(let options): status = try options.run()
            case .devices(let options): status = options.run()
            case .label(let options): status = options.run()
            case .forget(let options): status = try await options.run()
            }
        } catch {
            complain(error.description)
            status = Options.statusOfWrongUsage(CommandLine.arguments)
        }
        Progress.end()
        exit(status.rawValue)
    }

    private static func prepareProcess() {
        // `write` reports a closed pipe instead.
        signal(SIGPIPE, SIG_IGN)
        _ = ServiceManager.current
        // Tables of this size then get pages of their own, which are returned when a table has grown. By default, the
        // limit rises to the largest block that was freed, and the heap keeps their places.
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
        // The next file that is opened would otherwise take the place of a closed descriptor.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // Opened in the wrong direction, so that using it still fails.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Returns the words after the program's name.
    ///
    /// `CommandLine.arguments` replaces invalid bytes, which would change file names.
    ///
    /// - Throws: ``UsageError`` if a word is not valid UTF-8.
    private static func words() throws(UsageError) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
            guard let text = unsafe String(validatingCString: word) else {
                throw UsageError(
                    "\(quoted(unsafe String(cString: word))) is not valid UTF-8; write it in UTF-8")
            }
            words.append(text)
        }
        return words
    }
}
