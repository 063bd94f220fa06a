// Finds devices that observers list under another identifier than before.
import FoundationEssentials
import PeerModel

/// The devices that observers have listed under other identifiers since.
///
/// An observer publishes a device under its new identifier before it clears the old one, so both are one device if they
/// have one host name. An observer that was away clears it long after the others: what these have said holds for it.
struct MovedDevices {
    /// A host at an observer, by the observer's number.
    private struct Host: Hashable {
        let observer: Int
        let name: String

        init?(_ item: ListItem, _ observer: Int) {
            guard let host = item.peer.host else { return nil }
            (self.observer, name) = (observer, Identity.canonical(host))
        }
    }

    /// The time in which an observer clears an old identifier after it has published the new one, in microseconds.
    private static let clearingTime: Int64 = 60_000_000
    /// The maximum number of hosts that observers have listed lately; the oldest ones are forgotten.
    private static let limit = 10_000

    private var latest: [Host: (device: UUID, time: Timestamp)] = [:]
    private var queue: ArraySlice<(time: Timestamp, host: Host)> = []
    /// The views that were cleared since the last call of ``removeMoves(at:)``.
    private var cleared: [(device: UUID, host: Host)] = []
    /// The devices that other observers still list, by their identifiers before.
    private var successors: [UUID: UUID] = [:]

    /// Notes that an observer lists a device that it did not list.
    mutating func insert(_ item: ListItem, as device: UUID, at observer: Int, _ now: Timestamp) {
        successors[device] = nil
        guard let host = Host(item, observer) else { return }
        if queue.count == Self.limit { removeFirst() }
        latest[host] = (device, now)
        queue.append((now, host))
    }

    /// Notes that an observer does not list a device any more.
    mutating func remove(_ item: ListItem, as device: UUID, at observer: Int) {
        if let host = Host(item, observer) { cleared.append((device, host)) }
    }

    /// Returns the new identifiers of the devices that were removed since the last call, by their former identifiers and
    /// the numbers of the observers.
    mutating func removeMoves(at now: Timestamp) -> [UUID: [Int: UUID]] {
        while let time = queue.first?.time, time.advanced(by: Self.clearingTime) <= now {
            removeFirst()
        }
        var moves: [UUID: [Int: UUID]] = [:]
        for (device, host) in cleared {
            guard let new = latest[host]?.device, new != device else { continue }
            moves[device, default: [:]][host.observer] = new
            successors[device] = new
        }
        cleared = []
        return moves
    }

    private mutating func removeFirst() {
        guard let (time, host) = queue.popFirst(), latest[host]?.time == time else { return }
        latest[host] = nil
    }

    /// Removes and returns the new identifier of a device, unless an observer still lists the device under the old one.
    mutating func removeSuccessor(of device: UUID, unless isListed: Bool) -> UUID? {
        isListed ? nil : successors.removeValue(forKey: device)
    }
}
