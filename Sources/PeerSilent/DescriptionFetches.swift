// Decides which descriptions of devices are fetched, and when.
import PeerModel
import SilentDevices
import SilentMessages

/// The descriptions that are fetched, at most ``limit`` at once, in the order in which they were announced.
struct DescriptionFetches {
    /// A description to fetch.
    struct Fetch {
        let key: SilentTable.Key
        let location: DescriptionAddress
        let address: HostAddress
        let path: NetworkPath
    }

    /// The maximum number of fetches at once.
    static let limit = 4
    /// The maximum numbers of waiting fetches, and of those of one address.
    private static let waitingLimits = (all: 1_024, address: 16)

    /// Whether anything is fetched.
    let isOn: Bool
    private var waiting: [Fetch] = []
    private var running: [UInt32: SilentTable.Key] = [:]
    private var lastID: UInt32 = 0

    init(isOn: Bool) { self.isOn = isOn }

    /// Adds a fetch, unless the URL is not at the address, or too many wait.
    mutating func add(
        _ key: SilentTable.Key, _ url: String, _ address: HostAddress, _ path: NetworkPath
    ) {
        guard isOn, waiting.count < Self.waitingLimits.all,
            waiting.count(where: { $0.address == address }) < Self.waitingLimits.address,
            let location = try? DescriptionAddress(url, from: address.bytes)
        else { return }
        waiting.removeAll { $0.key == key }
        waiting.append(Fetch(key: key, location: location, address: address, path: path))
    }

    /// Returns the next fetch that may begin, with its number.
    mutating func next() -> (id: UInt32, fetch: Fetch)? {
        guard running.count < Self.limit, !waiting.isEmpty else { return nil }
        let fetch = waiting.removeFirst()
        lastID &+= 1
        running[lastID] = fetch.key
        return (lastID, fetch)
    }

    /// Ends a fetch; returns what it was of.
    mutating func end(_ id: UInt32) -> SilentTable.Key? { running.removeValue(forKey: id) }

    /// Ends all fetches, because the helper has ended.
    mutating func reset() { (waiting, running) = ([], [:]) }
}
