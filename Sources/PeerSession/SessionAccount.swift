// Keeps account of what happens in a session, for each form in which outputs show the list.
import PeerHappenings
import PeerModel

/// The account of the devices, and the account of the services of a list that is grouped by type.
struct SessionAccount: Sendable {
    /// The events for outputs of devices, and for outputs that group the list.
    typealias Events = (ofDevices: [Happening], grouped: [Happening])

    private var devices = Happenings()
    /// The account of the services; `nil` unless the list is grouped by type.
    private var services: Happenings?

    /// The initial fill of the list.
    var fill: InitialFill {
        get { devices.fill }
        set {
            devices.fill = newValue
            services?.fill = newValue
        }
    }

    /// The sources through which devices are heard, as far as they are away or have just returned.
    var sources: AbsentSources { devices.attendance.sources }

    /// The time at which the next event has settled; `nil` if nothing is pending.
    var due: Timestamp? { [devices.due, services?.due].compactMap(\.self).min() }

    /// Begins the account of the services.
    mutating func beginServices() { services = Happenings() }

    /// Applies the changes of the devices and of the services; `nil` if there are none.
    mutating func apply(_ devices: ItemChanges?, services: ItemChanges?) {
        if let devices { self.devices.apply(devices) }
        if let services { self.services?.apply(services) }
    }

    mutating func add(_ happening: SourceHappening) {
        devices.add(happening)
        services?.add(happening)
    }

    /// Notes which observers of a fleet are online.
    mutating func note(_ online: [ObserverName: Bool]) { devices.note(online) }

    /// Removes and returns the events that have settled by a time; `nil` if there are none.
    mutating func removeDue(at time: Timestamp) -> Events? {
        Self.events(devices.removeDue(at: time), services?.removeDue(at: time))
    }

    /// Removes and returns all events, settled or not; `nil` if there are none.
    mutating func removeAll() -> Events? {
        Self.events(devices.removeAll(), services?.removeAll())
    }

    private static func events(_ ofDevices: [Happening], _ ofServices: [Happening]?) -> Events? {
        let grouped = ofServices ?? ofDevices
        return ofDevices.isEmpty && grouped.isEmpty ? nil : (ofDevices, grouped)
    }

    /// Drops the pending events.
    mutating func reset() { devices.reset() }
}
