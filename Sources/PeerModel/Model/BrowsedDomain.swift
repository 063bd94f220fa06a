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

    /// Whether a host name is in this domain.
    package func contains(host: String) -> Bool {
        Identity.canonical(host).utf8.reversed().starts(with: ".\(name)".utf8.reversed())
    }
}
