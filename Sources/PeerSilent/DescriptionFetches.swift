// Decides which descriptions of devices are fetched, and when.
import PeerModel
import SilentDevices
import SilentMessages

/// The descriptions that are fetched, at most ``limit`` at once, in the order in which they were announced.
struct DescriptionFetches {
    /// A description to fetch.
    struct Fetch {
        let key: SilentDevice.Key
        let location: DescriptionAddress
        let address: HostAddress
        let path: NetworkPath
    }

    /// The maximum number of fetches at once.
    static let limit = 4
    /// The maximum numbers of waiting fetches, and of those of one address.
    private static let waitingLimits = (all: 1_024, address: 16)

    /// The maximum numbers of fetches in a minute, of all and of one address: anybody can forge announcements.
    private static let minuteLimits = (all: 300, address: 6)
    private static let minute: Int64 = 60_000_000

    /// Whether anything is fetched.
    let isOn: Bool
    private var waiting: [Fetch] = []
    private var running: [UInt32: Fetch] = [:]
    private var lastID: UInt32 = 0
    /// The fetches of the current minute, by address, and when that has begun.
    private var begun: [HostAddress: Int] = [:]
    private var minuteStart: Int64 = 0

    init(isOn: Bool) { self.isOn = isOn }

    /// Adds a fetch, unless too many wait.
    ///
    /// - Throws: The reason for which nothing is fetched from the URL.
    mutating func add(
        _ key: SilentDevice.Key, _ url: String, _ address: HostAddress, _ path: NetworkPath
    ) throws(DescriptionAddress.Refusal) {
        guard isOn else { return }
        let location = try DescriptionAddress(url, from: address.bytes)
        guard waiting.count < Self.waitingLimits.all,
            waiting.count(where: { $0.address == address }) < Self.waitingLimits.address
        else { return }
        waiting.removeAll { $0.key == key }
        waiting.append(Fetch(key: key, location: location, address: address, path: path))
    }

    /// The time at which a fetch may begin that waits for the next minute; `nil` if none does.
    var due: Int64? { waiting.isEmpty || !running.isEmpty ? nil : minuteStart + Self.minute }

    /// Returns the next fetch that may begin, with its number; the times are in microseconds.
    mutating func next(at now: Int64) -> (id: UInt32, fetch: Fetch)? {
        if now >= minuteStart + Self.minute { (begun, minuteStart) = ([:], now) }
        let all = begun.values.reduce(0, +)
        guard running.count < Self.limit, all < Self.minuteLimits.all,
            let index = waiting.firstIndex(where: {
                begun[$0.address] ?? 0 < Self.minuteLimits.address
            })
        else { return nil }
        let fetch = waiting.remove(at: index)
        begun[fetch.address, default: 0] += 1
        lastID &+= 1
        running[lastID] = fetch
        return (lastID, fetch)
    }

    /// Ends a fetch; returns the device.
    mutating func end(_ id: UInt32) -> SilentDevice.Key? { running.removeValue(forKey: id)?.key }

    /// Has the fetches that run begin again, because the helper has ended.
    mutating func restart() {
        waiting = running.values + waiting
        running = [:]
    }
}
