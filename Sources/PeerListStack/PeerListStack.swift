// The executable `peerlist-mdns`: an mDNS stack in a separate process, for systems without a daemon; a witness that
// listens beside either; or a reader of SSDP and WS-Discovery.
import Glibc
import SilentProtocol
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
        // The limit of a file is an error of write(2), not the end.
        signal(SIGXFSZ, SIG_IGN)
        // A crash starts no backtracer, which the system call filter would not allow.
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
        switch CommandLine.arguments.dropFirst().first {
        case witnessArgument: runWitness()
        case silentArgument: runSilent()
        default: runStack()
        }
        // Nothing is left to clean up, and the filter forbids what a sanitizer does at exit.
        _exit(EXIT_SUCCESS)
    }
    private static func runStack() {
        let pipe = EventPipe()
        guard let settings = pipe.greeting() else { exit(EXIT_FAILURE) }
        var missing = Sandbox.dropRoot()
        let end = EndSignal()
        let server = StackServer(settings, pipe)
        missing.formUnion(Sandbox.close(as: .stack))
        if !missing.isEmpty { pipe.send(.unconfined(missing)) }
        pipe.open()
        server.run(until: end)
    }

    private static func runWitness() {
        let pipe = RequestPipe<WitnessRequest, WitnessEvent>()
        guard pipe.greet(with: .hello(version: protocolVersion)) else { exit(EXIT_FAILURE) }
        let (end, missing) = confine(.witness)
        pipe.send((missing.isEmpty ? [] : [.unconfined(missing)]) + [.listening])
        WitnessServer(pipe).run(until: end)
    }

    private static func runSilent() {
        let pipe = RequestPipe<SilentRequest, SilentEvent>()
        guard pipe.greet(with: .hello(version: protocolVersion)) else { exit(EXIT_FAILURE) }
        let (end, missing) = confine(.reader)
        pipe.send((missing.isEmpty ? [] : [.unconfined(missing)]) + [.listening])
        SilentServer(pipe).run(until: end)
    }

    private static func confine(_ role: Sandbox.Role) -> (EndSignal, missing: Confinement) {
        var missing = Sandbox.dropRoot()
        let end = EndSignal()
        missing.formUnion(Sandbox.close(as: role))
        return (end, missing)
    }
}
