// Announces a service through the daemon.
import CAvahi

/// A service that the daemon publishes for as long as the group, and the connection, live.
@safe final class AvahiEntryGroup: Lookup {
    private let object: AvahiObject

    /// Publishes a service on a path.
    init(
        _ announcement: Announcement, on client: AvahiClient, path: LookupPath,
        receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) {
        object = try unsafe client.make(receive) { client, context in
            unsafe avahi_entry_group_new(client, groupChanged, context)
        }
        do throws(StackError) {
            try add(announcement, path)
        } catch {
            close()
            throw error
        }
    }

    private func add(_ announcement: Announcement, _ path: LookupPath) throws(StackError) {
        var list: UnsafeMutablePointer<AvahiStringList>?
        // Lists grow at their head, so the last string goes in first.
        for string in announcement.txt.reversed() {
            unsafe list = avahi_string_list_add(list, string)
        }
        defer { unsafe avahi_string_list_free(list) }
        try check(
            unsafe avahi_entry_group_add_service_strlst(
                object.handle, path.interfaceNumber, path.familyNumber, AvahiPublishFlags(0),
                announcement.name, announcement.type, nil, nil, announcement.port, list))
        for subtype in announcement.subtypes {
            try check(
                unsafe avahi_entry_group_add_service_subtype(
                    object.handle, path.interfaceNumber, path.familyNumber, AvahiPublishFlags(0),
                    announcement.name, announcement.type, nil,
                    "\(subtype)._sub.\(announcement.type)"))
        }
        try check(unsafe avahi_entry_group_commit(object.handle))
    }

    private func check(_ status: Int32) throws(StackError) {
        guard status >= 0 else { throw StackError(code: status) }
    }

    /// Withdraws the service with a goodbye; a second call does nothing.
    func close() { unsafe object.close { unsafe avahi_entry_group_free($0) } }
}

/// Called on the event loop, also from within `avahi_entry_group_new`: copy, deliver, return.
private func groupChanged(
    group: OpaquePointer?, state: AvahiEntryGroupState, context: UnsafeMutableRawPointer?
) {
    let reported: LookupEvent? =
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: .established
        case AVAHI_ENTRY_GROUP_COLLISION: .collision
        case AVAHI_ENTRY_GROUP_FAILURE:
            .failed(
                StackError(
                    code: unsafe avahi_client_errno(avahi_entry_group_get_client(group))))
        default: nil
        }
    if let reported { unsafe CallbackTarget.deliver(reported, to: context) }
}
