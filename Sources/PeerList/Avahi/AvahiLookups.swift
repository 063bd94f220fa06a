// The lookups and announcements of a connection, and the callbacks that report their events.
import CAvahi
import StackProtocol

// Each callback is called on the event loop; the callback of an entry group is also called from within its
// constructor. A callback copies its values, delivers them, and returns.

extension AvahiClient {
    func open(
        _ request: LookupRequest, receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) -> any Lookup {
        switch request {
        case .types(let domain, let path):
            try unsafe make(receive, freeing: avahi_service_type_browser_free) { client, context in
                unsafe avahi_service_type_browser_new(
                    client, path.interfaceNumber, path.familyNumber, domain, AvahiLookupFlags(0),
                    typeBrowsed, context)
            }
        case .services(let type, let domain, let path):
            try unsafe make(receive, freeing: avahi_service_browser_free) { client, context in
                unsafe avahi_service_browser_new(
                    client, path.interfaceNumber, path.familyNumber, type, domain,
                    AvahiLookupFlags(0), serviceBrowsed, context)
            }
        case .resolve(let instance, let path):
            try unsafe make(receive, freeing: avahi_service_resolver_free) { client, context in
                unsafe avahi_service_resolver_new(
                    client, path.interfaceNumber, path.familyNumber, instance.name, instance.type,
                    instance.domain, LookupPath().familyNumber, AvahiLookupFlags(0),
                    serviceResolved, context)
            }
        case .addresses(let host, let family, let path):
            try browseRecords(family.recordType, of: host, path, receive)
        case .records(let type, let instance, let path):
            try browseRecords(type.rawValue, of: instance.escapedName(), path, receive)
        case .publish(let announcement, let path):
            try publish(announcement, path, receive)
        }
    }

    private func browseRecords(
        _ type: UInt16, of name: String, _ path: LookupPath,
        _ receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) -> AvahiObject {
        try unsafe make(receive, freeing: avahi_record_browser_free) { client, context in
            unsafe avahi_record_browser_new(
                client, path.interfaceNumber, path.familyNumber, name, UInt16(AVAHI_DNS_CLASS_IN),
                type, AvahiLookupFlags(0), recordBrowsed, context)
        }
    }

    private func publish(
        _ announcement: Announcement, _ path: LookupPath,
        _ receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) -> AvahiObject {
        let group = try unsafe make(receive, freeing: avahi_entry_group_free) { client, context in
            unsafe avahi_entry_group_new(client, groupChanged, context)
        }
        do throws(StackError) {
            try group.add(announcement, path)
        } catch {
            group.close()
            throw error
        }
        return group
    }
}

extension AvahiObject {
    /// Adds a service to an entry group, and publishes it.
    fileprivate func add(_ announcement: Announcement, _ path: LookupPath) throws(StackError) {
        var list: UnsafeMutablePointer<AvahiStringList>?
        // A list grows at its head, and the daemon reverses the list when it copies it, so the record has the order of
        // the strings again. The order matters: the stack that takes over must announce the same record, or there is a
        // conflict.
        for string in announcement.txt {
            unsafe list = avahi_string_list_add(list, string)
        }
        defer { unsafe avahi_string_list_free(list) }
        try check(
            unsafe avahi_entry_group_add_service_strlst(
                handle, path.interfaceNumber, path.familyNumber, AvahiPublishFlags(0),
                announcement.name, announcement.type, nil, nil, announcement.port, list))
        for subtype in announcement.subtypes {
            try check(
                unsafe avahi_entry_group_add_service_subtype(
                    handle, path.interfaceNumber, path.familyNumber, AvahiPublishFlags(0),
                    announcement.name, announcement.type, nil,
                    "\(subtype)._sub.\(announcement.type)"))
        }
        try check(unsafe avahi_entry_group_commit(handle))
    }

    private func check(_ status: Int32) throws(StackError) {
        guard status >= 0 else { throw StackError(code: status) }
    }
}

private func typeBrowsed(
    browser: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiBrowserEvent, type: UnsafePointer<CChar>?, domain: UnsafePointer<CChar>?,
    flags: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
    let reported: LookupEvent? =
        switch event {
        case AVAHI_BROWSER_NEW:
            unsafe .typeAppeared(copiedText(type), domain: unescaped(copiedText(domain)))
        case AVAHI_BROWSER_ALL_FOR_NOW: .settled
        case AVAHI_BROWSER_FAILURE: .failed(.failure)
        // A REMOVE is ignored, because the goodbye of one device withdraws a type that other devices
        // still offer.
        default: nil
        }
    unsafe CallbackTarget.deliver(reported, to: context)
}

private func serviceBrowsed(
    browser: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiBrowserEvent, name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?,
    domain: UnsafePointer<CChar>?, flags: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
    // Other events have no interface.
    var path: NetworkPath { NetworkPath(index: interface, protocol: family) }
    let instance = unsafe ServiceInstance(
        name: copiedText(name), type: copiedText(type), domain: copiedText(domain))
    let reported: LookupEvent? =
        switch event {
        case AVAHI_BROWSER_NEW: .serviceAppeared(instance, path)
        case AVAHI_BROWSER_REMOVE: .serviceDisappeared(instance, path)
        case AVAHI_BROWSER_ALL_FOR_NOW: .settled
        case AVAHI_BROWSER_FAILURE: .failed(.failure)
        default: nil
        }
    unsafe CallbackTarget.deliver(reported, to: context)
}

private func serviceResolved(
    resolver: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiResolverEvent, name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?,
    domain: UnsafePointer<CChar>?, host: UnsafePointer<CChar>?,
    address: UnsafePointer<AvahiAddress>?, port: UInt16,
    txt: UnsafeMutablePointer<AvahiStringList>?, flags: AvahiLookupResultFlags,
    context: UnsafeMutableRawPointer?
) {
    guard event == AVAHI_RESOLVER_FOUND else {
        return unsafe CallbackTarget.deliver(LookupEvent.timedOut, to: context)
    }
    let resolution = unsafe Resolution(
        host: unescaped(copiedText(host)), port: port, txt: TXTRecord(strings: strings(txt)),
        address: hostAddress(address, interface))
    let isCached = flags.rawValue & AVAHI_LOOKUP_RESULT_CACHED.rawValue != 0
    unsafe CallbackTarget.deliver(LookupEvent.resolved(resolution, isCached: isCached), to: context)
}

private func recordBrowsed(
    browser: OpaquePointer?, interface: AvahiIfIndex, family: AvahiProtocol,
    event: AvahiBrowserEvent, name: UnsafePointer<CChar>?, class: UInt16, type: UInt16,
    data: UnsafeRawPointer?, size: Int, flags: AvahiLookupResultFlags,
    context: UnsafeMutableRawPointer?
) {
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size))
    // Other events have no interface.
    var path: NetworkPath { NetworkPath(index: interface, protocol: family) }
    let reported: LookupEvent? =
        switch event {
        case AVAHI_BROWSER_NEW: .recordAppeared(data: bytes, path)
        case AVAHI_BROWSER_REMOVE: .recordDisappeared(data: bytes, path)
        case AVAHI_BROWSER_CACHE_EXHAUSTED: .cacheExhausted
        case AVAHI_BROWSER_FAILURE: .failed(.failure)
        default: nil
        }
    unsafe CallbackTarget.deliver(reported, to: context)
}

private func groupChanged(
    group: OpaquePointer?, state: AvahiEntryGroupState, context: UnsafeMutableRawPointer?
) {
    let reported: LookupEvent? =
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: .established
        case AVAHI_ENTRY_GROUP_COLLISION: .collision
        case AVAHI_ENTRY_GROUP_FAILURE:
            .failed(
                StackError(code: unsafe avahi_client_errno(avahi_entry_group_get_client(group))))
        default: nil
        }
    unsafe CallbackTarget.deliver(reported, to: context)
}

/// Returns the address of a callback, with the interface on which it was seen.
private func hostAddress(
    _ address: UnsafePointer<AvahiAddress>?, _ interface: AvahiIfIndex
) -> HostAddress? {
    guard let address = unsafe address else { return nil }
    let isIPv6 = unsafe address.pointee.proto == Int32(AVAHI_PROTO_INET6)
    let bytes = unsafe withUnsafeBytes(of: address.pointee.data) {
        unsafe Array($0.prefix(isIPv6 ? 16 : 4))
    }
    return HostAddress(bytes: bytes, interface: NetworkInterface(index: interface).name)
}
