// Decides whether the sender of a device's records is the device itself or another machine.

/// A sender of records, on one interface.
struct RecordSender: Hashable {
    let address: HostAddress
    let interface: NetworkInterface
}

/// The packets of one sender with the records of a name or a device.
struct HeardPackets {
    var first: Timestamp
    var last: Timestamp
    /// Whether any packet arrived with the hop limit 255.
    var isLocal: Bool
    /// The MAC address in an OWNER option.
    var owner: MACAddress?
    var hasTimeSinceReceived: Bool
    /// The number of reports of these packets.
    var reports = 1

    /// Adds packets of the same sender that are later, or have another name.
    mutating func merge(_ other: HeardPackets) {
        (first, last) = (min(first, other.first), max(last, other.last))
        reports &+= other.reports
        isLocal = isLocal || other.isLocal
        owner = other.owner ?? owner
        hasTimeSinceReceived = hasTimeSinceReceived || other.hasTimeSinceReceived
    }

    /// Whether both differ at most in their times and numbers.
    func isLike(_ other: HeardPackets) -> Bool {
        isLocal == other.isLocal && owner == other.owner
            && hasTimeSinceReceived == other.hasTimeSinceReceived
    }
}

/// The properties of a host by which its senders are judged.
struct VouchingHost: Equatable {
    /// The name of the host's device.
    var name = ""
    /// The known addresses, without loopback addresses.
    var addresses: [HostAddress] = []
    /// Whether these are all addresses that the host announces.
    var isComplete = false
    var macs: [MACAddress] = []
    /// The interfaces on whose networks the host is, if hosts of its name are on other networks; otherwise empty.
    var interfaces: [String] = []
    var isSelf = false
    /// Whether the host offers to answer for hosts that sleep.
    var isSleepProxy = false
    /// Whether the host registers the services of hosts behind it, as a Thread border router does.
    var isBorderRouter = false

    /// Whether packets with the name of the host that arrive on an interface can be the host's.
    func isSeen(on interface: NetworkInterface) -> Bool {
        interfaces.isEmpty || interfaces.contains(interface.name)
    }
}

/// A device and its surroundings, which determine the rule for each sender of its records.
///
/// To take a device's own packets for a proxy's is worse than to miss a proxy. So a sender on the link counts as
/// another machine only in two cases: its address belongs to another listed host; or all addresses of the device are
/// known, some of them IPv4 addresses, and the sender has another IPv4 address. A link-local IPv6 address proves
/// nothing, because devices send from such addresses without announcing them.
struct VouchingCase {
    var device: VouchingHost
    /// The addresses that the device announced in the last two hours.
    var formerAddresses: Set<HostAddress> = []
    /// The networks of this machine.
    var networks: [LinkNetwork] = []
    /// Returns another host with an address.
    var otherHost: (HostAddress) -> VouchingHost? = { _ in nil }

    /// Returns the rule for a sender; `nil` if it cannot be determined.
    func rule(of sender: RecordSender, _ packets: HeardPackets) -> VouchingRule? {
        let isFar = isFar(from: sender.interface)
        if device.addresses.contains(sender.address) || formerAddresses.contains(sender.address) {
            // Some devices on the link send with a lower hop limit.
            return packets.isLocal || isFar == false ? .own : isFar == true ? .reflector : nil
        }
        let other = otherHost(sender.address)
        if packets.isLocal, other == nil, let mac = MACAddress(ofLinkLocal: sender.address),
            packets.owner.map({ $0 == mac }) ?? device.macs.contains(mac)
        {
            return .own
        }
        // The options in a reflector's packet belong to the packet that it repeats.
        guard packets.isLocal else { return .reflector }
        if other == nil, announcesBridgesAlone { return .own }
        let isOther = other != nil || sender.address.family == .ipv4 && announcesIPv4
        guard isOther else {
            return packets.hasTimeSinceReceived && isFar == true ? .registrar : nil
        }
        if packets.owner != nil || other?.isSleepProxy == true { return .sleepProxy }
        if packets.hasTimeSinceReceived || isFar == true && other?.isBorderRouter == true {
            return .registrar
        }
        return isFar == true ? .reflector : .proxy
    }

    /// Whether all IPv4 addresses of the device are addresses of bridges of its own, from which it cannot send here.
    private var announcesBridgesAlone: Bool {
        let addresses = device.addresses.filter { $0.family == .ipv4 }
        return !addresses.isEmpty && addresses.allSatisfy(\.isOfBridge)
    }

    private var announcesIPv4: Bool {
        device.isComplete && device.addresses.contains { $0.family == .ipv4 }
    }

    /// Whether none of the device's addresses is in a network on the link of an interface; `nil` if that is unknown.
    private func isFar(from interface: NetworkInterface) -> Bool? {
        let networks = networks.filter { $0.interface == interface }
        var isFar: Bool?
        for address in device.addresses {
            if address.isLinkLocal { return false }
            guard networks.contains(where: { $0.address.family == address.family }) else {
                continue
            }
            if networks.contains(where: { $0.contains(address) }) { return false }
            isFar = true
        }
        return isFar
    }
}

extension MACAddress {
    /// Creates the MAC address from which a link-local IPv6 address was made (RFC 4291, appendix A); `nil` if the IPv6
    /// address was made otherwise.
    init?(ofLinkLocal address: HostAddress) {
        let bytes = address.bytes
        guard address.scope != nil, bytes.count == 16, bytes[11...12] == [0xff, 0xfe] else {
            return nil
        }
        self.init(bytes: [bytes[8] ^ 2] + bytes[9...10] + bytes[13...15])
    }
}
