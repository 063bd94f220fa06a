// A browser that hears from a stack without a network, and what it reports.
@testable import PeerList

/// Lets a browser hear from a stack, and returns everything that it reported but the addresses of the machine that
/// the test runs on.
func reports(
    _ act: @Sendable (isolated LinkBrowser, ToldStack) -> Void
) async -> [DiscoveryEvent.Kind] {
    let browser = LinkBrowser()
    async let kinds = browser.events.reduce(into: []) { $0.append($1.kind) }
    await browser.hear(act)
    await browser.stop()
    return await kinds.filter { if case .ownAddresses = $0 { false } else { true } }
}

extension LinkBrowser {
    /// Hears from a stack that is new to it, and of no types from the link.
    func hear(_ act: @Sendable (isolated LinkBrowser, ToldStack) -> Void) {
        let told = ToldStack()
        verifying.askForTypes = { _, _ in AsyncStream { $0.finish() } }
        (stack, life) = (told, .running)
        beginBrowsing()
        act(self, told)
    }

    /// Hears from the same stack as before.
    func hearMore(_ act: @Sendable (isolated LinkBrowser, ToldStack) -> Void) {
        if let told = stack as? ToldStack { act(self, told) }
    }
}

extension ToldStack {
    /// Tells of a service that was known already, and of its host when that is asked for.
    func bring(_ name: String, on host: String = "", answering isAnswered: Bool = true) {
        types?(.appeared(type: "_http._tcp", domain: "local"))
        services["_http._tcp"]?(.appeared(name))
        if isAnswered { answer(name, on: host) }
    }

    /// Answers for a service that is looked up.
    func answer(_ name: String, on host: String, at address: HostAddress? = nil) {
        lookups[name]?(
            .found(
                Resolution(host: host, port: 80, txt: TXTRecord(), address: address),
                isCached: false))
    }

    /// The hosts whose addresses are browsed for.
    var lookedAt: Set<String> {
        Set(addresses.keys.compactMap { $0.split(separator: " ").first.map(String.init) })
    }

    /// Tells of an address of a host.
    func tell(_ event: RecordEvent, of host: String) { addresses["\(host) ipv4"]?(event) }

    /// Tells that no more addresses of a host are known already.
    func tellRest(of host: String) {
        for family in AddressFamily.allCases {
            addresses["\(host) \(family.rawValue)"]?(.cacheExhausted)
        }
    }
}

extension ServiceEvent {
    static func appeared(
        _ name: String, _ type: String = "_http._tcp", domain: String = "local"
    ) -> ServiceEvent {
        .appeared(
            ServiceInstance(name: name, type: type, domain: domain),
            LinkPath(interface: 2, family: .ipv4))
    }

    static func disappeared(_ name: String, domain: String = "local") -> ServiceEvent {
        .disappeared(
            ServiceInstance(name: name, type: "_http._tcp", domain: domain),
            LinkPath(interface: 2, family: .ipv4))
    }
}

extension DiscoveryEvent.Kind {
    func isNotice(_ code: Notice.Code) -> Bool {
        if case .notice(code, _) = self { true } else { false }
    }

    /// The addresses of a host as they are told, without what a change of host is told by.
    func addresses(of host: String) -> [String]? {
        guard case .addresses(host, let addresses) = self else { return nil }
        return addresses.map(\.description)
    }
}

extension [DiscoveryEvent.Kind] {
    func found(_ name: String) -> [Sighting] {
        compactMap { kind in
            guard case .found(let sighting) = kind, sighting.service.name == name else {
                return nil
            }
            return sighting
        }
    }
}
