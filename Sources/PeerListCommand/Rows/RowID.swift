// Which row of the list is meant, whatever the list is grouped and sorted by.
import FoundationEssentials

/// The identifier of a row on the screen.
///
/// It is made of the identifiers that the lines carry, so a row is the same one
/// for as long as its device is, and selection and expansion follow it.
enum RowID: Hashable, Sendable {
    /// A device.
    case device(UUID)
    /// A service beneath the device that offers it.
    case service(UUID, of: UUID)
    /// A service in a list that is grouped by type.
    case listing(UUID)
    /// A device, or a service where the session lists services, that has left.
    case departed(UUID)

    /// The device that the row is, or is beneath.
    var device: UUID? {
        switch self {
        case .device(let device), .service(_, of: let device): device
        case .listing, .departed: nil
        }
    }

    /// The service that the row is.
    var service: UUID? {
        switch self {
        case .service(let service, of: _), .listing(let service): service
        case .device, .departed: nil
        }
    }

    /// The row above it in the outline.
    var parent: RowID? {
        if case .service(_, of: let device) = self { return .device(device) }
        return nil
    }
}
