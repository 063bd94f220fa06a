// Announces a service of the list's.
import CAvahiCore
import StackProtocol

extension StackServer {
    /// Announces a service; its name may turn out to be taken at once, or once others have been asked.
    func publish(_ id: UInt32, _ service: StackService, _ path: StackPath) {
        let free: (OpaquePointer) -> Void = { unsafe avahi_s_entry_group_free($0) }
        var made: OpaquePointer?
        let object = unsafe OpenObject(id, pipe, free: free) { context in
            unsafe made = avahi_s_entry_group_new(server, groupChanged, context)
            return unsafe made
        }
        guard let object, let group = unsafe made else {
            return pipe.send(.failed(id, code: unsafe avahi_server_errno(server)))
        }
        let status = unsafe add(service, path, to: group)
        guard status >= 0 else {
            object.close()
            let isTaken = status == Int32(AVAHI_ERR_COLLISION)
            return pipe.send(
                isTaken ? .published(id, .collision) : .failed(id, code: status))
        }
        objects.updateValue(object, forKey: id)?.close()
    }

    private func add(
        _ service: StackService, _ path: StackPath, to group: OpaquePointer
    ) -> Int32 {
        var list: UnsafeMutablePointer<AvahiStringList>?
        // Lists grow at their head, so the last string goes in first.
        for string in strings(ofTXTData: service.txt).reversed() {
            unsafe list = avahi_string_list_add_arbitrary(list, string, string.count)
        }
        defer { unsafe avahi_string_list_free(list) }
        let status = unsafe avahi_server_add_service_strlst(
            server, group, path.interface, path.family, AvahiPublishFlags(0), service.name,
            service.type, nil, nil, service.port, list)
        guard status >= 0 else { return status }
        for subtype in service.subtypes {
            let status = unsafe avahi_server_add_service_subtype(
                server, group, path.interface, path.family, AvahiPublishFlags(0), service.name,
                service.type, nil, "\(subtype)._sub.\(service.type)")
            guard status >= 0 else { return status }
        }
        return unsafe avahi_s_entry_group_commit(group)
    }
}

private func groupChanged(
    server: OpaquePointer?, group: OpaquePointer?, state: AvahiEntryGroupState,
    context: UnsafeMutableRawPointer?
) {
    guard let object = unsafe OpenObject.from(context) else { return }
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: object.tell { .published($0, .established) }
    case AVAHI_ENTRY_GROUP_COLLISION: object.tell { .published($0, .collision) }
    case AVAHI_ENTRY_GROUP_FAILURE: unsafe object.fail(server)
    default: break
    }
}
