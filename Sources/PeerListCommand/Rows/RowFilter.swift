// What a search and the hidden types leave of a device.
import PeerList

/// What is searched for, and which types are switched off.
struct RowFilter {
    private let needle: SearchNeedle
    private let hiddenTypes: Set<String>
    /// Whether something is searched for.
    let isSearching: Bool

    /// The indices of the services that were found in the device filtered last.
    private(set) var found: [Int] = []

    /// The filter that is chosen.
    init(_ choices: RowChoices) {
        needle = SearchNeedle(choices.search)
        isSearching = !needle.isEmpty
        hiddenTypes = choices.hiddenTypes
    }

    /// What is left of a device.
    struct Result {
        /// How many services are of types that are not switched off.
        var allowedCount: Int
        /// How many of these are shown, or would be if the device were unfolded.
        var shownCount: Int
        /// Whether the device is shown at all.
        var isShown: Bool
        /// Whether it is found by what it is itself.
        var isFoundItself = false
        /// Whether it is shown unfolded, because what is found is among its services.
        var isOpened = false
    }

    /// Sifts a device.
    mutating func apply(to device: SeenDevice) -> Result {
        let count = device.serviceIDs.count
        let allowed = hiddenTypes.isEmpty ? count : device.services.count(where: allows)
        guard isSearching else {
            return Result(allowedCount: allowed, shownCount: allowed, isShown: true)
        }
        let isFoundItself = search(device)
        let isOpened = !found.isEmpty
        return Result(
            allowedCount: allowed,
            shownCount: isOpened ? found.count : isFoundItself ? allowed : 0,
            isShown: isOpened || isFoundItself, isFoundItself: isFoundItself, isOpened: isOpened)
    }

    /// Finds the services of a device; returns whether the device itself is found.
    ///
    /// Every word must be found in the device itself or in a service of it. Of its services those are
    /// found that have all words that the device itself lacks; where no single one has them all, those
    /// that have one of them.
    private mutating func search(_ device: SeenDevice) -> Bool {
        // The storage is used again for every device.
        var services = found
        found = []
        defer { found = services }
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

    /// Whether a word is found in the device itself; puts the indices of the allowed services that it
    /// is found in into `services`.
    private func find(
        _ word: [UInt8], in device: SeenDevice, _ services: inout [Int]
    ) -> Bool {
        services.removeAll(keepingCapacity: true)
        var isInDevice = false
        var part = 0
        var start = 0
        // A line feed follows each part, and no word has one, so no match spans two parts.
        while let hit = SearchNeedle.first(word, in: device.searched, from: start) {
            while device.ends[part] <= hit { part += 1 }
            start = device.ends[part]
            if part == 0 {
                isInDevice = true
            } else if allows(device.services[part - 1]) {
                services.append(part - 1)
            }
        }
        return isInDevice
    }

    /// Whether a service's type is not switched off.
    func allows(_ seen: SeenService) -> Bool { allows(type: seen.service.type) }

    /// Whether a type is not switched off.
    func allows(type: String) -> Bool { hiddenTypes.isEmpty || !hiddenTypes.contains(type) }

    /// Whether a departed item is shown.
    func finds(_ departed: DepartedItem) -> Bool {
        let types = departed.types
        return (types.isEmpty || !types.allSatisfy(hiddenTypes.contains))
            && (!isSearching || needle.isFound(in: departed.searched))
    }
}
