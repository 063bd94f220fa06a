// Announces a service through libavahi-core: claims its name, and then points to it.
import CAvahiCore
import StackProtocol

/// An announced service, in two entry groups.
///
/// libavahi answers queries with the PTR records of a group that still probes, and sends no goodbye for them when the
/// group loses its name: other machines would cache a name without an owner for 75 minutes. So the SRV and the TXT record
/// are in one group, and the PTR records in another, which exists only while the name is claimed.
@safe final class Publication {
    /// An error code of libavahi.
    private struct AvahiError: Error {
        let code: Int32
    }

    private let id: UInt32
    private let service: StackService
    private let path: StackPath
    private let pipe: EventPipe
    private let server: OpaquePointer
    private var claim: OpaquePointer?
    private var pointers: OpaquePointer?

    init(
        _ id: UInt32, _ service: StackService, _ path: StackPath, _ pipe: EventPipe,
        _ server: OpaquePointer
    ) {
        (self.id, self.service, self.path, self.pipe) = (id, service, path, pipe)
        unsafe self.server = server
    }

    /// Claims the name; this object must be kept until it is closed, because it is the context of callbacks.
    ///
    /// A collision of the name may be detected now or after probing.
    func begin() { reporting { () throws(AvahiError) in try claimName() } }

    /// Withdraws the service, with goodbyes for what was announced.
    func close() {
        withdrawPointers()
        if let group = unsafe claim { unsafe avahi_s_entry_group_free(group) }
        unsafe claim = nil
    }

    private func claimName() throws(AvahiError) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let group = unsafe avahi_s_entry_group_new(
            server,
            { _, _, state, context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Publication>.fromOpaque(context).takeUnretainedValue()
                    .claimChanged(to: state)
            }, context)
        unsafe claim = group
        let name = try fullName(service.name)
        unsafe try add(AVAHI_DNS_TYPE_SRV, named: name, to: group) { record in
            unsafe record.pointee.data.srv.port = service.port
            unsafe record.pointee.data.srv.name = avahi_strdup(
                avahi_server_get_host_name_fqdn(server))
        }
        unsafe try add(AVAHI_DNS_TYPE_TXT, named: name, to: group) { record in
            var list: UnsafeMutablePointer<AvahiStringList>?
            unsafe avahi_string_list_parse(service.txt, service.txt.count, &list)
            unsafe record.pointee.data.txt.string_list = list
        }
        unsafe try commit(group)
    }

    private func claimChanged(to state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED where unsafe pointers == nil:
            reporting { () throws(AvahiError) in
                try announcePointers()
                pipe.send(.published(id, .established))
            }
        case AVAHI_ENTRY_GROUP_COLLISION:
            withdrawPointers()
            pipe.send(.published(id, .collision))
        case AVAHI_ENTRY_GROUP_FAILURE:
            pipe.send(.failed(id, code: unsafe avahi_server_errno(server)))
        default: break
        }
    }

    private func announcePointers() throws(AvahiError) {
        let group = unsafe avahi_s_entry_group_new(server, nil, nil)
        unsafe pointers = group
        let (name, type) = (try fullName(service.name), try fullName())
        let subtypes = service.subtypes.map { "\($0)._sub.\(service.type)" }
        var targets = [(type, name), (try fullName(of: "_services._dns-sd._udp"), type)]
        for subtype in subtypes { targets.append((try fullName(of: subtype), name)) }
        for (owner, target) in targets {
            unsafe try add(AVAHI_DNS_TYPE_PTR, named: owner, to: group) { record in
                unsafe record.pointee.data.ptr.name = avahi_strdup(target)
            }
        }
        unsafe try commit(group)
    }

    private func withdrawPointers() {
        if let group = unsafe pointers { unsafe avahi_s_entry_group_free(group) }
        unsafe pointers = nil
    }

    /// Returns the full name of an instance of a type; without an instance, the full name of the
    /// type.
    private func fullName(_ instance: String? = nil, of type: String? = nil) throws(AvahiError)
        -> String
    {
        var name = [CChar](repeating: 0, count: Int(AVAHI_DOMAIN_NAME_MAX))
        try check(
            unsafe avahi_service_name_join(
                &name, name.count, instance, type ?? service.type,
                avahi_server_get_domain_name(server)))
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Adds a record, whose data a closure sets; libavahi frees them.
    private func add(
        _ type: Int, named name: String, to group: OpaquePointer?,
        _ setData: (UnsafeMutablePointer<AvahiRecord>) -> Void
    ) throws(AvahiError) {
        // RFC 6762, section 10: records with a host name live shorter.
        let record = unsafe avahi_record_new_full(
            name, UInt16(AVAHI_DNS_CLASS_IN), UInt16(type),
            type == AVAHI_DNS_TYPE_SRV ? 120 : 4_500)
        guard let record = unsafe record, let group = unsafe group else {
            throw AvahiError(code: Int32(AVAHI_ERR_NO_MEMORY))
        }
        defer { unsafe avahi_record_unref(record) }
        unsafe setData(record)
        let flags = type == AVAHI_DNS_TYPE_PTR ? AvahiPublishFlags(0) : AVAHI_PUBLISH_UNIQUE
        try check(
            unsafe avahi_server_add(server, group, path.interface, path.family, flags, record))
    }

    private func commit(_ group: OpaquePointer?) throws(AvahiError) {
        try check(unsafe avahi_s_entry_group_commit(group))
    }

    private func check(_ status: Int32) throws(AvahiError) {
        guard status >= 0 else { throw AvahiError(code: status) }
    }

    /// Runs a body, and reports its failure: that the name is taken, or that the service cannot be announced.
    private func reporting(_ body: () throws(AvahiError) -> Void) {
        do throws(AvahiError) {
            try body()
        } catch {
            let isTaken = error.code == Int32(AVAHI_ERR_COLLISION)
            pipe.send(isTaken ? .published(id, .collision) : .failed(id, code: error.code))
        }
    }
}
