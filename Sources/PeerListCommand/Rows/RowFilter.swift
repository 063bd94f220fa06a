// Applies the search and the hidden types to devices.
import PeerList

/// A filter by search text and hidden types.
struct RowFilter {
    private let needle: SearchNeedle
    private let hiddenTypes: Set<String>
    let isSearching: Bool

    /// The indices of the services that matched in the device filtered last.
    private(set) var matches: [Int] = []

    init(_ choices: RowChoices) {
        needle = SearchNeedle(choices.search)
        isSearching = !needle.isEmpty
        hiddenTypes = choices.hiddenTypes
    }

    struct Result {
        /// The number of services whose types are not hidden.
        var allowedCount: Int
        /// The number of these that are shown when the device is expanded.
        var shownCount: Int
        var isShown: Bool
        /// Whether the device itself matches the search.
        var isMatch = false
        /// Whether the device is shown expanded because services of it match.
        var isExpanded = false
    }

    mutating func apply(to device: IndexedDevice) -> Result {
        let count = device.serviceIDs.count
        let allowed =
            hiddenTypes.isEmpty ? count : device.peer.services.count { allows(type: $0.type) }
        guard isSearching else {
            return Result(allowedCount: allowed, shownCount: allowed, isShown: true)
        }
        let isMatch = search(device)
        let isExpanded = !matches.isEmpty
        return Result(
            allowedCount: allowed,
            shownCount: isExpanded ? matches.count : isMatch ? allowed : 0,
            isShown: isExpanded || isMatch, isMatch: isMatch, isExpanded: isExpanded)
    }

    /// Finds the matching services of a device and returns whether the device itself matches.
    ///
    /// Every word must occur in the device or in a service of it. The matching
    /// services are those that contain all words that the device lacks, or, if no
    /// single service does, those that contain one of these words.
    private mutating func search(_ device: IndexedDevice) -> Bool {
        // The storage is reused for every device.
        var services = matches
        matches = []
        defer { matches = services }
        if needle.words.count == 1 { return find(needle.words[0], in: device, &services) }
        let hits = needle.words.map { word in
            var services: [Int] = []
            return (isInDevice: find(word, in: device, &services), services: services)
        }
        let lacking = hits.filter { !$0.isInDevice }
        let wanted = lacking.isEmpty ? hits : lacking
        services = wanted.dropFirst().reduce(wanted.first?.services ?? []) { common, hit in
            common.filter(Set(hit.services).contains)
        }
        if services.isEmpty, lacking.allSatisfy({ !$0.services.isEmpty }) {
            services = Set(lacking.flatMap(\.services)).sorted()
        }
        return lacking.isEmpty
    }

    /// Returns whether the device itself contains a word, and stores the indices of the allowed services
    /// that contain it in `services`.
    private func find(
        _ word: [UInt8], in device: IndexedDevice, _ services: inout [Int]
    ) -> Bool {
        services.removeAll(keepingCapacity: true)
        var isInDevice = false
        var part = 0
        var start = 0
        // A line feed follows each part, and no word has one, so no match spans two parts.
        while let hit = SearchNeedle.first(word, in: device.searchText, from: start) {
            while device.textEnds[part] <= hit { part += 1 }
            start = device.textEnds[part]
            if part == 0 {
                isInDevice = true
            } else if allows(type: device.peer.services[part - 1].type) {
                services.append(part - 1)
            }
        }
        return isInDevice
    }

    func allows(type: String) -> Bool { hiddenTypes.isEmpty || !hiddenTypes.contains(type) }

    func includes(_ departed: DepartedItem) -> Bool {
        let services = departed.item.peer.services
        return (services.isEmpty || services.contains { allows(type: $0.type) })
            && (!isSearching || needle.isFound(in: departed.searchText))
    }
}
