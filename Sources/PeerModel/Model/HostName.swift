// The name of a host on a network, or what a device without a host name is told apart by.

/// A host name, and its network if hosts on other networks have the same name.
///
/// A host name is unique on a link only (RFC 6762, section 3): a machine on two networks may see a `printer.local` on
/// each. The host that is found first has no network here; each further one has the network on which it was found.
///
/// A device that is found by another protocol than multicast DNS has an endpoint instead of a name.
public struct HostName: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name, without a final dot, not escaped; empty if there is none.
    public let name: String
    /// The first interface of this machine on the network; `nil` for the host that was found first.
    public let network: String?
    /// The text that tells a device without a host name apart: `ssdp:uuid:` and a UUID; otherwise `nil`.
    package let endpoint: String?

    /// Creates the name of a host.
    public init(_ name: String, on network: String? = nil) {
        (self.name, self.network, endpoint) = (name, network, nil)
    }

    /// Creates the name of the host that was found first.
    public init(stringLiteral name: String) { self.init(name) }

    /// Creates the name of a device without a host name.
    package init(endpoint: String) { (name, network, self.endpoint) = ("", nil, endpoint) }

    /// The text by which hosts are told apart: the canonical name, and the network after a NUL, which no name contains;
    /// or a NUL and the endpoint.
    package var key: String {
        if let endpoint { return "\0\(endpoint)" }
        let canonical = Identity.canonical(name)
        return network.map { "\(canonical)\0\($0)" } ?? canonical
    }

    /// The identity by the name, or else by the endpoint.
    var identity: Identity { endpoint.map { Identity(endpoint: $0) } ?? Identity(host: name) }

    /// Returns the canonical name of the host with a key; the key itself of a device without a host name.
    package static func canonical(ofKey key: String) -> String {
        guard !isEndpoint(key), let end = key.utf8.firstIndex(of: 0) else { return key }
        return String(key[..<end])
    }

    /// Whether a key is of a device without a host name.
    static func isEndpoint(_ key: String) -> Bool { key.utf8.first == 0 }
}
