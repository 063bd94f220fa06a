// What a search and the hidden types leave of a device.
import PeerList

/// What is searched for, and which types are switched off.
struct RowFilter {
    private let needle: SearchNeedle
    private let hiddenTypes: Set<String>

    /// The filter that is chosen.
    init(_ choices: RowChoices) {
        needle = SearchNeedle(choices.search)
        hiddenTypes = choices.hiddenTypes
    }

    /// Whether something is searched for.
    var isSearching: Bool { !needle.isEmpty }

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
        /// Whether a service of it is shown when it is unfolded.
        var shows: (SeenService) -> Bool
    }

    /// Sifts a device.
    func apply(to device: SeenDevice) -> Result {
        let services = device.services
        let allowed = hiddenTypes.isEmpty ? services.count : services.count(where: allows)
        guard isSearching else {
            return Result(allowedCount: allowed, shownCount: allowed, isShown: true, shows: allows)
        }
        let finds = { (seen: SeenService) in allows(seen) && needle.isFound(in: seen.searched) }
        let found = services.count(where: finds)
        let isFoundItself = needle.isFound(in: device.searched)
        guard found == 0 else {
            return Result(
                allowedCount: allowed, shownCount: found, isShown: true,
                isFoundItself: isFoundItself, isOpened: true, shows: finds)
        }
        return Result(
            allowedCount: allowed, shownCount: isFoundItself ? allowed : 0,
            isShown: isFoundItself, isFoundItself: isFoundItself, shows: allows)
    }

    /// Whether a service's type is not switched off.
    func allows(_ seen: SeenService) -> Bool {
        hiddenTypes.isEmpty || !hiddenTypes.contains(seen.service.type)
    }

    /// Whether a service, by what it is itself or by its device, is searched for.
    func finds(_ seen: SeenService, of device: SeenDevice) -> Bool {
        !isSearching || needle.isFound(in: seen.searched) || needle.isFound(in: device.searched)
    }

    /// Whether somebody who has left is shown.
    func finds(_ departed: DepartedItem) -> Bool {
        let types = departed.types
        return (types.isEmpty || !types.allSatisfy(hiddenTypes.contains))
            && (!isSearching || needle.isFound(in: departed.searched))
    }
}
