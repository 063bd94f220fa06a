// Says of addresses whether they can work from here.
package import PeerModel

extension Peer {
    /// The addresses in the order in which to try them, and then the loopback addresses that the peer announces beside them.
    package var announcedAddresses: [String] {
        addressesByReach + reach.keys.filter { !addresses.contains($0) }.sorted()
    }

    /// Returns why an address of the peer may not work, as a clause; `nil` if nothing speaks against it.
    package func obstacle(at address: String) -> String? {
        switch reach[address] {
        case .here, nil: nil
        case .routed: "behind a router"
        case .routedByDefault: "only the default route leads there"
        case .nowhere: "no route leads there"
        case .impossible: Self.impossibility(of: address) + ": others wait for it in vain"
        }
    }

    private static func impossibility(of address: String) -> String {
        switch ParsedAddress(address)?.kind {
        case "loopback": "every machine's address for itself"
        case "unspecified", "this network", "multicast", "reserved": "no address of a machine"
        case "link-local": "of another link"
        default: "not on this link"
        }
    }
}
