// The interface of the lists that a session follows: the link, or a fleet.
import DiffCore
package import FoundationEssentials
package import PeerHappenings
package import PeerModel
package import PeerRecording

/// An event of a list's source.
package protocol SourceEvent: Sendable {
    var time: Timestamp { get }
}

/// The items of a list in order.
package protocol OrderedItems {
    var snapshot: PeerListSnapshot { get }
    /// The sections of the snapshot with their items.
    var sections: [ListSection] { get }
    func item(_ id: UUID) -> ListItem?
}

extension ListBuilder: OrderedItems {}

/// A list that follows the events of a source.
package protocol ListSource: SendableMetatype {
    associatedtype Event: SourceEvent
    associatedtype Items: OrderedItems

    /// The devices as of the last event.
    var devices: Items { get }
    /// The number of devices as of the last event.
    var deviceCount: Int { get }
    /// The rows of services as of the last event; `nil` unless the list is grouped by type.
    var services: Items? { get }

    mutating func apply(_ event: Event) -> SourceEffects

    /// Remembers the devices that had services when they were seen before, for services that cannot be resolved.
    mutating func remember(_ known: @escaping @Sendable (ServiceKey) -> KnownDevice?)

    /// Returns the end of the initial fill once, at the first event after it.
    mutating func fillEnd(before event: Event) -> Timestamp?
    /// Returns the end of the initial fill once, at a time after it.
    mutating func fillEnd(at time: Timestamp) -> Timestamp?
    /// The time at which the initial fill ends if no event comes; `nil` if only an event can end it.
    var fillDue: Timestamp? { get }

    /// Whether everything that is there was probably found, given the time since the latest news and since the
    /// start of the session.
    func isQuiet(_ oneShot: OneShot, silence: Duration, age: Duration) -> Bool

    /// The number of devices that were found so far, and what is waited for.
    var searchText: String { get }

    /// The names of what was found and has not answered.
    var unansweredNames: [String] { get }

    /// The present devices that may be known from a cache alone.
    var cachedDevices: [UUID] { get }

    func sightings(of ids: [UUID]) -> ItemSightings
    /// Verifies that items are present; the result goes to `reply`, on any thread.
    func verify(_ ids: [UUID], _ reply: @escaping @Sendable (Verification) -> Void)
    /// Asks devices, or the devices of services, whether they answer at their addresses and TCP ports. The answers for each
    /// go to `reply`, on any thread: `nil` if it cannot be asked, and none if no address can work.
    func askAddresses(
        of ids: Set<UUID>, _ reply: @escaping @Sendable (UUID, [AddressAnswer]?) -> Void)
}

extension ListSource {
    package func isQuiet(_ oneShot: OneShot, silence: Duration, age: Duration) -> Bool { true }
    package var searchText: String { "" }
    package var unansweredNames: [String] { [] }
    package var cachedDevices: [UUID] { [] }
    package var deviceCount: Int { devices.snapshot.numberOfItems }
    package mutating func remember(_ known: @escaping @Sendable (ServiceKey) -> KnownDevice?) {}
    package func askAddresses(
        of ids: Set<UUID>, _ reply: @escaping @Sendable (UUID, [AddressAnswer]?) -> Void
    ) { for id in ids { reply(id, nil) } }

    package func sightings(of ids: [UUID]) -> ItemSightings {
        ItemSightings(paths: [], lastSeen: ids.compactMap { devices.item($0)?.peer.lastSeen }.max())
    }
}

/// The effects of an event of a source.
package struct SourceEffects {
    /// The header with which a recorded list begins, or goes on.
    package var header: LineHeader?
    /// The initial fill of a recorded list, if that changes.
    package var fill: InitialFill?
    /// The changes of the devices in a recording, and the step in which they were made.
    package var items: (changes: ItemChanges, step: UpdateStep)?
    /// The change of the list of devices, or `nil` if nothing changed.
    var devices: PeerListUpdate?
    /// The change of the rows of services; `nil` if nothing changed, or unless the list is grouped by type.
    var services: PeerListUpdate?
    package var notices: [Notice] = []
    /// Whether something was seen again, although the list is the same.
    var isSighting = false
    /// Whether the event shows that more may be found.
    var isNews = true
    /// The name of this machine, and the backend if it has changed.
    var observer: (host: String, backend: Backend?)?
    /// The events of what the list is heard through.
    package var happenings: [SourceHappening] = []
    /// The observers of a fleet and whether they are online, if that changed.
    var online: [ObserverName: Bool]?
    /// The reason why nothing can be found for now.
    var failure: String?

    package static var none: SourceEffects { SourceEffects() }
}
