// Decides which names from the link are in the domain that is browsed.

/// The domain that is browsed, such as `local`.
///
/// Anyone on the link can announce a service or a host of any domain, so a name in another domain may belong to a
/// machine elsewhere.
package struct BrowsedDomain: Hashable, Sendable {
    /// The domain in canonical form.
    package let name: String

    /// Creates the wanted domain, or else the domain of this machine's host name, or else `local`.
    package init(_ wanted: String? = nil, ofHost host: String = "") {
        let own = host.split(separator: ".", maxSplits: 1).dropFirst().first.map(String.init)
        name = Identity.canonical(wanted ?? own ?? "local")
    }

    /// Whether a domain is the same as this domain.
    package func isSame(as domain: String) -> Bool { Identity.canonical(domain) == name }

    /// Returns the host name of a peer if it stands for that peer alone: it is in this domain, and no machine on another
    /// network has it.
    package func hostName(of peer: Peer) -> String? {
        guard let host = peer.host, contains(host: host), peer.identity.network == nil else {
            return nil
        }
        return host
    }

    /// Whether a host name is in this domain.
    package func contains(host: String) -> Bool {
        Identity.canonical(host).utf8.reversed().starts(with: ".\(name)".utf8.reversed())
    }
}
