// SIGTERM as a descriptor, so that what is announced is withdrawn before the process ends.
import CSeccomp
import Glibc

/// Tells of SIGTERM: somebody ends the stack, or its owner's process died.
struct EndSignal {
    /// Readable once the signal came.
    let descriptor: Int32

    /// Blocks the signal, and asks for it when the owner dies.
    init() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigprocmask(SIG_BLOCK, &signals, nil)
        descriptor = unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC))
        // The end of standard input tells of the owner's death as well, but for a copy of it kept elsewhere.
        _ = pl_signal_on_parents_death(SIGTERM)
    }
}
