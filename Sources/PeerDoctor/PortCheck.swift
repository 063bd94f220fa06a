// Checks which programs listen on UDP port 5353.
import FoundationEssentials
import Glibc
import PeerModel
import PeerSystem
import PeerText

enum PortCheck {
    /// Returns the findings about listeners; `nil` means that they cannot be listed.
    static func findings(for listeners: [PortListener]?) -> [Finding] {
        guard let listeners else {
            return .one(
                .unknown, "The sockets of this machine cannot be listed.",
                advice: "check whether /proc is mounted")
        }
        guard !listeners.isEmpty else {
            return .one(
                .warning,
                "No program listens, so only programs with their own mDNS stack find others.",
                advice: "avahi-daemon should listen; see avahi-daemon below")
        }
        let hasAvahi = listeners.contains(where: \.isAvahi)
        return Dictionary(grouping: listeners) { [$0.program, $0.userName] }.values
            .map { finding($0, hasAvahi: hasAvahi) }
            .sorted { ($0.outcome, $0.text) < ($1.outcome, $1.text) }
    }

    /// Returns the finding about the sockets of one program, or of one user if the program is unknown.
    private static func finding(_ sockets: [PortListener], hasAvahi: Bool) -> Finding {
        let families = AddressFamily.allCases.filter { sockets.map(\.family).contains($0) }
        let processes = Set(sockets.compactMap(\.process)).sorted()
        let (program, user) = (sockets[0].program, sockets[0].userName)
        let over = "over \(families.titles)."
        func finding(_ outcome: DoctorOutcome, _ text: String, advice: String? = nil) -> Finding {
            let facts = [("user", Finding.Value.text(user)), ("families", .families(families))]
            return Finding(
                outcome, text, advice: advice,
                facts: facts + (program.map { [("program", .text($0))] } ?? []))
        }
        if sockets[0].isResolved {
            guard !hasAvahi else {
                return finding(
                    .warning, "systemd-resolved also listens \(over)",
                    advice: "it can receive replies that are meant for avahi-daemon; set "
                        + "MulticastDNS=no in /etc/systemd/resolved.conf, then run 'systemctl "
                        + "restart systemd-resolved' (as root)")
            }
            return finding(
                .ok,
                "systemd-resolved announces this machine \(over) peerlist uses its own stack "
                    + "beside it.")
        }
        switch program {
        case nil where user == "avahi": return finding(.ok, "avahi-daemon listens \(over)")
        case nil:
            return finding(
                .unknown, "A program of user '\(user)' listens \(over)",
                advice: "run 'sudo peerlist doctor' to identify it")
        case "avahi-daemon"? where processes.count > 1:
            let numbers = listed(processes.map(\.description))
            return finding(
                .warning, "\(processes.count) instances of avahi-daemon run: processes \(numbers).",
                advice: "stop all but one of them")
        case let name? where ["avahi-daemon", "peerlist-mdns"].contains(name):
            return finding(.ok, "\(name) listens \(over)")
        case let name?:
            return finding(.warning, "'\(name)' also listens \(over)", advice: advice(name))
        }
    }

    private static func advice(_ program: String) -> String {
        if ["mdnsd", "mDNSResponder", "mDNSResponderPo"].contains(program) {
            return "it is another mDNS stack, and can receive replies that are meant for "
                + "avahi-daemon; stop one of the two"
        }
        return "browsers and media players listen here too, which is harmless while they share the "
            + "port; if replies get lost, stop the program and try again"
    }
}

struct PortListener: Equatable, Sendable {
    var family: AddressFamily
    /// The name of the socket's owner, or the user ID if there is no name.
    var userName: String
    /// The program and process, if they are visible; other users' are visible only to root.
    var program: String?
    var process: Int32?

    private static let port = 5353
    /// The name and user of systemd-resolved; the kernel truncates the name to 15 bytes.
    private static let resolved = "systemd-resolve"

    var isAvahi: Bool { program.map { $0 == "avahi-daemon" } ?? (userName == "avahi") }
    var isResolved: Bool {
        program.map { $0.hasPrefix(Self.resolved) } ?? (userName == Self.resolved)
    }

    /// Returns the listeners in the tables of proc(5), without this process, or `nil` if these cannot be read.
    static func all() -> [PortListener]? {
        let tables = [("udp", AddressFamily.ipv4), ("udp6", .ipv6)].compactMap { name, family in
            readText("/proc/self/net/\(name)", limit: 32 << 20).map { (sockets(in: $0), family) }
        }
        guard !tables.isEmpty else { return nil }
        let owners = owners(of: Set(tables.flatMap { $0.0.map(\.inode) }))
        return tables.flatMap { table, family in
            table.map { socket in
                let owner = owners[socket.inode]
                let name = unsafe getpwuid(socket.user).map {
                    unsafe String(cString: $0.pointee.pw_name)
                }
                return PortListener(
                    family: family, userName: name ?? "\(socket.user)", program: owner?.program,
                    process: owner?.process)
            }
        }
        // The doctor itself listens to the link meanwhile.
        .filter { $0.process != getpid() }
    }

    /// Returns the sockets on the port in a table such as /proc/net/udp.
    static func sockets(in table: String) -> [(inode: String, user: UInt32)] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 9, let colon = words[1].lastIndex(of: ":"),
                Int(words[1][words[1].index(after: colon)...], radix: 16) == port,
                let user = UInt32(words[7])
            else { return nil }
            return (String(words[9]), user)
        }
    }

    /// Returns the processes that hold sockets, given the inodes of the sockets.
    private static func owners(
        of inodes: Set<String>
    ) -> [String: (program: String, process: Int32)] {
        var owners: [String: (program: String, process: Int32)] = [:]
        guard !inodes.isEmpty else { return owners }
        let files = FileManager.default
        let entries = (try? files.contentsOfDirectory(atPath: "/proc")) ?? []
        for process in entries.compactMap(Int32.init) {
            let folder = "/proc/\(process)"
            for entry in (try? files.contentsOfDirectory(atPath: "\(folder)/fd")) ?? [] {
                let path = "\(folder)/fd/\(entry)"
                guard let target = try? files.destinationOfSymbolicLink(atPath: path),
                    target.hasPrefix("socket:["),
                    case let inode = String(target.dropFirst(8).dropLast()), inodes.contains(inode)
                else { continue }
                let name = readText("\(folder)/comm")?.split(separator: "\n").first
                owners[inode] = (name.map(String.init) ?? "?", process)
            }
        }
        return owners
    }
}
