// The interfaces of this machine.
import Glibc

/// An interface of this machine, such as `eth0`.
///
/// Two interfaces are equal if their indexes are: an interface that is gone has no name any more.
public struct NetworkInterface: Sendable, Hashable {
    /// The kernel's index.
    public let index: Int32
    /// The name.
    public let name: String

    /// Creates an interface with an index and a name.
    public init(index: Int32, name: String) {
        self.index = index
        self.name = name
    }

    /// Finds the interface with a name on this machine; `nil` if there is none.
    public init?(named name: String) {
        let index = unsafe if_nametoindex(name)
        guard index != 0 else { return nil }
        self.init(index: Int32(index), name: name)
    }

    /// Finds the interface with an index on this machine; an interface that is gone is named `if`
    /// and its index.
    public init(index: Int32) {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        let found = unsafe if_indextoname(UInt32(bitPattern: index), &name) != nil
        self.init(index: index, name: found ? String(beforeNUL: name) : "if\(index)")
    }

    /// Whether this is the loopback interface.
    public var isLoopback: Bool { name == "lo" }

    /// Whether both have the same index.
    public static func == (left: NetworkInterface, right: NetworkInterface) -> Bool {
        left.index == right.index
    }

    /// Hashes the index.
    public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

extension String {
    /// Creates the text before the first NUL of a buffer that C has filled.
    package init(beforeNUL buffer: [CChar]) {
        self.init(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
