// What is asked of the history.
import FoundationEssentials
import PeerList

extension ListHistory {
    /// Those that have left and have not come back, the latest first.
    var departed: [DepartedItem] {
        departures.reversed().filter { $0.returned == nil }.map(\.item)
    }

    /// Who has left under an identifier, as last known.
    func departed(_ id: UUID) -> DepartedItem? {
        departures.last { $0.item.id == id && $0.returned == nil }?.item
    }

    /// The time of the latest difference; `nil` before the first.
    var latestTime: Timestamp? { time }

    /// How many came and left in each minute of the hour up to a moment, the latest last.
    func perMinute(until end: Timestamp) -> (arrivals: [Int], departures: [Int]) {
        rates.perMinute(until: end)
    }

    /// What happened to items, the latest first, at most twenty entries.
    func entries(of ids: some Sequence<UUID>) -> [HistoryEntry] {
        let numbers = ids.flatMap { histories[$0]?.entries ?? [] }.sorted(by: >)
        return numbers.prefix(ItemHistory.entryLimit).compactMap { log[$0] }
    }

    /// When items were there in the hour up to a moment.
    ///
    /// - Parameters:
    ///   - ids: An item, or the services of a device.
    ///   - end: Up to which moment.
    ///   - buckets: Into how many stretches the hour is cut, 1 to 60.
    /// - Returns: The strip; `nil` where nothing is remembered of them.
    func strip(
        of ids: some Sequence<UUID>, until end: Timestamp, buckets: Int = 60
    ) -> PresenceStrip? {
        let strips = ids.compactMap { id in
            histories[id].map { PresenceStrip($0, until: end, buckets: buckets) }
        }
        return strips.dropFirst().reduce(strips.first) { $0?.joined(with: $1) }
    }

    /// What is known about an item's being there and since when; `nil` where nothing is remembered.
    func state(of id: UUID) -> (time: Timestamp, state: ItemHistory.State)? {
        histories[id]?.latest
    }

    /// What was left out because it was too much, in a sentence; `nil` where nothing was.
    var omission: String? {
        var parts: [String] = []
        if omittedCount > 0 { parts.append("\(omittedCount) items came when no more were noted") }
        if forgottenCount > 0 { parts.append("\(forgottenCount) departures are forgotten") }
        if log.isIncomplete { parts.append("only the latest \(Self.logLimit) changes are kept") }
        if rates.isIncomplete { parts.append("the first minutes of the strip are incomplete") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
