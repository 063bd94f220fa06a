// Events in the world that the changes of a list add up to.
package import FoundationEssentials
package import PeerModel

/// An event of a device, or of what the list is heard through.
package enum Happening: Sendable {
    case item(ItemHappening)
    case source(SourceHappening)

    /// The time at which it happened.
    package var time: Timestamp {
        switch self {
        case .item(let happening): happening.time
        case .source(let happening): happening.time
        }
    }

    package var ofItem: ItemHappening? {
        if case .item(let happening) = self { happening } else { nil }
    }
}

/// An event of a device, or of a service in a list that is grouped by type.
package struct ItemHappening: Sendable {
    package enum Event: String, Sendable, Hashable, CaseIterable {
        case arrived, left
        /// A property of its own changed: its names, addresses, services or their records.
        case changed
        /// It does not answer any more.
        case silent
        /// It answers again after it was silent.
        case answers
        /// It is known by other evidence, and so by another identifier.
        case identified
        /// It was there at the start of the list or of an observer, which is no event in the world.
        case there
    }

    /// The reasons for which an item has left.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// It was withdrawn while it still answered.
        case goodbye
        /// Its records have expired, or it was removed after it did not answer any more.
        case expired
        /// Another machine withdrew or replaced its records.
        case revoked
        /// It was not found again after an interface of this machine was back.
        case link
        /// It was not found again after a backend was back.
        case backend
    }

    package let event: Event
    /// The time at which it happened; of an arrival, the time at which its name and addresses were known.
    package let time: Timestamp
    /// The item after the event; of a departure, as it was before the first of its services went.
    package let item: ListItem
    /// The item as it was said before; `nil` unless something about it changed.
    package var was: ListItem?
    /// The reason of a departure; of an arrival, ``Reason/link`` if the item had left for that reason.
    package var reason: Reason?
    /// The time of the departure before an arrival, or of the begin of the silence; `nil` if not known.
    package var since: Timestamp?
    /// Of an item that is back, the identifier under which it had left; `nil` if that is its own.
    package var former: UUID?
    /// The number of the absence that the event begins, goes on with or ends, which stays when the identifier changes;
    /// `nil` if the item is there.
    package var absence: Int?

    package init(
        _ event: Event, _ item: ListItem, at time: Timestamp, was: ListItem? = nil,
        reason: Reason? = nil, since: Timestamp? = nil, absence: Int? = nil
    ) {
        (self.event, self.item, self.time) = (event, item, time)
        (self.was, self.reason, self.since, self.absence) = (was, reason, since, absence)
    }
}

/// An event of what the list is heard through: an interface, the backend, a broker or an observer.
package struct SourceHappening: Sendable, Equatable {
    package enum Event: String, Sendable, Hashable, CaseIterable {
        /// Everything that was there at the start has been found.
        case filled
        case linkLost = "link-lost"
        case linkBack = "link-back"
        case backendLost = "backend-lost"
        case backendBack = "backend-back"
        case observerJoined = "observer-joined"
        case observerAway = "observer-away"
        case observerBack = "observer-back"
        /// The messages of an observer were removed from the broker.
        case observerForgotten = "observer-forgotten"
        case brokerLost = "broker-lost"
        case brokerBack = "broker-back"
    }

    package let event: Event
    package let time: Timestamp
    /// The name of the interface, backend, broker or observer; empty for the list itself.
    package let name: String
    /// The number of devices that it concerns.
    package let count: Int

    package init(_ event: Event, _ name: String, count: Int, at time: Timestamp) {
        (self.event, self.name, self.count, self.time) = (event, name, count, time)
    }
}
