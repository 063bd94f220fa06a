// The network interfaces of this machine, by name.
import Glibc

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
