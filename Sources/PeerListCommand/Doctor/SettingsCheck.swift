// Do the settings of avahi-daemon let this machine see and be seen, and how much do they allow?
import PeerList

/// Judges the settings of avahi-daemon.
enum SettingsCheck {
    /// What is said where the file cannot be read.
    static func unreadable(_ path: String) -> [Finding] {
        [
            Finding(
                .unknown, "\(path) cannot be read.",
                advice: "if the daemon was started with another file, name it with '--config FILE'")
        ]
    }

    /// Judges settings for the interfaces of this machine.
    static func findings(
        for settings: DaemonSettings, path: String, interfaces: [LocalInterface]
    ) -> [Finding] {
        let rules = Rules(settings: settings, path: path)
        return rules.access(interfaces.filter(\.isUsable).map(\.interface.name))
            + rules.families + rules.publishing + rules.neighbours + rules.limits
    }
}

/// What follows from settings.
private struct Rules {
    let settings: DaemonSettings
    let path: String

    /// A finding about one setting.
    private func finding(
        _ outcome: DoctorOutcome, _ section: String, _ key: String, _ text: String,
        set wanted: String? = nil
    ) -> Finding {
        let value = settings.value(section, key) ?? ""
        let advice = wanted.map {
            "in \(path), under [\(section)]: \($0); then restart the daemon"
        }
        return Finding(
            outcome, "\(key)=\(value): \(text)", advice: advice,
            facts: [
                Finding.Fact("setting", .text("\(section).\(key)")),
                Finding.Fact("value", .text(value)),
            ])
    }

    /// Which interfaces the daemon leaves alone; the list of those it keeps to counts before the other.
    func access(_ usable: [String]) -> [Finding] {
        let (key, ignored): (String, [String])
        if let allowed = settings.list("server", "allow-interfaces") {
            (key, ignored) = ("allow-interfaces", usable.filter { !allowed.contains($0) })
        } else {
            let denied = settings.list("server", "deny-interfaces") ?? []
            (key, ignored) = ("deny-interfaces", usable.filter(denied.contains))
        }
        guard !ignored.isEmpty else { return [] }
        let isAll = ignored.count == usable.count
        return [
            finding(
                isAll ? .problem : .warning, "server", key,
                "the daemon leaves \(listed(ignored)) alone\(isAll ? ", and there is no other" : "").",
                set: key == "allow-interfaces"
                    ? "add \(ignored.joined(separator: ",")) to \(key)"
                    : "take \(ignored.joined(separator: ",")) out of \(key)")
        ]
    }

    var families: [Finding] {
        let isOff = AddressFamily.allCases.filter { family in
            !settings.isOn("server", "use-\(family.rawValue)", otherwise: true)
        }
        return isOff.map { family in
            finding(
                isOff.count == 2 ? .problem : .warning, "server", "use-\(family.rawValue)",
                "nothing is heard or said over \(family.title).", set: "use-\(family.rawValue)=yes")
        }
    }

    var publishing: [Finding] {
        var found: [Finding] = []
        if settings.isOn("publish", "disable-publishing", otherwise: false) {
            found.append(
                finding(
                    .problem, "publish", "disable-publishing",
                    "this machine sees others and cannot be seen.", set: "disable-publishing=no"))
        }
        if settings.isOn("publish", "disable-user-service-publishing", otherwise: false) {
            found.append(
                finding(
                    .warning, "publish", "disable-user-service-publishing",
                    "'peerlist --announce' and 'peerlist announce' are refused.",
                    set: "disable-user-service-publishing=no"))
        }
        if !settings.isOn("publish", "publish-addresses", otherwise: true) {
            found.append(
                finding(
                    .warning, "publish", "publish-addresses",
                    "others do not learn the addresses of this machine.",
                    set: "publish-addresses=yes"))
        }
        if !settings.isOn("server", "enable-dbus", otherwise: true) {
            found.append(
                finding(
                    .problem, "server", "enable-dbus", "no program can ask the daemon.",
                    set: "enable-dbus=yes"))
        }
        return found
    }

    /// What concerns others than this machine and its link.
    var neighbours: [Finding] {
        var found: [Finding] = []
        if settings.usesWideArea {
            found.append(
                finding(
                    .warning, "wide-area", "enable-wide-area",
                    """
                    the daemon asks name servers beyond this link too, and answers can be forged \
                    on some versions (CVE-2024-52615, CVE-2024-52616).
                    """, set: "enable-wide-area=no"))
        }
        if settings.isOn("reflector", "enable-reflector", otherwise: false) {
            found.append(
                finding(
                    .warning, "reflector", "enable-reflector",
                    "what is announced on one link is repeated on the others, so who is heard may "
                        + "be on another link.",
                    set: "enable-reflector=no, unless this machine is to join links"))
        }
        if settings.isOn("server", "disallow-other-stacks", otherwise: false) {
            found.append(
                finding(
                    .warning, "server", "disallow-other-stacks",
                    "nobody else can use UDP port 5353, so peerlist cannot ask the link itself.",
                    set: "disallow-other-stacks=no"))
        }
        if let domain = settings.value("server", "domain-name"), domain != "local",
            domain != "local.", !domain.isEmpty
        {
            found.append(
                finding(
                    .warning, "server", "domain-name", "others look in 'local'.",
                    set: "domain-name=local"))
        }
        return found
    }

    /// What the daemon allows; below its own measures it is said what for that is too little.
    var limits: [Finding] {
        let cache = settings.number("server", "cache-entries-max", otherwise: 4_096)
        let objects = settings.number("server", "objects-per-client-max", otherwise: 1_024)
        let clients = settings.number("server", "clients-max", otherwise: 4_096)
        let entries = settings.number("server", "entries-per-entry-group-max", otherwise: 32)
        let burst = settings.number("server", "ratelimit-burst", otherwise: 1_000)
        let data = settings.number("rlimits", "rlimit-data", otherwise: 0)
        let facts = [
            ("cacheEntriesMax", cache), ("objectsPerClientMax", objects), ("clientsMax", clients),
            ("entriesPerEntryGroupMax", entries), ("ratelimitBurst", burst),
        ].map { Finding.Fact($0, .number($1)) }
        var found = [
            Finding(
                .ok,
                """
                limits: \(cache) records an interface and family (about \(cache / 3) services of \
                one machine), \(objects) lookups a program, \(clients) programs, \(entries) \
                entries a group, \(burst) packets at once
                """, facts: facts)
        ]
        if cache < 4_096 {
            found.append(
                finding(
                    .warning, "server", "cache-entries-max",
                    "services beyond about \(cache / 3) are dropped without a word.",
                    set: "cache-entries-max=4096 or more"))
        }
        if objects < 256 {
            found.append(
                finding(
                    .warning, "server", "objects-per-client-max",
                    "many peers cannot be looked up at once.", set: "objects-per-client-max=1024"))
        }
        if burst < 100, settings.value("server", "ratelimit-burst") != nil {
            found.append(
                finding(
                    .warning, "server", "ratelimit-burst",
                    "questions beyond that are dropped without a word.",
                    set: "ratelimit-burst=1000"))
        }
        if 1...8_388_608 ~= data {
            found.append(
                finding(
                    .warning, "rlimits", "rlimit-data",
                    "the daemon ends when some thousand services are announced.",
                    set: "leave rlimit-data out"))
        }
        return found
    }
}
