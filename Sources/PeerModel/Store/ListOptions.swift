// The options of the list: the rows, their order and the listed service types.

/// The kinds of rows.
public enum Grouping: String, Sendable, Hashable, CaseIterable {
    /// A row is a device; a section is a domain.
    case device
    /// A row is a service; a section is a service type.
    case type
}

/// The property by which the rows of a section are ordered; ties are ordered by identifier.
public enum SortOrder: String, Sendable, Hashable, CaseIterable {
    /// By name.
    case name
    /// By the first address.
    case address
    /// By the time at which the items were first seen.
    case seen
    /// By the first service type, then by name.
    case type
    /// By the title of the kind of device, then by name; devices of no known kind, and services,
    /// last.
    case kind
}

/// The options of the list.
public struct ListOptions: Sendable, Hashable {
    /// The kind of rows.
    public var grouping: Grouping
    /// The order of the rows of a section.
    public var order: SortOrder
    /// The only types that are listed, such as `_ssh._tcp` or `_printer._sub._http._tcp`; empty: all.
    public var types: [String]
    /// The only kinds of devices that are listed, or whose services are listed; empty: all devices,
    /// also of no known kind.
    public var kinds: [DeviceKind]
    /// The only vouching rules whose devices are listed; empty: all devices, also without a known rule.
    public var vouched: [VouchingRule]

    /// Creates options.
    public init(
        grouping: Grouping = .device, order: SortOrder = .name, types: [String] = [],
        kinds: [DeviceKind] = [], vouched: [VouchingRule] = []
    ) {
        self.grouping = grouping
        self.order = order
        self.types = types
        self.kinds = kinds
        self.vouched = vouched
    }

    /// Whether devices of a kind are listed; `nil` means no known kind.
    package func includes(_ kind: DeviceKind?) -> Bool {
        kinds.isEmpty || kind.map(kinds.contains) ?? false
    }

    /// Whether devices with a vouching are listed; `nil` means that the vouching is unknown.
    package func includes(_ vouching: Vouching?) -> Bool {
        vouched.isEmpty || vouching.map { vouched.contains($0.rule) } ?? false
    }

    /// Returns a device with its listed services; `nil` if it is not listed.
    package func listed(_ peer: Peer) -> Peer? {
        guard includes(peer.kind), includes(peer.vouchedBy) else { return nil }
        if types.isEmpty { return peer }
        var peer = peer
        peer.services = peer.services.filter { includes($0.type, subtypes: $0.subtypes) }
        return peer.services.isEmpty ? nil : peer
    }

    func includes(_ service: ServiceState) -> Bool {
        !service.isProbe && includes(service.key.type, subtypes: service.subtypes)
    }

    private func includes(_ type: String, subtypes: @autoclosure () -> [String]) -> Bool {
        types.isEmpty
            || types.contains { wanted in
                wanted == type || type.isVersion(of: wanted)
                    || subtypes().contains { "\($0)._sub.\(type)" == wanted }
            }
    }
}

extension String {
    /// Whether this type is one of a wanted protocol; or of another protocol than multicast DNS, such as
    /// `upnp:MediaRenderer:1`, and a version of a wanted type, without regard to case.
    fileprivate func isVersion(of wanted: String) -> Bool {
        guard utf8.first != 0x5F else { return wanted == DiscoveryProtocol.typeStart }
        guard utf8.count >= wanted.utf8.count else { return false }
        let (type, wanted) = (lowercased(), wanted.lowercased())
        return type == wanted || type.hasPrefix(wanted.hasSuffix(":") ? wanted : wanted + ":")
    }
}
