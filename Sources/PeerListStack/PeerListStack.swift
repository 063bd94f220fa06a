// The executable `peerlist-mdns`: an mDNS stack in a separate process, for systems without a daemon.
import CSeccomp
import Glibc
import StackProtocol

/// Reads requests from standard input and writes events to standard output, one frame each.
///
/// It parses packets from strangers, so it runs with as few privileges as possible,
/// and its crash does not end peerlist. It exits at the end of standard input.
@main struct PeerListStack {
    static func main() {
        if isatty(STDIN_FILENO) == 1 { refuse("it is started by peerlist, not by hand") }
        Sandbox.closeInherited()
        signal(SIGPIPE, SIG_IGN)
        // A crash starts no backtracer, which the system call filter would not allow.
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
        let pipe = EventPipe()
        guard let settings = pipe.greeting() else { exit(EXIT_FAILURE) }
        var missing = Sandbox.dropRoot()
        let end = EndSignal()
        let server = StackServer(settings, pipe)
        missing.formUnion(Sandbox.close())
        if !missing.isEmpty { pipe.send(.unconfined(missing)) }
        pipe.open()
        server.run(until: end)
        // Nothing is left to clean up, and the filter forbids what a sanitizer does at exit.
        _exit(EXIT_SUCCESS)
    }
}

/// Exits with a reason on standard error.
func refuse(_ reason: String) -> Never {
    log("peerlist-mdns: \(reason)")
    exit(EXIT_FAILURE)
}

/// Writes a line to standard error, of which peerlist keeps the last ones.
func log(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
}

/// Receives SIGTERM as a descriptor, so that announced services are withdrawn before the exit.
struct EndSignal {
    /// Readable when the signal has been received.
    let descriptor: Int32

    /// Blocks the signal, and requests it for the parent's death.
    init() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigprocmask(SIG_BLOCK, &signals, nil)
        descriptor = unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC))
        // Standard input ends too when the parent dies, unless another process has a copy of it.
        _ = pl_signal_on_parents_death(SIGTERM)
    }
}
