// The executable `peerlist-mdns`: an mDNS stack in a process of its own, for lack of a daemon.
import Glibc
import StackProtocol

/// Reads requests from standard input and writes events to standard output, one frame each.
///
/// It parses what strangers send, so it runs with as few rights as it can do
/// with, and its end is not its owner's. It ends when standard input does.
@main struct PeerListStack {
    static func main() {
        if isatty(STDIN_FILENO) == 1 { refuse("it is started by peerlist, not by hand") }
        Sandbox.closeInherited()
        signal(SIGPIPE, SIG_IGN)
        // A crash is an end like another; nobody is to be started who would look into it.
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
        // Nothing is left to be tidied up, and what a sanitizer would do at exit is forbidden here.
        _exit(EXIT_SUCCESS)
    }
}

/// Says on standard error why the program ends, and ends it.
func refuse(_ reason: String) -> Never {
    log("peerlist-mdns: \(reason)")
    exit(EXIT_FAILURE)
}

/// Writes a line to standard error, which the owner keeps the last of.
func log(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
}
