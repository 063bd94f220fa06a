// What a program of the system's prints, however it behaves.
import Glibc

/// Runs a program that prints something and ends.
///
/// - Parameters:
///   - words: The path of the program, and what it is told.
///   - limit: How long it may take; then it is ended.
/// - Returns: What it prints; `nil` where it cannot be run, ends with a failure or not in time, or says
///   more than is sensible.
func toolOutput(_ words: [String], within limit: Duration) -> [UInt8]? {
    var ends: [Int32] = [0, 0]
    guard let program = words.first, unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let status = unsafe posix_spawn(&child, program, &actions, nil, &arguments, environ)
    close(ends[1])
    let bytes = status == 0 ? readAll(from: ends[0], until: .now + limit) : nil
    // Whoever still writes must not wait for a reader.
    close(ends[0])
    guard status == 0 else { return nil }
    if bytes == nil { kill(child, SIGKILL) }
    var ending: Int32 = 0
    while unsafe waitpid(child, &ending, 0) < 0, errno == EINTR {}
    return ending == 0 ? bytes : nil
}

/// All that is written to a pipe; `nil` where its end does not come in time, or is too far.
private func readAll(from pipe: Int32, until end: ContinuousClock.Instant) -> [UInt8]? {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while all.count < 32 << 20, case let rest = end - .now, rest > .zero {
        var waiting = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, Int32(rest / .milliseconds(1)) + 1) > 0 else { continue }
        let count = unsafe read(pipe, &buffer, buffer.count)
        if count == 0 { return all }
        guard count > 0 else { return nil }
        all += buffer.prefix(count)
    }
    return nil
}
