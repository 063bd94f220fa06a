// An mDNS stack that tells what a test has it tell.
@testable import PeerList

/// A stack without a network; its owner runs on the browser's loop.
final class ToldStack: LookupStack {
    var state = StackState.running
    var hostName = "me.local"
    var warning: String?
    /// Whether it refuses to browse.
    var refuses = false

    /// Who hears of types, and of services through IPv4 by their type.
    private(set) var types: (@Sendable (TypeEvent) -> Void)?
    private(set) var services: [String: @Sendable (ServiceEvent) -> Void] = [:]
    /// Who waits for answers, by the name of the service.
    private(set) var lookups: [String: @Sendable (ResolveEvent) -> Void] = [:]
    /// The receivers of SRV and TXT records, by name and type: `Web._http._tcp.local txt`.
    private(set) var records: [String: @Sendable (RecordEvent) -> Void] = [:]
    /// Who hears of addresses, by the host and the family: `h1.local ipv4`.
    private(set) var addresses: [String: @Sendable (RecordEvent) -> Void] = [:]

    func browseTypes(
        in domain: String?, path: LookupPath, receive: @escaping @Sendable (TypeEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        guard !refuses else { throw .invalidName }
        types = receive
        return ToldLookup {}
    }

    func browseServices(
        ofType type: String, domain: String, path: LookupPath,
        receive: @escaping @Sendable (ServiceEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        guard !refuses else { throw .invalidName }
        guard path.family == .ipv4 else { return ToldLookup {} }
        services[type] = receive
        return ToldLookup { self.services[type] = nil }
    }

    func resolve(
        _ instance: ServiceInstance, path: LookupPath,
        receive: @escaping @Sendable (ResolveEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        lookups[instance.name] = receive
        return ToldLookup { self.lookups[instance.name] = nil }
    }

    func browseRecords(
        _ type: RecordType, of name: String, path: LookupPath,
        receive: @escaping @Sendable (RecordEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        switch type {
        case .a, .aaaa:
            let place = "\(name) \(type == .a ? "ipv4" : "ipv6")"
            addresses[place] = receive
            return ToldLookup { self.addresses[place] = nil }
        case .srv, .txt:
            let place = "\(name) \(type)"
            records[place] = receive
            return ToldLookup { self.records[place] = nil }
        }
    }

    func publish(
        _ announcement: Announcement, path: LookupPath,
        receive: @escaping @Sendable (PublishEvent) -> Void
    ) throws(AvahiError) -> any Lookup { ToldLookup {} }

    func close() { state = .failed }
}

/// Something open in a stack without a network.
private final class ToldLookup: Lookup {
    private let whenClosed: () -> Void

    init(_ whenClosed: @escaping () -> Void) { self.whenClosed = whenClosed }

    func close() { whenClosed() }
}
