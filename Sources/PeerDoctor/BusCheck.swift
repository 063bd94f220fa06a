// Checks whether the D-Bus system bus, which connects programs with avahi-daemon, is reachable.
import Glibc
import PeerModel

struct BusCheck: Equatable, Sendable {
    var path: String
    /// The error number, or `nil` if the connection succeeded.
    var error: Int32?

    var findings: [Finding] {
        let facts = [("path", Finding.Value.text(path))]
        guard let error else { return .one(.ok, "reachable at \(path)", facts: facts) }
        let reason = unsafe String(cString: strerror(error)).lowercased()
        return .one(
            .warning, "It is not reachable at \(path): \(reason).",
            advice:
                "start it with 'systemctl start dbus' (as root); a container can use the bus of "
                + "its host: '-v /run/dbus:/run/dbus'", facts: facts)
    }

    /// Returns the path in an address such as `unix:path=/run/dbus/system_bus_socket,guid=…` (D-Bus
    /// specification, "Server Addresses"), or the usual one.
    static func path(in address: String) -> String {
        let match = address.firstMatch(of: /(?:^|;)unix:(?:[^;]*,)?path=([^;,]*)/)
        return match.map { String($0.1) } ?? "/run/dbus/system_bus_socket"
    }
}

extension BusCheck {
    init(address: String?) {
        path = Self.path(in: address ?? "")
        error = Self.failureToConnect(to: path)
    }

    /// Returns the error number of a connection to a unix socket, or `nil` if it succeeds.
    static func failureToConnect(to path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            return ENAMETOOLONG
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8)
        }
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
