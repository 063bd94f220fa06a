// Checks which other devices are present, and on which paths.
import FoundationEssentials
import PeerModel
import PeerText

/// The other devices in a list, by whether they responded to a query.
struct HeardCheck: Equatable, Sendable {
    /// The names of the devices that responded.
    var present: [String] = []
    /// The paths on which the present devices are announced.
    var paths: [NetworkPath] = []
    var silent: [String] = []
    /// The host names of those devices of each kind that run peerlist, or did.
    var peerlistHosts: [String] = []
    var silentPeerlistHosts: [String] = []
    /// Whether the devices could be queried; if not, all of them count as silent.
    var isQueried = true
    var time = Duration.seconds(5)

    private static let nameLimit = 6
    /// The maximum number of services queried for each device; one reply is enough.
    private static let serviceLimit = 2

    /// Returns the devices of a list other than this machine whose host name is known.
    static func others(in listing: PeerListing) -> [Peer] {
        // A peer without a host may be an unresolved service of this machine.
        listing.sections.flatMap(\.items).map(\.peer).filter { !$0.isSelf && $0.host != nil }
    }

    /// Returns the services to query for devices: the first one of each, then the second ones, because a query has
    /// 128 services.
    static func services(of devices: [Peer]) -> [UUID] {
        let services = devices.map { device in
            // The service of peerlist itself is certain to be there while the machine is.
            let isOwn = { (service: Service) in service.type == Identity.serviceType }
            return device.services.filter(isOwn) + device.services.filter { !isOwn($0) }
        }
        return (0..<serviceLimit).flatMap { rank in
            services.compactMap { $0.dropFirst(rank).first?.id }
        }
    }

    var findings: [Finding] {
        var found: [Finding] = []
        if !present.isEmpty {
            let interfaces = Set(paths.map(\.interface.name)).sorted().map { name in
                "\(name) over " + paths.filter { $0.interface.name == name }.map(\.family).titles
            }
            found += .one(
                .ok, "\(listed(present, limit: Self.nameLimit)), on \(listed(interfaces)).",
                facts: [("machines", .texts(present)), ("paths", .paths(paths))])
        }
        if !silent.isEmpty {
            // A device that left is unremarkable while others are present.
            let isLost = isQueried && present.isEmpty
            let when = isQueried ? "but silent now" : "but they cannot be queried now"
            let advice =
                "if one of them is on the network, packets are lost in one direction: check the "
                + "firewalls of both machines, and the network between them"
            found += .one(
                isQueried && !isLost ? .ok : .unknown,
                "Seen before, \(when): \(listed(silent, limit: Self.nameLimit)).",
                advice: isLost ? advice : nil, facts: [("remembered", .texts(silent))])
        }
        guard found.isEmpty else { return found }
        guard time >= Finding.conclusiveTime else {
            return [.tooShort(time, "No other device was found")]
        }
        return .one(
            .unknown, "No other device was found; there may be none.",
            advice: "run 'peerlist --announce' on another machine of this network, then run "
                + "'peerlist doctor' here again; routers, guest networks and many VPNs separate "
                + "networks")
    }
}

extension HeardCheck {
    /// Divides devices by whether some of their services responded; `nil` means that none could be queried.
    init(_ listing: PeerListing, responded: Set<UUID>?, within time: Duration) {
        let others = Self.others(in: listing)
        let responds = { (device: Peer) in
            device.services.contains { responded?.contains($0.id) == true }
        }
        let present = others.filter(responds)
        let silent = others.filter { !responds($0) }
        self.init(
            present: present.map(\.name), paths: listing.paths(of: present.map(\.id)),
            silent: silent.map(\.name),
            peerlistHosts: present.filter(\.runsPeerlist).compactMap(\.host),
            silentPeerlistHosts: silent.filter(\.runsPeerlist).compactMap(\.host),
            isQueried: responded != nil, time: time)
    }
}

extension Peer {
    /// Whether the device announces that it runs peerlist; a visibility probe does not count.
    fileprivate var runsPeerlist: Bool {
        services.contains {
            $0.type == Identity.serviceType && $0.txt[VisibilityNonce.key] == nil
        }
    }
}
