// Who and what the rows are.
import FoundationEssentials
import PeerList

extension SeenList {
    /// An item as the session lists it.
    func item(_ id: UUID) -> ListItem? { items[id] }

    /// The device that a row is, is beneath, or that offers the row's service.
    func device(of row: RowID) -> SeenDevice? {
        switch row {
        case .device(let id), .service(_, of: let id): devices[id]
        case .listing(let service): owners[service].flatMap { devices[$0] }
        case .departed: nil
        }
    }

    /// The service that a row is.
    ///
    /// - Complexity: O(*n*), where *n* is the number of the device's services.
    func service(of row: RowID) -> SeenService? {
        guard let id = row.service else { return nil }
        return device(of: row)?.service(id)
    }

    /// The session's items of which a row is made, by which its history is found.
    func itemIDs(of row: RowID) -> [UUID] {
        if case .departed(let id) = row { return [id] }
        if let service = row.service, items[service]?.isService == true { return [service] }
        guard let device = device(of: row)?.peer.id else { return [] }
        return items[device]?.isService == false ? [device] : Array(listings[device] ?? [])
    }

    /// How many services the devices offer.
    var serviceCount: Int { owners.count }

    /// Whether a service is a row of this device when the list is grouped by type.
    func isOwner(_ device: UUID, of service: UUID) -> Bool { owners[service] == device }
}

extension SeenDevice {
    /// A service of the device.
    ///
    /// - Complexity: O(*n*), where *n* is the number of its services.
    func service(_ id: UUID) -> SeenService? {
        serviceIDs.firstIndex(of: id).map { services[$0] }
    }
}

extension ListItem {
    fileprivate var isService: Bool {
        if case .service = self { return true }
        return false
    }
}
