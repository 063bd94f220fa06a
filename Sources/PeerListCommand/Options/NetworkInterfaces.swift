// The network interfaces of this machine, by name.
import Glibc
import PeerList

/// The network interfaces that a name can mean.
struct NetworkInterfaces: Sendable {
    /// Whether there is one of this name.
    let exists: @Sendable (String) -> Bool

    /// The names of all of them.
    let names: @Sendable () -> [String]

    /// Those that the system knows now; also by their alternative names.
    static let system = NetworkInterfaces(
        exists: { unsafe if_nametoindex($0) != 0 }, names: systemNames)
}

private func systemNames() -> [String] {
    guard let list = unsafe if_nameindex() else { return [] }
    defer { unsafe if_freenameindex(list) }
    var names: [String] = []
    var entry = unsafe list
    while let name = unsafe entry.pointee.if_name {
        names.append(unsafe String(cString: name))
        unsafe entry += 1
    }
    return names
}

/// The interfaces that multicast DNS works on, each with its first address, in a few words:
/// `eth0 10.0.0.2, wlan0 10.1.0.7`; empty where there is none.
///
/// - Parameter name: The only interface that is used; `nil` for all.
/// - Returns: At most three of them, and how many more there are.
func listenedInterfaces(_ name: String?) -> String {
    let used = LocalInterface.all().filter {
        $0.isUsable && (name == nil || name == $0.interface.name)
    }
    let words = used.prefix(3).map { used in
        used.interface.name + (used.addresses.first.map { " " + $0.address.description } ?? "")
    }
    let more = used.count > words.count ? ["\(used.count - words.count) more"] : []
    return (words + more).joined(separator: ", ")
}
