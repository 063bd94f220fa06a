// The reasons for which items leave the list.

/// The reasons for which an item leaves the list.
public enum Departure: String, Sendable, Hashable, CaseIterable {
    /// The item was withdrawn, as far as is known: Avahi does not distinguish that from the other ends of records.
    case removed
    /// The records of the item expired, because nothing refreshed them.
    case expired
    /// Another machine withdrew or replaced the records of the item.
    case revoked
    /// The identifier of the item changed.
    case identity
    /// The item was not seen again after a backend's return.
    case backend
    /// The item was not seen again since an interface of this machine was down.
    case link

    /// The departure in the terms of the first version of the lines, in which no ends of records are told apart.
    package var general: Departure { self == .expired || self == .revoked ? .removed : self }
}
