// Who listens on UDP port 5353, as the system's tables tell it.
import FoundationEssentials
import Glibc
import PeerList

/// A socket that is bound to UDP port 5353.
struct PortListener: Equatable, Sendable {
    /// Its family.
    var family: AddressFamily
    /// The number of the user whose it is.
    var user: UInt32
    /// The name of that user, where it has one.
    var userName: String?
    /// The program and its process, where they can be seen: of others' processes by root alone.
    var program: String?
    var process: Int32?

    /// The port of multicast DNS.
    static let port = 5353

    /// The listeners that the system tells of.
    ///
    /// - Parameter proc: Where proc(5) is mounted.
    /// - Returns: `nil` where its tables cannot be read.
    static func all(proc: String = "/proc") -> [PortListener]? {
        let tables = [("udp", AddressFamily.ipv4), ("udp6", .ipv6)].compactMap { name, family in
            text(of: "\(proc)/self/net/\(name)").map { (sockets(in: $0), family) }
        }
        guard !tables.isEmpty else { return nil }
        let wanted = Set(tables.flatMap { table, _ in table.map(\.inode) })
        let owners = wanted.isEmpty ? [:] : owners(of: wanted, proc: proc)
        return tables.flatMap { table, family in
            table.map { socket in
                let owner = owners[socket.inode]
                return PortListener(
                    family: family, user: socket.user, userName: name(ofUser: socket.user),
                    program: owner?.program, process: owner?.process)
            }
        }
    }

    /// The sockets at the port in a table such as /proc/net/udp.
    static func sockets(in table: String) -> [(inode: String, user: UInt32)] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count > 9, let colon = words[1].lastIndex(of: ":"),
                Int(words[1][words[1].index(after: colon)...], radix: 16) == port,
                let user = UInt32(words[7])
            else { return nil }
            return (String(words[9]), user)
        }
    }

    /// The processes that hold sockets, as far as this one may look.
    private static func owners(
        of inodes: Set<String>, proc: String
    ) -> [String: (program: String, process: Int32)] {
        var owners: [String: (program: String, process: Int32)] = [:]
        for process in entries(of: proc).compactMap({ Int32($0) }) {
            for entry in entries(of: "\(proc)/\(process)/fd") {
                guard let target = target(of: "\(proc)/\(process)/fd/\(entry)"),
                    target.hasPrefix("socket:["), target.hasSuffix("]"),
                    case let inode = String(target.dropFirst(8).dropLast()),
                    inodes.contains(inode), owners[inode] == nil
                else { continue }
                let name = text(of: "\(proc)/\(process)/comm")?.split(separator: "\n").first
                owners[inode] = (name.map(String.init) ?? "?", process)
            }
        }
        return owners
    }

    private static func name(ofUser user: UInt32) -> String? {
        unsafe getpwuid(user).map { unsafe String(cString: $0.pointee.pw_name) }
    }

    /// What is in a directory; nothing where others may not look.
    private static func entries(of directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }

    private static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = unsafe readlink(link, &buffer, buffer.count)
        let bytes = buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:))
        return count > 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
