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
        let rules = SettingsRules(settings: settings, path: path)
        return rules.access(interfaces.filter(\.isUsable))
            + rules.families + rules.publishing + rules.neighbours + rules.limits
    }
}

/// What follows from settings.
struct SettingsRules {
    let settings: DaemonSettings
    let path: String

    /// A finding about one setting.
    func finding(
        _ outcome: DoctorOutcome, _ section: String, _ key: String, _ text: String,
        set wanted: String? = nil
    ) -> Finding {
        let value = settings.value(section, key) ?? "no"
        let advice = wanted.map {
            "in \(path) under [\(section)]: \($0); then restart the daemon"
        }
        return Finding(
            outcome, "\(key)=\(value): \(text)", advice: advice,
            facts: [
                Finding.Fact("setting", .text("\(section).\(key)")),
                Finding.Fact("value", .text(value)),
            ])
    }

    /// Which interfaces the daemon leaves alone, by which setting.
    ///
    /// One that is denied is left alone whether or not it is allowed; a list of the allowed that names
    /// none allows all; one that leads to one machine is left alone without `allow-point-to-point`, be
    /// it named or not; and names count in capital letters and small ones alike.
    func access(_ interfaces: [LocalInterface]) -> [Finding] {
        let denied = names("deny-interfaces")
        let allowed = names("allow-interfaces")
        let ignored = Dictionary(grouping: interfaces) { interface in
            let name = interface.interface.name.lowercased()
            if denied.contains(name) { return "deny-interfaces" }
            if !allowed.isEmpty, !allowed.contains(name) { return "allow-interfaces" }
            return interface.isActive(allowingPointToPoint: settings.allowsPointToPoint)
                ? "" : "allow-point-to-point"
        }
        let isAll = ignored[""] == nil
        return ["deny-interfaces", "allow-interfaces", "allow-point-to-point"].compactMap { key in
            guard let names = ignored[key]?.map(\.interface.name) else { return nil }
            let wanted =
                switch key {
                case "deny-interfaces": "take \(names.joined(separator: ",")) out of \(key)"
                case "allow-interfaces": "add \(names.joined(separator: ",")) to \(key)"
                default: "\(key)=yes, if others are to be found there"
                }
            // One that is named was to be used.
            let isMeant = key == "allow-point-to-point" && !isAll && allowed.isEmpty
            return finding(
                isAll ? .problem : isMeant ? .ok : .warning, "server", key,
                "the daemon leaves \(listed(names)) alone\(isAll ? ", and there is no other" : "").",
                set: isMeant ? nil : wanted)
        }
    }

    private func names(_ key: String) -> Set<String> {
        Set((settings.list("server", key) ?? []).map { $0.lowercased() })
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
        let isWarned = settings.value("server", "enable-dbus")?.lowercased() == "warn"
        if !isWarned, !settings.isOn("server", "enable-dbus", otherwise: true) {
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
}
