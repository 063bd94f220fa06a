// Is there a D-Bus system bus, over which avahi-daemon is asked?
import Glibc

/// Looks for the system bus, and judges what was found.
enum BusCheck {
    /// Where the bus was looked for, and why it could not be reached.
    struct Survey: Equatable, Sendable {
        var path: String
        /// The error's number; `nil`: it answers.
        var error: Int32?
    }

    /// Connects to the bus.
    static func survey(environment variable: (String) -> String?) -> Survey {
        let path = path(in: variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "")
        return Survey(path: path, error: error(connectingTo: path))
    }

    /// The path in an address such as `unix:path=/run/dbus/system_bus_socket,guid=…`; the usual one
    /// where there is none.
    static func path(in address: String) -> String {
        for part in address.split(separator: ";") where part.hasPrefix("unix:") {
            for pair in part.dropFirst(5).split(separator: ",") where pair.hasPrefix("path=") {
                return String(pair.dropFirst(5))
            }
        }
        return "/run/dbus/system_bus_socket"
    }

    static func findings(for survey: Survey) -> [Finding] {
        let facts = [Finding.Fact("path", .text(survey.path))]
        guard let error = survey.error else {
            return [Finding(.ok, "It answers at \(survey.path).", facts: facts)]
        }
        let reason = unsafe String(cString: strerror(error)).lowercased()
        return [
            Finding(
                .warning, "It cannot be reached at \(survey.path): \(reason).",
                advice: """
                    start it with 'systemctl start dbus' (as root); a container can share that of \
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
