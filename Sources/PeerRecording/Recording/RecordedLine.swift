// One line of a recording, as it was read.
import FoundationEssentials
import PeerList

/// One line of a recording.
struct RecordedLine {
    /// What the line says beyond its number and its time.
    enum Content {
        /// The list from which the differences start.
        case begin(LineHeader, [ListSection])
        /// One difference.
        case difference(PeerListUpdate.Cause, [RecordedChange])
        /// Something that the user was told, and who was asked from then on where it says that.
        case notice(code: String, message: String, backend: String?)
        /// The last line of a run.
        case end(LineEncoder.EndReason)
        /// A type of line that this version does not know; by the format's rule it may be passed over.
        case unknown
    }

    /// The line's number since the last `begin`.
    var sequence: Int
    /// When what it says happened.
    var time: Timestamp
    /// What it says.
    var content: Content
}

extension RecordedLine {
    /// What the user was told, if the line says that and in a way that this version knows.
    var notice: Notice? {
        guard case .notice(let code, let message, let backend) = content else { return nil }
        return Notice.Code(rawValue: code).map { code in
            Notice(code, message, backend: backend.flatMap(Backend.init(rawValue:)), time: time)
        }
    }
}

/// One change of a difference.
enum RecordedChange {
    /// A place in the list, with its section by name.
    struct Place: Equatable {
        var section: String
        var at: Int
    }

    /// An item came.
    case insert(Place, ListItem)
    /// An item left.
    case delete(Place, ListItem, PeerListUpdate.Departure)
    /// An item stands elsewhere.
    case move(UUID, from: Place, to: Place)
    /// An item stayed and changed.
    case update(Place, UUID, set: RecordedItem, was: RecordedItem)
    /// A section came.
    case insertSection(Place)
    /// A section left.
    case deleteSection(Place)
    /// A section stands elsewhere.
    case moveSection(String, from: Int, to: Int)
}
