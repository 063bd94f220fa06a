// How two states of one row are compared.

extension ListItem {
    /// Whether two states of a row say the same, whenever it was last seen.
    package func isSame(as other: ListItem) -> Bool { resting(like: other) == other }

    /// Whether presence is all that two states differ in.
    func differsInPresenceOnly(from other: ListItem) -> Bool {
        switch (resting(like: other), other) {
        case (.peer(var now), .peer(let was)):
            now.presence = was.presence
            return now == was
        case (.service(var now), .service(let was)):
            now.presence = was.presence
            return now == was
        default:
            return false
        }
    }

    /// The item as if it had been last seen when another was.
    private func resting(like other: ListItem) -> ListItem {
        switch (self, other) {
        case (.peer(var now), .peer(let was)):
            now.lastSeen = was.lastSeen
            return .peer(now)
        case (.service(var now), .service(let was)):
            now.lastSeen = was.lastSeen
            return .service(now)
        default:
            return self
        }
    }
}

extension PeerListUpdate.Change {
    /// Whether presence is all that changed.
    var isOfPresenceOnly: Bool { now.differsInPresenceOnly(from: was) }
}
