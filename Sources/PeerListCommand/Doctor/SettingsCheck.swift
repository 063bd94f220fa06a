// Checks whether the settings of avahi-daemon hide this machine or others, or limit discovery.
import PeerList

extension DaemonSettings {
    /// Whether the daemon uses point-to-point interfaces.
    var allowsPointToPoint: Bool { isOn("server", "allow-point-to-point", otherwise: false) }

    /// Whether the daemon publishes the host name with its addresses.
    var publishesHost: Bool {
        !isOn("publish", "disable-publishing", otherwise: false)
            && isOn("publish", "publish-addresses", otherwise: true)
    }

    /// Whether the daemon of this machine publishes the host name; true if its settings are unreadable.
    static var publishesHostHere: Bool {
        readText(usualPath).map { DaemonSettings($0).publishesHost } ?? true
    }
}

/// Checks the settings of avahi-daemon.
struct SettingsCheck {
    /// The Boolean settings that matter, and the consequence if one does not have its usual value.
    private static let switches:
        [(
            section: String, key: String, usual: Bool, outcome: DoctorOutcome, consequence: String
        )] = [
            ("server", "use-ipv4", true, .warning, "multicast DNS is not used over IPv4."),
            ("server", "use-ipv6", true, .warning, "multicast DNS is not used over IPv6."),
            (
                "publish", "disable-publishing", false, .problem,
                "this machine can see others, but others cannot see it."
            ),
            (
                "publish", "disable-user-service-publishing", false, .warning,
                "the daemon refuses 'peerlist --announce' and 'peerlist announce'."
            ),
            (
                "publish", "publish-addresses", true, .warning,
                "other machines do not learn the addresses of this one."
            ),
            ("server", "enable-dbus", true, .problem, "no program can use the daemon."),
            (
                "wide-area", "enable-wide-area", false, .warning,
                "the daemon also queries DNS servers beyond this link, whose replies can be forged."
            ),
            (
                "reflector", "enable-reflector", false, .warning,
                "announcements on one link are repeated on others, so devices may be on another link."
            ),
            (
                "server", "disallow-other-stacks", false, .warning,
                "no other program can use UDP port 5353, so peerlist cannot query the link directly."
            ),
        ]

    private let settings: DaemonSettings
    private let path: String

    /// Returns the findings about settings; `nil` means that they cannot be read.
    static func findings(
        for settings: DaemonSettings?, path: String, interfaces: [LocalInterface]
    ) -> [Finding] {
        guard let settings else {
            return [
                Finding(
                    .unknown, "\(path) cannot be read.",
                    advice: "if the daemon uses another file, name it with '--config FILE'")
            ]
        }
        let check = SettingsCheck(settings: settings, path: path)
        return check.ignoredInterfaces(interfaces.filter(\.isUsable)) + check.switchFindings
            + check.domain + check.limits
    }

    /// Returns the finding about one setting; `change` says how to correct it.
    private func finding(
        _ outcome: DoctorOutcome, _ section: String, _ key: String, _ text: String,
        change: String?
    ) -> Finding {
        let value = settings.value(section, key) ?? "no"
        return Finding(
            outcome, "\(key)=\(value): \(text)",
            advice: change.map { "\($0) under [\(section)] in \(path), then restart the daemon" },
            facts: [
                .init("setting", .text("\(section).\(key)")), .init("value", .text(value)),
            ])
    }

    /// Returns the interfaces that the daemon ignores, by setting.
    ///
    /// `deny-interfaces` overrides `allow-interfaces`; an empty list allows all; a point-to-point
    /// interface needs `allow-point-to-point`, even if it is listed; names are case-insensitive.
    private func ignoredInterfaces(_ interfaces: [LocalInterface]) -> [Finding] {
        func names(_ key: String) -> Set<String> {
            Set((settings.list("server", key) ?? []).map { $0.lowercased() })
        }
        let (denied, allowed) = (names("deny-interfaces"), names("allow-interfaces"))
        let ignored = Dictionary(grouping: interfaces) { interface in
            let name = interface.interface.name.lowercased()
            if denied.contains(name) { return "deny-interfaces" }
            if !allowed.isEmpty, !allowed.contains(name) { return "allow-interfaces" }
            let isActive = interface.isActive(allowingPointToPoint: settings.allowsPointToPoint)
            return isActive ? "" : "allow-point-to-point"
        }
        let isAll = ignored[""] == nil
        return ["deny-interfaces", "allow-interfaces", "allow-point-to-point"].compactMap { key in
            guard let names = ignored[key]?.map(\.interface.name) else { return nil }
            let change =
                switch key {
                case "deny-interfaces": "remove \(names.joined(separator: ",")) from \(key)"
                case "allow-interfaces": "add \(names.joined(separator: ",")) to \(key)"
                default: "if others are reached through \(listed(names)), set \(key)=yes"
                }
            // An interface that is listed by name is meant to be used.
            let isIntended = key == "allow-point-to-point" && !isAll && allowed.isEmpty
            return finding(
                isAll ? .problem : isIntended ? .ok : .warning, "server", key,
                "the daemon ignores \(listed(names))\(isAll ? ", and there is no other" : "").",
                change: isIntended ? nil : change)
        }
    }

    private var switchFindings: [Finding] {
        let changed = Self.switches.filter { item in
            settings.isOn(item.section, item.key, otherwise: item.usual) != item.usual
                && settings.value(item.section, item.key)?.lowercased() != "warn"
        }
        let hasNoFamily = changed.count { $0.key.hasPrefix("use-ipv") } == 2
        return changed.map { item in
            finding(
                hasNoFamily && item.key.hasPrefix("use-ipv") ? .problem : item.outcome,
                item.section, item.key, item.consequence,
                change: "set \(item.key)=\(item.usual ? "yes" : "no")")
        }
    }

    private var domain: [Finding] {
        guard let domain = settings.value("server", "domain-name"), !domain.isEmpty,
            domain != "local", domain != "local."
        else { return [] }
        return [
            finding(
                .warning, "server", "domain-name", "other machines browse the domain 'local'.",
                change: "set domain-name=local")
        ]
    }

    /// The limits of the daemon, with a warning for each that is too low.
    private var limits: [Finding] {
        let cache = settings.cacheLimit
        let objects = settings.number("server", "objects-per-client-max", otherwise: 1_024)
        let clients = settings.number("server", "clients-max", otherwise: 4_096)
        let entries = settings.number("server", "entries-per-entry-group-max", otherwise: 32)
        let burst = settings.number("server", "ratelimit-burst", otherwise: 0)
        let isRateLimited =
            burst > 0 && settings.number("server", "ratelimit-interval-usec", otherwise: 0) > 0
        let data = settings.number("rlimits", "rlimit-data", otherwise: 0)
        var facts: [Finding.Fact] = [
            .init("cacheEntriesMax", .number(cache)),
            .init("objectsPerClientMax", .number(objects)),
            .init("clientsMax", .number(clients)),
            .init("entriesPerEntryGroupMax", .number(entries)),
        ]
        if isRateLimited { facts.append(.init("ratelimitBurst", .number(burst))) }
        let summary = """
            limits: \(cache) cache records per interface and IP version (about \(cache / 3) \
            services), \(objects) lookups per program, \(clients) programs, \(entries) records \
            per announcement, \(isRateLimited ? "bursts of \(burst) packets" : "no rate limit")
            """
        let tooLow = [
            (
                cache < 4_096, "server", "cache-entries-max",
                "services beyond about \(cache / 3) are silently dropped.",
                "set cache-entries-max=4096 or more"
            ),
            (
                objects < 256, "server", "objects-per-client-max",
                "many peers cannot be resolved at once.", "set objects-per-client-max=1024"
            ),
            (
                isRateLimited && burst < 100, "server", "ratelimit-burst",
                "packets beyond that are silently dropped.", "set ratelimit-burst=1000"
            ),
            (
                1...8_388_608 ~= data, "rlimits", "rlimit-data",
                "the daemon terminates when some thousand services are announced.",
                "remove rlimit-data"
            ),
        ]
        return [Finding(.ok, summary, facts: facts)]
            + tooLow.filter(\.0).map { _, section, key, text, change in
                finding(.warning, section, key, text, change: change)
            }
    }
}
