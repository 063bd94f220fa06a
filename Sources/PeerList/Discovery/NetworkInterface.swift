// The interfaces of this machine.
import Glibc

/// An interface of this machine, such as `eth0`.
public struct NetworkInterface: Sendable, Hashable {
    /// The kernel's number for it.
    public let index: Int32
    /// Its name.
    public let name: String

    /// An interface by number and name.
    public init(index: Int32, name: String) {
        self.index = index
        self.name = name
    }

    /// The interface of this name on this machine, or `nil`.
    public init?(named name: String) {
        let index = unsafe if_nametoindex(name)
        guard index != 0 else { return nil }
        self.init(index: Int32(index), name: name)
    }

    /// The interface of this number on this machine; one that is gone is called `if` and its number.
    public init(index: Int32) {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        let found = unsafe if_indextoname(UInt32(index), &name) != nil
        let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        self.init(
            index: index, name: found ? String(decoding: bytes, as: UTF8.self) : "if\(index)")
    }

    /// Whether it is the loopback, on which this machine hears itself.
    public var isLoopback: Bool { name == "lo" }
}
