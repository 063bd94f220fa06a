// Checks whether the programs of this machine find hosts by their '.local' names, and why not.
import DNSMessages
import FoundationEssentials
import Glibc
import PeerList
import PeerSystem
import PeerText

/// The look-ups of some names by the C library, and what decides their results.
struct NamesCheck: Sendable {
    /// The look-up of a host.
    struct Lookup: Equatable, Sendable {
        let host: String
        /// The addresses that the host has, without scopes.
        let addresses: Set<String>
        /// The addresses that the look-up returned, without scopes.
        var found: Set<String> = []
        var time = Duration.zero

        /// Whether the look-up returned an address of the host.
        var isRight: Bool { !found.isDisjoint(with: addresses) }
        /// Whether the look-up returned addresses of something else only.
        var isWrong: Bool { !found.isEmpty && !isRight }
        var isOnlyIPv6: Bool { !addresses.isEmpty && addresses.allSatisfy { $0.contains(":") } }
    }

    /// The use of systemd-resolved.
    enum Resolved: Sendable {
        case absent
        /// It runs, and does not use multicast DNS.
        case running
        /// It runs, and uses multicast DNS.
        case responding
    }

    var lookups: [Lookup]
    /// The text of /etc/nsswitch.conf; `nil` if it cannot be read.
    var switchFile: String?
    /// The services of the file whose modules the C library can load.
    var modules: Set<String> = []
    /// Whether the socket of avahi-daemon can be used, over which the modules of nss-mdns ask.
    var hasAvahi = true
    var resolved = Resolved.absent
    /// Whether the DNS servers have a zone `local`.
    var localZone = LocalZone.absent
    /// Whether `local` is among the domains to search.
    var searchesLocal = false

    /// The time after which a look-up counts as failed.
    var limit = Duration.seconds(2)

    /// The services of nss-mdns; those with a 4 know no IPv6 addresses.
    static let mdnsServices = [
        "mdns4_minimal", "mdns4", "mdns_minimal", "mdns", "mdns6_minimal", "mdns6",
    ]
    static let resolvedService = "resolve"

    /// The reason why names are not found, as in JSON.
    enum Cause: String, CaseIterable, Sendable {
        case noHostsLine = "no-hosts-line"
        case notConfigured = "not-configured"
        case notInstalled = "not-installed"
        case noDaemon = "no-daemon"
        case resolvedOff = "resolved-off"
        case order
        case onlyIPv4 = "only-ipv4"
        case missingNegative = "missing-negative"
        case localZone = "local-zone"
        case silentServer = "silent-server"
        case unknown
    }

    var findings: [Finding] {
        guard !lookups.isEmpty else {
            return .one(
                .unknown,
                "There is no name to look up: no program announces one of this machine, and no "
                    + "other device is present.")
        }
        let right = lookups.filter(\.isRight)
        let failed = lookups.filter { !$0.isRight }
        let ok = Finding(
            .ok, "\(listed(right.map(\.host))) \(right.count == 1 ? "resolves" : "resolve").",
            facts: [("resolved", .texts(right.map(\.host)))])
        guard !failed.isEmpty else { return [ok] }
        let (cause, reason, advice) = diagnosis(failed)
        let finding = Finding(
            .warning, "\(failure(failed)): \(reason).", advice: advice,
            facts: [
                ("unresolved", .texts(failed.map(\.host))), ("cause", .text(cause.rawValue)),
                ("hosts", .text(line?.text ?? "")),
            ])
        return (right.isEmpty ? [] : [ok]) + [finding]
    }

    private var line: HostsLine? { switchFile.flatMap { HostsLine($0) } }

    private func failure(_ failed: [Lookup]) -> String {
        if let wrong = failed.first(where: \.isWrong) {
            return "\(wrong.host) resolves to \(listed(wrong.found.sorted(), limit: 3)), which it "
                + "does not have"
        }
        let verb = failed.count == 1 ? "does" : "do"
        let time = failed.contains { $0.time >= limit } ? " within \(limit.inSeconds)" : ""
        return "\(listed(failed.map(\.host))) \(verb) not resolve\(time)"
    }

    private typealias Diagnosis = (cause: Cause, reason: String, advice: String)

    private static let file = "/etc/nsswitch.conf"
    private static let install =
        "install nss-mdns ('apt-get install libnss-mdns', 'dnf install nss-mdns' or 'pacman -S "
        + "nss-mdns', as root)"

    /// Returns why look-ups fail: the first obstacle on the way from the line of nsswitch.conf to the responder.
    private func diagnosis(_ failed: [Lookup]) -> Diagnosis {
        guard let line else {
            return (
                .noHostsLine, "\(Self.file) has no line 'hosts:'",
                "add the line 'hosts: files mdns4_minimal [NOTFOUND=return] dns'"
            )
        }
        let entries = line.entries.enumerated().filter { isMulticast($0.element) }
        guard let first = entries.first(where: { obstacle($0.element) == nil }) else {
            // The service whose responder runs is the closest to an answer.
            let closest = entries.first { isOfResolved($0.element) != hasAvahi } ?? entries.first
            return closest.flatMap { obstacle($0.element) } ?? notConfigured
        }
        if let before = blocker(before: first.offset, in: line, failed) {
            return (
                .order,
                "in the line 'hosts:' of \(Self.file), '\(before)' is asked before "
                    + "'\(first.element.service)'",
                "move '\(first.element.service) [NOTFOUND=return]' to before '\(before)'"
            )
        }
        if localZone == .present || searchesLocal || failed.contains(where: \.isWrong) {
            return (
                .localZone,
                localZone == .absent && searchesLocal
                    ? "'local' is a domain to search in /etc/resolv.conf"
                    : "a DNS server of this network has names in the domain 'local' of its own, "
                        + "for which multicast DNS is left out",
                "rename the domain of the DNS server, such as to 'home.arpa', and remove 'local' "
                    + "from 'search' in /etc/resolv.conf"
            )
        }
        if localZone == .unanswered, !isOfResolved(first.element),
            failed.contains(where: { $0.time >= limit })
        {
            return (
                .silentServer,
                "no server in /etc/resolv.conf answers, which '\(first.element.service)' asks for "
                    + "the domain 'local' first", "write a DNS server that answers into that file"
            )
        }
        let usable = entries.map(\.element).filter { obstacle($0) == nil }.map(\.service)
        if failed.allSatisfy(\.isOnlyIPv6), !usable.contains(Self.resolvedService) {
            let isIPv4 = usable.allSatisfy { $0.hasPrefix("mdns4") }
            guard isIPv4 || failed.contains(where: { $0.time >= limit }) else { return unknown }
            return isIPv4
                ? (
                    .onlyIPv4, "'\(first.element.service)' knows no IPv6 addresses",
                    "replace it by 'mdns_minimal' in the line 'hosts:' of \(Self.file), or give the "
                        + "device an IPv4 address"
                )
                : (
                    .missingNegative,
                    "'\(first.element.service)' waits five seconds for an IPv4 address, as the "
                        + "device does not say that it has none (RFC 6762, section 6.1)",
                    "give the device an IPv4 address, or update its firmware"
                )
        }
        return unknown
    }

    private var unknown: Diagnosis {
        (
            .unknown, "the cause is not known",
            "the line 'hosts:' of \(Self.file) is '\(line?.text ?? "")', and in order"
        )
    }

    private func isMulticast(_ entry: HostsLine.Entry) -> Bool {
        Self.mdnsServices.contains(entry.service) || isOfResolved(entry)
    }

    private func isOfResolved(_ entry: HostsLine.Entry) -> Bool {
        entry.service == Self.resolvedService
    }

    /// The lack of a service for multicast DNS in the line, with what is installed for it.
    private var notConfigured: Diagnosis {
        let reason = "the line 'hosts:' of \(Self.file) has no service for multicast DNS"
        if resolved == .responding, modules.contains(Self.resolvedService) {
            return (.notConfigured, reason, "put 'resolve [!UNAVAIL=return]' before 'dns' there")
        }
        let add = "put 'mdns4_minimal [NOTFOUND=return]' before 'dns' and 'resolve' there"
        let isInstalled = !modules.isDisjoint(with: Self.mdnsServices)
        return (.notConfigured, reason, isInstalled ? add : "\(Self.install) and \(add)")
    }

    /// Returns why a service for multicast DNS cannot answer; `nil` if it can.
    private func obstacle(_ entry: HostsLine.Entry) -> Diagnosis? {
        let isResolved = isOfResolved(entry)
        guard modules.contains(entry.service) else {
            return (
                .notInstalled, "the module of '\(entry.service)' is not installed",
                isResolved
                    ? "install it: 'apt-get install libnss-resolve' (as root)" : Self.install
            )
        }
        if isResolved, resolved != .responding {
            let reason =
                resolved == .absent
                ? "systemd-resolved, which 'resolve' asks, does not run"
                : "systemd-resolved, which 'resolve' asks, does not use multicast DNS"
            return (
                .resolvedOff, reason,
                hasAvahi
                    ? "\(Self.install) and put 'mdns4_minimal [NOTFOUND=return]' before 'resolve' "
                        + "in \(Self.file)"
                    : "set MulticastDNS=yes in /etc/systemd/resolved.conf and for the connection "
                        + "('resolvectl mdns INTERFACE yes'), then run 'systemctl restart "
                        + "systemd-resolved' (as root)"
            )
        }
        if !isResolved, !hasAvahi {
            return (
                .noDaemon, "'\(entry.service)' asks avahi-daemon, which does not run",
                "start it: 'systemctl start avahi-daemon' (as root)"
            )
        }
        return nil
    }

    /// Returns the service before a position that keeps the look-up from coming to it; `nil` if there is none.
    private func blocker(before position: Int, in line: HostsLine, _ failed: [Lookup]) -> String? {
        let before = line.entries.prefix(position).filter { entry in
            // A service that is not available is passed over.
            switch entry.service {
            case Self.resolvedService: resolved != .absent && modules.contains(entry.service)
            default: !Self.mdnsServices.contains(entry.service)
            }
        }
        if let end = before.first(where: \.endsUnknown) { return end.service }
        // Servers that are asked in vain take longer than programs wait, and others answer for everything.
        let isAsked = failed.contains { $0.isWrong || $0.time >= limit }
        return before.first { ["dns", Self.resolvedService].contains($0.service) && isAsked }?
            .service
    }
}

extension NamesCheck {
    /// Looks up this machine and other devices, and reads what decides the results if a look-up fails.
    ///
    /// - Parameters:
    ///   - hosts: The hosts to look up, with their addresses.
    ///   - usesResolved: Whether systemd-resolved uses multicast DNS, if it runs.
    /// - Returns: The check with the look-ups.
    static func run(
        _ hosts: [(host: String, addresses: Set<String>)], usesResolved: Bool
    ) async -> NamesCheck {
        let lookups = await withTaskGroup(of: (Int, Lookup).self) { group in
            for (index, host) in hosts.enumerated() {
                group.addTask {
                    var lookup = Lookup(host: host.host, addresses: host.addresses)
                    let start = ContinuousClock.now
                    lookup.found = await HostLookup.addresses(of: host.host)
                    lookup.time = ContinuousClock.now - start
                    return (index, lookup)
                }
            }
            let found = await group.reduce(into: []) { $0.append($1) }
            return found.sorted { $0.0 < $1.0 }.map(\.1)
        }
        var check = NamesCheck(lookups: lookups, limit: HostLookup.limit)
        guard lookups.contains(where: { !$0.isRight }) else { return check }
        check.switchFile = readText(file)
        check.modules = Set((mdnsServices + [resolvedService]).filter(isLoadable))
        check.hasAvahi = BusCheck.failureToConnect(to: "/run/avahi-daemon/socket") == nil
        let resolvedPath = "/run/systemd/resolve/io.systemd.Resolve"
        if BusCheck.failureToConnect(to: resolvedPath) == nil {
            check.resolved = usesResolved ? .responding : .running
        }
        let settings = ResolverSettings(readText("/etc/resolv.conf") ?? "")
        check.searchesLocal = settings.searchesLocal
        check.localZone = await LocalZone.ask(settings.servers)
        return check
    }

    /// Returns a host of a list that responds, and another one without IPv4 if there is any, with their addresses.
    static func hosts(
        of listing: PeerListing, responded: Set<UUID>
    ) -> [(host: String, addresses: Set<String>)] {
        let hosts = HeardCheck.others(in: listing).filter { peer in
            peer.services.contains { responded.contains($0.id) }
        }.compactMap { peer -> (host: String, addresses: Set<String>)? in
            guard let host = peer.host, isPlain(host), !peer.addresses.isEmpty else { return nil }
            return (host, Set(peer.addresses.map(HostLookup.number)))
        }
        let isOnlyIPv6 = { (addresses: Set<String>) in addresses.allSatisfy { $0.contains(":") } }
        return [
            hosts.first { !isOnlyIPv6($0.addresses) }, hosts.first { isOnlyIPv6($0.addresses) },
        ].compactMap(\.self)
    }

    /// Returns whether a host is one ASCII label in the domain `local`; some services leave out other hosts.
    private static func isPlain(_ host: String) -> Bool {
        guard let name = DNSName(host), name.labels.count == 2, host.utf8.allSatisfy({ $0 < 0x80 })
        else { return false }
        return Identity.canonical(host).hasSuffix(".local")
    }

    /// Returns whether the C library can load the module of a service.
    private static func isLoadable(_ service: String) -> Bool {
        guard let module = unsafe dlopen("libnss_\(service).so.2", RTLD_LAZY) else { return false }
        unsafe dlclose(module)
        return true
    }
}

/// The servers and domains in /etc/resolv.conf (resolv.conf(5)).
struct ResolverSettings: Equatable, Sendable {
    var servers: [HostAddress] = []
    /// Whether `local` is among the domains to search.
    var searchesLocal = false

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            switch words.first {
            case "nameserver":
                servers += words.dropFirst().prefix(1).compactMap {
                    HostAddress(parsing: String($0))
                }
            case "search", "domain":
                // The last line counts.
                searchesLocal = words.dropFirst().contains { ["local", "local."].contains($0) }
            default: break
            }
        }
    }
}
