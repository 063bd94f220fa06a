// The executable: parses the command line, runs the command, exits with its status.
import CMalloc
import CProgram
import Glibc
import PeerSession
import PeerSystem
import PeerText

@main struct PeerListCommand {
    static func main() async {
        prepareProcess()
        let status: ExitStatus
        var words: [String] = []
        do throws(UsageError) {
            words = try Self.words()
            let invocation = try Invocation(words)
            if invocation.isConcurrent, let missing = ProcessResource.missing {
                complain(missing.advice)
                status = Options.status(.failure, of: words)
            } else {
                status = try await run(invocation)
            }
        } catch {
            complain(error.description)
            status = Options.status(.usage, of: words)
        }
        Progress.end()
        exit(status.rawValue)
    }

    private static func run(_ invocation: Invocation) async throws(UsageError) -> ExitStatus {
        switch invocation {
        case .help(let command, let isAll): printOut(HelpText.text(of: command, isAll: isAll))
        case .manual: printOut(ManualPage.text)
        case .version: printOut(Version.line + "\n")
        case .completions(let shell): printOut(shell.completions)
        case .candidates(let words): printOut(Completion(words).answer)
        case .config(let options): try options.run()
        case .list(let options): try await options.run()
        case .demo(let options): try await options.runDemo()
        case .expect(let options): try await options.runExpect()
        case .doctor(let options): try await options.run()
        case .announce(let options): await AnnounceRun(options).run()
        case .diff(let options): options.run()
        case .report(let options): try await options.run()
        case .devices(let options): options.run()
        case .label(let options): options.run()
        case .forget(let options): try await options.run()
        }
    }

    private static func prepareProcess() {
        silence_libraries()
        // `write` reports a closed pipe instead.
        signal(SIGPIPE, SIG_IGN)
        remove_crash_handlers()
        _ = ServiceManager.current
        // Tables of this size then get pages of their own, which are returned when a table has grown. By default, the
        // limit rises to the largest block that was freed, and the heap keeps their places.
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
        // The heaps of threads are not to take the address space that other threads need for their stacks.
        var space = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0,
            space.rlim_cur != ~0
        {
            mallopt(M_ARENA_MAX, 1)
        }
        // The next file that is opened would otherwise take the place of a closed descriptor.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // Opened in the wrong direction, so that using it still fails.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Returns the words after the program's name.
    ///
    /// `CommandLine.arguments` replaces invalid bytes, which would change file names, and needs /proc.
    ///
    /// - Throws: ``UsageError`` if a word is not valid UTF-8.
    private static func words() throws(UsageError) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(program_argument_count())) {
            guard let word = unsafe program_arguments()?[index] else { break }
            guard let text = unsafe String(validatingCString: word) else {
                throw UsageError(
                    "\(quoted(unsafe String(cString: word))) is not valid UTF-8; write it in UTF-8")
            }
            words.append(text)
        }
        return words
    }
}

extension Invocation {
    /// Whether the command has several threads. Without them, what does not use the network or a recording works on
    /// any machine.
    fileprivate var isConcurrent: Bool {
        switch self {
        case .list, .demo, .expect, .doctor, .announce, .forget, .report: true
        case .diff, .devices, .label, .config, .completions, .candidates, .help, .manual,
            .version:
            false
        }
    }
}

extension ProcessResource {
    /// The problem and what to do.
    fileprivate var advice: String {
        switch self {
        case .threadStates:
            "the file system /proc is not there; mount it with 'mount -t proc proc /proc'"
        case .threads:
            """
            the limit of processes and threads is too low: \(Self.threadCount) more are needed; raise it with \
            'ulimit -u', with TasksMax= of the service or --pids-limit of the container
            """
        case .memory:
            """
            the limit of memory is too low for \(Self.threadCount) threads; raise it with 'ulimit -v' and \
            'ulimit -d'
            """
        case .descriptors:
            """
            the limit of open files is too low: \(Self.descriptorCount) more are needed; raise it with \
            'ulimit -n', or with LimitNOFILE= of the service
            """
        }
    }
}
