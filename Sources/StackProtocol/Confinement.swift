// What the helper process is to give up before it reads what strangers send.

/// The parts of the helper's confinement, each of which a system may refuse.
public struct Confinement: OptionSet, Hashable, Sendable {
    /// The parts, a bit each.
    public let rawValue: UInt8

    /// Parts by their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It is not root, or has none of root's capabilities.
    public static let user = Confinement(rawValue: 1)
    /// It cannot gain privileges by starting a program.
    public static let privileges = Confinement(rawValue: 2)
    /// Its files and processes are limited.
    public static let limits = Confinement(rawValue: 4)
    /// It can make few system calls.
    public static let systemCalls = Confinement(rawValue: 8)

    /// All parts.
    public static let all: Confinement = [.user, .privileges, .limits, .systemCalls]
}
