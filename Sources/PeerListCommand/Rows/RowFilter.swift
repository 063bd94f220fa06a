// What a search and the hidden types leave of a device.
import PeerList

/// What is searched for, and which types are switched off.
struct RowFilter {
    private let needle: SearchNeedle
    private let hiddenTypes: Set<String>
    /// Whether something is searched for.
    let isSearching: Bool

    /// The places of the services that were found in the device sifted last.
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
    private mutating func search(_ device: SeenDevice) -> Bool {
        found.removeAll(keepingCapacity: true)
        var isFoundItself = false
        var part = 0
        var start = 0
        // A line's end is behind each part, and in no needle, so nothing is found across two of them.
        while let hit = needle.first(in: device.searched, from: start) {
            while device.ends[part] <= hit { part += 1 }
            start = device.ends[part]
            if part == 0 {
                isFoundItself = true
            } else if allows(device.services[part - 1]) {
                found.append(part - 1)
            }
        }
        return isFoundItself
    }

    /// Whether a service's type is not switched off.
    func allows(_ seen: SeenService) -> Bool { allows(type: seen.service.type) }

    /// Whether a type is not switched off.
    func allows(type: String) -> Bool { hiddenTypes.isEmpty || !hiddenTypes.contains(type) }

    /// Whether somebody who has left is shown.
    func finds(_ departed: DepartedItem) -> Bool {
        let types = departed.types
        return (types.isEmpty || !types.allSatisfy(hiddenTypes.contains))
            && (!isSearching || needle.isFound(in: departed.searched))
    }
}
