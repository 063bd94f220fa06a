// Feeds a list with events that are one second apart.
import FoundationEssentials
package import PeerModel

/// A list, and a clock that advances one second with each event.
package final class EventScript {
    package var listing: PeerListing
    package private(set) var notices: [Notice] = []
    private var seconds: Int64 = 0

    package init(
        _ options: ListOptions = ListOptions(),
        makerOf: @escaping @Sendable (MACAddress) -> String? = { _ in nil }
    ) {
        listing = PeerListing(options: options, makerOf: makerOf)
    }

    /// Feeds an event and returns the update.
    @discardableResult
    package func feed(_ kind: DiscoveryEvent.Kind) -> PeerListUpdate? {
        seconds += 1
        let outcome = listing.apply(DiscoveryEvent(kind, at: time))
        notices += outcome.notices
        return outcome.update
    }

    /// Lets time pass before the next event.
    package func pause(seconds: Int64) { self.seconds += seconds }

    /// The time of the last event.
    package var time: Timestamp { Timestamp(microseconds: seconds * 1_000_000) }

    /// Feeds the discovery and the resolution of a service on one path; the number in the name of the host is
    /// that of its address.
    @discardableResult
    package func bring(
        _ name: String, _ type: String = "_http._tcp", on host: String, txt: [String] = []
    ) -> PeerListUpdate? {
        feed(.found(sighting(name, type)))
        return feed(
            .resolved(key(name, type), resolution(host, txt: txt, address: address(ofHost: host))))
    }

    /// All items in order.
    package var items: [ListItem] { listing.sections.flatMap(\.items) }

    /// The services, in order.
    package var services: [ListItem] { items.filter(\.isService) }

    /// The peers, in order.
    package var peers: [Peer] { items.filter { !$0.isService }.map(\.peer) }
}

package let eth0 = NetworkInterface(index: 2, name: "eth0")
package let eth1 = NetworkInterface(index: 3, name: "eth1")
package let loopback = NetworkInterface(index: 1, name: "lo")

package func key(_ name: String, _ type: String = "_http._tcp") -> ServiceKey {
    ServiceKey(name: name, type: type, domain: "local")
}

package func sighting(
    _ name: String, _ type: String = "_http._tcp", on interface: NetworkInterface = eth0,
    _ family: AddressFamily = .ipv4, subtype: String? = nil
) -> Sighting {
    Sighting(service: key(name, type), interface: interface, family: family, subtype: subtype)
}

package func resolution(
    _ host: String, port: UInt16 = 80, txt: [String] = [], address: HostAddress? = address(1)
) -> Resolution {
    Resolution(
        host: host, port: port, txt: TXTRecord(strings: txt.map { Array($0.utf8) }),
        address: address)
}

/// The address with the first number in the name of a host.
private func address(ofHost host: String) -> HostAddress {
    let digits = host.drop { !$0.isNumber }.prefix(while: \.isNumber)
    return address(UInt8(truncatingIfNeeded: Int(digits) ?? 1))
}

/// 10.0.0.`last`.
package func address(_ last: UInt8) -> HostAddress {
    HostAddress(bytes: [10, 0, 0, last], text: "10.0.0.\(last)", interface: "eth0")
}
