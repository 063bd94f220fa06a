// Looks for firewalls on this machine.
import Glibc
import PeerList

/// What can be seen of firewalls.
struct FirewallSurvey: Equatable, Sendable {
    /// The rules of nftables.
    enum Rules: Equatable, Sendable {
        case known(PacketFilter)
        /// There is no program to list them.
        case noTool
        /// Only root may list them.
        case forbidden
    }

    var rules: Rules
    /// Whether ufw is switched on.
    var hasUFW: Bool
    /// The zone of firewalld that interfaces are in by default, where firewalld runs.
    var zone: String?
    /// Whether that zone lets multicast DNS pass; `nil`: that cannot be read.
    var zonePasses: Bool?

    /// What can be seen now.
    static func system() -> FirewallSurvey {
        let isRunning = unsafe access("/run/firewalld", F_OK) == 0
        let zone =
            isRunning
            ? text(of: "/etc/firewalld/firewalld.conf").flatMap { setting("DefaultZone", in: $0) }
                ?? "public" : nil
        let ufw = text(of: "/etc/ufw/ufw.conf").flatMap { setting("ENABLED", in: $0) }
        return FirewallSurvey(
            rules: rules(), hasUFW: ufw == "yes", zone: zone, zonePasses: zone.flatMap(passes))
    }

    /// A setting in a file of lines such as `NAME=value`.
    static func setting(_ name: String, in text: String) -> String? {
        text.split(separator: "\n").last { $0.hasPrefix("\(name)=") }
            .map { $0.dropFirst(name.count + 1).filter { $0 != "\"" }.lowercased() }
    }

    private static func passes(zone: String) -> Bool? {
        guard !zone.contains("/") else { return nil }
        let folders = ["/etc/firewalld/zones", "/usr/lib/firewalld/zones"]
        return folders.lazy.compactMap { text(of: "\($0)/\(zone).xml") }.first
            .map { $0.contains("service name=\"mdns\"") || $0.contains("target=\"ACCEPT\"") }
    }

    private static func rules() -> Rules {
        let tools = ["/usr/sbin/nft", "/sbin/nft", "/usr/bin/nft"]
        guard let tool = tools.first(where: { unsafe access($0, X_OK) == 0 }) else {
            return .noTool
        }
        guard geteuid() == 0, let json = output(of: [tool, "--json", "list", "ruleset"]),
            let filter = PacketFilter(json: json)
        else { return .forbidden }
        return .known(filter)
    }
}

/// What a program prints, or `nil` where it cannot be run or ends with a failure.
private func output(of words: [String]) -> [UInt8]? {
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
    defer { close(ends[0]) }
    guard status == 0 else { return nil }
    let bytes = readAll(from: ends[0])
    var ending: Int32 = 0
    while unsafe waitpid(child, &ending, 0) < 0, errno == EINTR {}
    return ending == 0 ? bytes : nil
}
