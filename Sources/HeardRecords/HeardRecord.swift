// A change of a record that was heard, and what it says about services.
package import DNSMessages
package import PeerModel

/// A change of a record that was heard on a link or in a capture.
package struct HeardRecord: Sendable, Hashable {
    package let name: DNSName
    package let type: UInt16
    /// The data, with names in wire form.
    package let data: [UInt8]
    package let change: RecordCache.Change.Kind
    /// The source address of the packet that changed it, of 4 or 16 bytes.
    private let source: [UInt8]
    package let interface: NetworkInterface

    /// A change of a record by a packet from an address.
    package init(
        name: DNSName, type: UInt16, data: [UInt8], _ change: RecordCache.Change.Kind,
        from source: [UInt8], on interface: NetworkInterface
    ) {
        (self.name, self.type, self.data, self.change) = (name, type, data, change)
        (self.source, self.interface) = (source, interface)
    }

    /// The sender of the packet that changed it.
    package var sender: HostAddress { HostAddress(bytes: source, interface: interface.name) }

    /// The path on which it was heard.
    package var path: NetworkPath {
        NetworkPath(interface: interface, family: source.count == 4 ? .ipv4 : .ipv6)
    }

    /// The time to live in seconds of a record that was announced; `nil` if the record ends.
    package var ttl: UInt32? {
        switch change {
        case .added(let ttl), .refreshed(let ttl): ttl
        case .ending, .removed: nil
        }
    }

    /// The service type that the record shows to be offered, in canonical form, its domain, and whether the record is of
    /// a responder's list of types (RFC 6763, section 9).
    package var offeredType: (type: String, domain: String, isListed: Bool)? {
        guard ttl != nil, type == DNSType.ptr || type == DNSType.srv else { return nil }
        var parts = name.serviceParts
        var isListed = false
        if let list = parts, list.instance == "_services",
            Identity.canonical(list.type) == "_dns-sd._udp"
        {
            guard type == DNSType.ptr else { return nil }
            parts = DNSName(wire: data)?.serviceParts
            guard parts?.instance == nil else { return nil }
            isListed = true
        }
        guard let parts, let type = try? ServiceType(parts.type) else { return nil }
        return (type.name, parts.domain, isListed)
    }

    /// The service that a PTR record announces: it points to one of the type that is its name, without a subtype, in the
    /// same domain.
    var announcedService: ServiceKey? {
        guard let owner = name.serviceParts, owner.instance == nil, owner.subtype == nil,
            let key = DNSName(wire: data)?.service,
            Identity.canonical(key.type) == Identity.canonical(owner.type),
            Identity.canonical(key.domain) == Identity.canonical(owner.domain), key.isPlausible
        else { return nil }
        return key
    }
}

extension DNSName {
    /// The service of this name; `nil` for other names.
    var service: ServiceKey? {
        guard let parts = serviceParts, let instance = parts.instance else { return nil }
        return ServiceKey(name: instance, type: parts.type, domain: parts.domain)
    }
}

extension RecordCache.End {
    /// The reason for which a service departs whose announcement has ended so.
    package var departure: Departure {
        switch self {
        case .withdrawn: .removed
        case .expired: .expired
        case .withdrawnByOther, .replaced: .revoked
        }
    }
}
