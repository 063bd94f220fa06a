// What avahi-daemon's settings allow, and where that is too little.
import PeerList

extension SettingsRules {
    /// What the daemon allows; below its own measures it is said what for that is too little.
    var limits: [Finding] {
        let cache = settings.number("server", "cache-entries-max", otherwise: 4_096)
        let objects = settings.number("server", "objects-per-client-max", otherwise: 1_024)
        let clients = settings.number("server", "clients-max", otherwise: 4_096)
        let entries = settings.number("server", "entries-per-entry-group-max", otherwise: 32)
        let burst = settings.number("server", "ratelimit-burst", otherwise: 0)
        let isRateLimited =
            burst > 0 && settings.number("server", "ratelimit-interval-usec", otherwise: 0) > 0
        let data = settings.number("rlimits", "rlimit-data", otherwise: 0)
        let facts =
            [
                ("cacheEntriesMax", cache), ("objectsPerClientMax", objects),
                ("clientsMax", clients), ("entriesPerEntryGroupMax", entries),
            ].map { Finding.Fact($0, .number($1)) }
            + (isRateLimited ? [Finding.Fact("ratelimitBurst", .number(burst))] : [])
        var found = [
            Finding(
                .ok,
                """
                limits: \(cache) cached records per interface and IP version (about \(cache / 3) \
                services), \(objects) lookups per program, \(clients) programs, \(entries) records \
                per announcement, bursts of \(isRateLimited ? "\(burst)" : "any number of") packets
                """, facts: facts)
        ]
        if cache < 4_096 {
            found.append(
                finding(
                    .warning, "server", "cache-entries-max",
                    "services beyond about \(cache / 3) are silently dropped.",
                    set: "cache-entries-max=4096 or more"))
        }
        if objects < 256 {
            found.append(
                finding(
                    .warning, "server", "objects-per-client-max",
                    "many peers cannot be looked up at once.", set: "objects-per-client-max=1024"))
        }
        if isRateLimited, burst < 100 {
            found.append(
                finding(
                    .warning, "server", "ratelimit-burst",
                    "queries beyond that are silently dropped.",
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
