// Checks whether the D-Bus system bus, which connects programs with avahi-daemon, is reachable.
import Glibc
import PeerList

/// Checks the D-Bus system bus.
enum BusCheck {
    /// The result of connecting to the bus.
    struct Survey: Equatable, Sendable {
        var path: String
        /// The error number, or `nil` if the connection succeeded.
        var error: Int32?
    }

    /// Connects to the bus at an address (D-Bus specification, "Server Addresses"), or at the usual one.
    static func survey(address: String?) -> Survey {
        let path = path(in: address ?? "")
        return Survey(path: path, error: error(connectingTo: path))
    }

    /// Returns the path in an address such as `unix:path=/run/dbus/system_bus_socket,guid=…`.
    static func path(in address: String) -> String {
        for part in address.split(separator: ";") where part.hasPrefix("unix:") {
            for pair in part.dropFirst(5).split(separator: ",") where pair.hasPrefix("path=") {
                return String(pair.dropFirst(5))
            }
        }
        return "/run/dbus/system_bus_socket"
    }

    static func findings(for survey: Survey) -> [Finding] {
        let facts: [Finding.Fact] = [.init("path", .text(survey.path))]
        guard let error = survey.error else {
            return [Finding(.ok, "reachable at \(survey.path)", facts: facts)]
        }
        let reason = unsafe String(cString: strerror(error)).lowercased()
        return [
            Finding(
                .warning, "It is not reachable at \(survey.path): \(reason).",
                advice: """
                    start it with 'systemctl start dbus' (as root); a container can use the bus of \
                    its host: '-v /run/dbus:/run/dbus'
                    """, facts: facts)
        ]
    }

    private static func error(connectingTo path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            return ENAMETOOLONG
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let isConnected = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        return isConnected ? nil : errno
    }
}
