// Checks whether the settings of avahi-daemon hide this machine or others, or limit discovery.
import PeerList
import PeerText

extension DaemonSettings {
    var allowsPointToPoint: Bool { isOn("server", "allow-point-to-point", otherwise: false) }
}

struct SettingsCheck {
    private let settings: DaemonSettings
    private let path: String

    /// Returns the findings about settings; `nil` means that they cannot be read.
    static func findings(
        for settings: DaemonSettings?, path: String, interfaces: [LocalInterface]
    ) -> [Finding] {
        guard let settings else {
            return .one(
                .unknown, "\(path) cannot be read.",
                advice: "if the daemon uses another file, name it with '--config FILE'")
        }
        let check = SettingsCheck(settings: settings, path: path)
        return check.ignoredInterfaces(interfaces.filter(\.isUsable)) + check.hiding + check.limits
    }

    /// Returns the finding about a setting such as `server.use-ipv4`, with how to correct it.
    private func finding(
        _ outcome: DoctorOutcome, _ setting: String, _ text: String, change: String?
    ) -> Finding {
        let (section, key) = parts(setting)
        let value = settings.value(section, key) ?? "no"
        return Finding(
            outcome, "\(key)=\(value): \(text)",
            advice: change.map { "\($0) under [\(section)] in \(path), then restart the daemon" },
            facts: [("setting", .text(setting)), ("value", .text(value))])
    }

    private func parts(_ setting: String) -> (section: String, key: String) {
        let parts = setting.split(separator: ".")
        return (String(parts[0]), String(parts[1]))
    }

    /// Returns the interfaces that the daemon ignores: `deny-interfaces` overrides `allow-interfaces`;
    /// an empty list allows all; a point-to-point interface needs `allow-point-to-point`, even if it
    /// is listed; names are case-insensitive.
    private func ignoredInterfaces(_ interfaces: [LocalInterface]) -> [Finding] {
        let keys = ["deny-interfaces", "allow-interfaces", "allow-point-to-point"]
        let lists = keys.map { (settings.list("server", $0) ?? []).map { $0.lowercased() } }
        let (denied, allowed) = (lists[0], lists[1])
        let ignored = Dictionary(grouping: interfaces) { interface in
            let name = interface.interface.name.lowercased()
            if denied.contains(name) { return keys[0] }
            if !allowed.isEmpty, !allowed.contains(name) { return keys[1] }
            let isActive = interface.isActive(allowingPointToPoint: settings.allowsPointToPoint)
            return isActive ? "" : keys[2]
        }
        let isAll = ignored[""] == nil
        return keys.compactMap { key in
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
                isAll ? .problem : isIntended ? .ok : .warning, "server.\(key)",
                "the daemon ignores \(listed(names))\(isAll ? ", and there is no other" : "").",
                change: isIntended ? nil : change)
        }
    }

    /// Returns a finding if a Boolean setting does not have its usual value.
    private func unless(
        _ setting: String, is usual: Bool, _ text: String, _ outcome: DoctorOutcome = .warning
    ) -> Finding? {
        let (section, key) = parts(setting)
        let isUsual =
            settings.isOn(section, key, otherwise: usual) == usual
            || settings.value(section, key)?.lowercased() == "warn"
        let change = "set \(key)=\(usual ? "yes" : "no")"
        return isUsual ? nil : finding(outcome, setting, text, change: change)
    }

    private func unless(
        _ condition: Bool, _ setting: String, _ text: String, change: String
    ) -> Finding? {
        condition ? nil : finding(.warning, setting, text, change: change)
    }

    /// The settings that hide machines from each other, or from this one.
    private var hiding: [Finding] {
        let hasNoFamily = ["use-ipv4", "use-ipv6"].allSatisfy {
            !settings.isOn("server", $0, otherwise: true)
        }
        let oneFamily = hasNoFamily ? DoctorOutcome.problem : .warning
        let domain = settings.value("server", "domain-name") ?? ""
        return [
            unless("server.use-ipv4", is: true, "multicast DNS is not used over IPv4.", oneFamily),
            unless("server.use-ipv6", is: true, "multicast DNS is not used over IPv6.", oneFamily),
            unless(
                "publish.disable-publishing", is: false,
                "this machine can see others, but others cannot see it.", .problem),
            unless(
                "publish.disable-user-service-publishing", is: false,
                "the daemon refuses 'peerlist --announce' and 'peerlist announce'."),
            unless(
                "publish.publish-addresses", is: true,
                "other machines do not learn the addresses of this one."),
            unless("server.enable-dbus", is: true, "no program can use the daemon.", .problem),
            unless(
                "wide-area.enable-wide-area", is: false,
                "the daemon also queries DNS servers beyond this link, whose replies can be forged."
            ),
            unless(
                "reflector.enable-reflector", is: false,
                "announcements on one link are repeated on others, so devices may be on another link."
            ),
            unless(
                "server.disallow-other-stacks", is: false,
                "no other program can use UDP port 5353, so peerlist cannot query the link directly."
            ),
            unless(
                ["", "local", "local."].contains(domain), "server.domain-name",
                "other machines browse the domain 'local'.", change: "set domain-name=local"),
        ].compactMap(\.self)
    }

    private var limits: [Finding] {
        func limit(_ key: String, otherwise usual: Int) -> Int {
            settings.number("server", key, otherwise: usual)
        }
        let cache = settings.cacheLimit
        let objects = limit("objects-per-client-max", otherwise: 1_024)
        let clients = limit("clients-max", otherwise: 4_096)
        let entries = limit("entries-per-entry-group-max", otherwise: 32)
        let burst = limit("ratelimit-burst", otherwise: 0)
        let isRateLimited = burst > 0 && limit("ratelimit-interval-usec", otherwise: 0) > 0
        let data = settings.number("rlimits", "rlimit-data", otherwise: 0)
        return [
            Finding(
                .ok,
                "limits: \(cache) cache records per interface and IP version (about \(cache / 3) "
                    + "services), \(objects) lookups per program, \(clients) programs, \(entries) "
                    + "records per announcement, "
                    + (isRateLimited ? "bursts of \(burst) packets" : "no rate limit"),
                facts: [
                    ("cacheEntriesMax", .number(cache)), ("objectsPerClientMax", .number(objects)),
                    ("clientsMax", .number(clients)), ("entriesPerEntryGroupMax", .number(entries)),
                ] + (isRateLimited ? [("ratelimitBurst", .number(burst))] : [])),
            unless(
                cache >= 4_096, "server.cache-entries-max",
                "services beyond about \(cache / 3) are silently dropped.",
                change: "set cache-entries-max=4096 or more"),
            unless(
                objects >= 256, "server.objects-per-client-max",
                "many peers cannot be resolved at once.", change: "set objects-per-client-max=1024"),
            unless(
                !isRateLimited || burst >= 100, "server.ratelimit-burst",
                "packets beyond that are silently dropped.", change: "set ratelimit-burst=1000"),
            unless(
                !(1...8_388_608 ~= data), "rlimits.rlimit-data",
                "the daemon terminates when some thousand services are announced.",
                change: "remove rlimit-data"),
        ].compactMap(\.self)
    }
}
