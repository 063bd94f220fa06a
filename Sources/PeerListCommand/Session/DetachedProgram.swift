// A program that is started and left to itself.
import Glibc
import PeerList

/// Starts a program beside this one, in a process group of its own: what it writes goes nowhere, and
/// no key of this terminal reaches it.
///
/// - Parameter command: The program, found by `PATH`, and its arguments; no shell reads them.
/// - Returns: 0, or the number of the error for which it could not be started.
func startDetached(_ command: [String]) -> Int32 {
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        unsafe posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var words = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var child: pid_t = 0
    guard let program = command.first else { return EINVAL }
    let code = unsafe posix_spawnp(&child, program, &files, &attributes, &words, environ)
    guard code == 0 else { return code }
    // Somebody must take note of its end; where there is no thread for that, init does so after ours.
    _ = startThread { [child] in _ = waitpid(child, nil, 0) }
    return 0
}
