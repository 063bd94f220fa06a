// A host name, and the network on which it is the name of one host.

/// A host name, and its network if hosts on other networks have the same name.
///
/// A host name is unique on a link only (RFC 6762, section 3): a machine on two networks may see a `printer.local` on
/// each. The host that is found first has no network here; each further one has the network on which it was found.
public struct HostName: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name, without a final dot, not escaped.
    public let name: String
    /// The first interface of this machine on the network; `nil` for the host that was found first.
    public let network: String?

    /// Creates the name of a host.
    public init(_ name: String, on network: String? = nil) {
        (self.name, self.network) = (name, network)
    }

    /// Creates the name of the host that was found first.
    public init(stringLiteral name: String) { self.init(name) }

    /// The text by which hosts are told apart: the canonical name, and the network after a NUL, which no name contains.
    package var key: String {
        let canonical = Identity.canonical(name)
        return network.map { "\(canonical)\0\($0)" } ?? canonical
    }

    /// Returns the canonical name of the host with a key.
    package static func canonical(ofKey key: String) -> String {
        guard let end = key.utf8.firstIndex(of: 0) else { return key }
        return String(key[..<end])
    }
}
