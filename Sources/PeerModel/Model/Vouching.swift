// The machine that announces a device: the device itself, or another machine in its place.

/// The machine that answers for a device, according to the packets on the link.
///
/// In multicast DNS, any machine can answer for any other: a router for hosts that have left, a sleep proxy for
/// hosts that sleep, a reflector for hosts of another network.
public struct Vouching: Sendable, Hashable {
    /// The relation of the sender to the device.
    public var rule: VouchingRule
    /// The source address of the sender's packets; `nil` if none was heard.
    public var sender: String?
    /// The name of the sender's device, if that is another listed device.
    public var name: String?
    /// The MAC address of the sleeping device, which a sleep proxy states.
    public var mac: String?
    /// The time at which the sender was first heard, or the device itself was last heard, whichever is later; for the
    /// rule `own`, the time at which the device was first heard.
    public var since: Timestamp?

    /// Creates a vouching.
    public init(
        _ rule: VouchingRule, sender: String? = nil, name: String? = nil, mac: String? = nil,
        since: Timestamp? = nil
    ) {
        self.rule = rule
        self.sender = sender
        self.name = name
        self.mac = mac
        self.since = since
    }

    /// Whether another machine answers for the device.
    public var isByOther: Bool { rule != .own && rule != .unheard }

    /// The name of the other machine that answers for the device, or else its address; `nil` if none does.
    package var other: String? { isByOther ? name ?? sender : nil }
}

/// A vouching in memory of its own, because few peers of a large fleet have one.
package indirect enum StoredVouching: Sendable, Hashable {
    case unknown
    case known(Vouching)

    init(_ vouching: Vouching?) { self = vouching.map(Self.known) ?? .unknown }

    package var value: Vouching? {
        if case .known(let vouching) = self { vouching } else { nil }
    }
}

/// The relation of a sender to the device for which it answers, the strongest first.
public enum VouchingRule: String, Sendable, Hashable, CaseIterable, Comparable {
    /// The device sent its records itself.
    case own
    /// A sleep proxy answers for the device while it sleeps.
    case sleepProxy = "sleep-proxy"
    /// A registrar answers, such as a Thread border router for the devices behind it.
    case registrar
    /// A reflector repeats what it hears on another network.
    case reflector
    /// Another host answers, such as a router from its table.
    case proxy
    /// No packet with the device's records was heard: the device is known from a daemon's cache alone.
    case unheard

    /// Whether the first rule is weaker than the second.
    public static func < (left: VouchingRule, right: VouchingRule) -> Bool {
        left.strength < right.strength
    }

    private var strength: Int {
        switch self {
        case .own: 5
        case .sleepProxy: 4
        case .registrar: 3
        case .reflector: 2
        case .proxy: 1
        case .unheard: 0
        }
    }
}
