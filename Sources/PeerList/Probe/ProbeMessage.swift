// Writes the DNS queries of a probe.
package import DNSMessages

/// The messages that a probe sends (RFC 6762, section 18).
package enum ProbeMessage {
    /// Returns the name of a service; `nil` if DNS cannot carry it.
    ///
    /// The instance name is one label, dots included (RFC 6763, section 4.1). DNS carries no empty label, no label of
    /// more than 63 bytes, and no name of more than 255 bytes.
    package static func name(of service: ServiceKey) -> DNSName? {
        let rest = "\(service.type).\(service.domain)".utf8.split(separator: 0x2e)
        return DNSName([Array(service.name.utf8)] + rest.map { Array($0) })
    }

    /// Returns queries for the SRV records of services, in as few messages as possible; names that DNS cannot
    /// carry are left out.
    package static func questions(
        for services: [ServiceKey], wantsUnicast: Bool = false
    ) -> [[UInt8]] {
        DNSQuery.messages(
            services.compactMap { name(of: $0).map { ($0, DNSType.srv) } },
            wantsUnicast: wantsUnicast)
    }

    /// Returns queries for the addresses of hosts, in as few messages as possible; names that DNS cannot carry
    /// are left out.
    static func addressQuestions(for hosts: [String]) -> [[UInt8]] {
        DNSQuery.messages(
            hosts.compactMap(DNSName.init).flatMap { name in
                AddressFamily.allCases.map { (name, $0.recordType) }
            })
    }

    /// The name under which responders list their service types (RFC 6763, section 9).
    private static let typesName = DNSName("_services._dns-sd._udp.local")
    private static let listLife: UInt16 = 4_500  // s, RFC 6762, section 10

    /// Returns a query for the service types on the link, with as many known answers as fit (RFC 6762, section 7.1),
    /// and queries for services of other types, which responders may not list.
    package static func typeQuestions(known: [String], others: [String]) -> [[UInt8]] {
        func names(_ types: [String]) -> [DNSName] { types.compactMap { DNSName("\($0).local") } }
        let list = typesName.map {
            DNSQuery.message(pointersOf: $0, known: names(known), ttl: listLife)
        }
        return [list].compactMap { $0 } + DNSQuery.messages(names(others).map { ($0, DNSType.ptr) })
    }

    /// Returns the service type in a PTR record of the domain `local`, in lower case: the type that the record lists,
    /// or the type of the service that it lists; `nil` for names of another form.
    package static func type(of owner: DNSName, target: DNSName?) -> String? {
        let name = owner == typesName ? target : owner
        guard let parts = name?.serviceParts, parts.instance == nil, parts.subtype == nil,
            Identity.canonical(parts.domain) == "local"
        else { return nil }
        return (try? ServiceType(parts.type))?.name
    }
}
