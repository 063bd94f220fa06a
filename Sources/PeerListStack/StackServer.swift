// Runs libavahi-core's server, and opens and closes the list's lookups and announcements.
import CAvahiCore
import Glibc
import StackProtocol

/// The mDNS stack with its open lookups and announcements.
@safe final class StackServer {
    private let poll: OpaquePointer
    private var server: OpaquePointer?
    private let pipe: EventPipe
    private var objects: [UInt32: OpenObject] = [:]

    /// Opens the sockets; no packet is read before ``run(until:)``.
    init(_ settings: StackSettings, _ pipe: EventPipe) {
        self.pipe = pipe
        StackMemory.watch()
        unsafe avahi_set_log_function(logged)
        guard let poll = unsafe avahi_simple_poll_new() else { refuse("out of memory") }
        unsafe self.poll = poll
        var config = unsafe StackServer.config(settings)
        defer { unsafe avahi_server_config_free(&config) }
        var code: Int32 = 0
        // This object lives until the process exits.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe server = avahi_server_new(
            avahi_simple_poll_get(poll), &config, stateChanged, context, &code)
        if unsafe server == nil { refuse(unsafe String(cString: avahi_strerror(code))) }
    }

    /// Handles requests until standard input ends or the signal is received.
    func run(until end: EndSignal) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let api = unsafe avahi_simple_poll_get(poll)
        unsafe _ = api?.pointee.watch_new(
            api, STDIN_FILENO, AVAHI_WATCH_IN, requestsReceived, context)
        unsafe _ = api?.pointee.watch_new(api, end.descriptor, AVAHI_WATCH_IN, endReceived, context)
        unsafe avahi_simple_poll_loop(poll)
        for object in objects.values { object.close() }
        // Sends goodbyes for the announced services.
        if let server = unsafe server { unsafe avahi_server_free(server) }
    }

    /// Ends ``run(until:)``.
    fileprivate func end() { unsafe avahi_simple_poll_quit(poll) }

    fileprivate func readRequests() {
        guard pipe.fill() else { return end() }
        while let request = pipe.next() { handle(request) }
    }

    fileprivate func changed(to state: AvahiServerState, _ server: OpaquePointer) {
        let host = unsafe avahi_server_get_host_name_fqdn(server).map { unsafe String(cString: $0) }
        switch state {
        case AVAHI_SERVER_REGISTERING: pipe.send(.state(.registering, host: host ?? ""))
        case AVAHI_SERVER_RUNNING: pipe.send(.state(.running, host: host ?? ""))
        case AVAHI_SERVER_COLLISION:
            pipe.send(.state(.collision, host: host ?? ""))
            unsafe StackServer.claimNextName(server)
        case AVAHI_SERVER_FAILURE:
            refuse(unsafe String(cString: avahi_strerror(avahi_server_errno(server))))
        default: break
        }
    }

    /// Claims the next host name after a collision, such as `h1-2` after `h1`.
    private static func claimNextName(_ server: OpaquePointer) {
        let next = unsafe avahi_alternative_host_name(avahi_server_get_host_name(server))
        defer { unsafe avahi_free(next) }
        if unsafe avahi_server_set_host_name(server, next) < 0 { refuse("no host name is free") }
    }

    private static func config(_ settings: StackSettings) -> AvahiServerConfig {
        var config = unsafe AvahiServerConfig()
        unsafe avahi_server_config_init(&config)
        unsafe config.disable_publishing = settings.publishes ? 0 : 1
        unsafe config.publish_addresses = settings.publishes ? 1 : 0
        unsafe config.publish_hinfo = 0
        unsafe config.publish_workstation = 0
        unsafe config.publish_domain = 0
        unsafe config.enable_wide_area = 0
        unsafe config.disallow_other_stacks = 0
        unsafe config.n_cache_entries_max = UInt32(StackLimits.cache)
        unsafe config.ratelimit_interval = 0
        if !settings.usesLoopback {
            unsafe config.deny_interfaces = avahi_string_list_add(nil, "lo")
        }
        return unsafe config
    }
}

// MARK: Lookups

extension StackServer {
    /// Handles a request; a lookup that cannot be opened is reported as failed.
    private func handle(_ request: StackRequest) {
        switch request {
        case .hello: break
        case .close(let id): objects.removeValue(forKey: id)?.close()
        case .browseTypes(let id, let domain, let path): browseTypes(id, domain, path)
        case .browseServices(let id, let type, let domain, let path):
            browseServices(id, type, domain, path)
        case .resolve(let id, let instance, let path): resolve(id, instance, path)
        case .browseRecords(let id, let name, let type, let path):
            browseRecords(id, name, type, path)
        case .publish(let id, let service, let path): publish(id, service, path)
        }
    }

    private func store(_ id: UInt32, _ object: OpenObject?) {
        guard let object else {
            return pipe.send(.failed(id, code: unsafe avahi_server_errno(server)))
        }
        objects.updateValue(object, forKey: id)?.close()
    }

    private func browseTypes(_ id: UInt32, _ domain: String, _ path: StackPath) {
        store(
            id,
            unsafe OpenObject(id, pipe, free: { unsafe avahi_s_service_type_browser_free($0) }) {
                unsafe avahi_s_service_type_browser_new(
                    server, path.interface, path.family, domain.isEmpty ? nil : domain,
                    AvahiLookupFlags(0), typeBrowsed, $0)
            })
    }

    private func browseServices(
        _ id: UInt32, _ type: String, _ domain: String, _ path: StackPath
    ) {
        store(
            id,
            unsafe OpenObject(id, pipe, free: { unsafe avahi_s_service_browser_free($0) }) {
                unsafe avahi_s_service_browser_new(
                    server, path.interface, path.family, type, domain.isEmpty ? nil : domain,
                    AvahiLookupFlags(0), serviceBrowsed, $0)
            })
    }

    private func resolve(_ id: UInt32, _ instance: StackInstance, _ path: StackPath) {
        store(
            id,
            unsafe OpenObject(id, pipe, free: { unsafe avahi_s_service_resolver_free($0) }) {
                unsafe avahi_s_service_resolver_new(
                    server, path.interface, path.family, instance.name, instance.type,
                    instance.domain, Int32(AVAHI_PROTO_UNSPEC), AvahiLookupFlags(0),
                    serviceResolved, $0)
            })
    }

    private func browseRecords(
        _ id: UInt32, _ name: String, _ type: UInt16, _ path: StackPath
    ) {
        guard let key = unsafe avahi_key_new(name, UInt16(AVAHI_DNS_CLASS_IN), type) else {
            return pipe.send(.failed(id, code: Int32(AVAHI_ERR_INVALID_DOMAIN_NAME)))
        }
        defer { unsafe avahi_key_unref(key) }
        store(
            id,
            unsafe OpenObject(id, pipe, free: { unsafe avahi_s_record_browser_free($0) }) {
                unsafe avahi_s_record_browser_new(
                    server, path.interface, path.family, key, AvahiLookupFlags(0), recordBrowsed,
                    $0)
            })
    }
}

// MARK: Announcing

extension StackServer {
    /// Announces a service; a collision of its name may be detected now or after probing.
    private func publish(_ id: UInt32, _ service: StackService, _ path: StackPath) {
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
        // Strings are prepended, so the last one is added first.
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

// MARK: Callbacks

private func logged(level: AvahiLogLevel, text: UnsafePointer<CChar>?) {
    guard level.rawValue <= AVAHI_LOG_WARN.rawValue, let text = unsafe text else { return }
    log(unsafe String(cString: text))
}

private func stateChanged(
    server: OpaquePointer?, state: AvahiServerState, context: UnsafeMutableRawPointer?
) {
    guard let context = unsafe context, let server = unsafe server else { return }
    unsafe Unmanaged<StackServer>.fromOpaque(context).takeUnretainedValue().changed(
        to: state, server)
}

private func requestsReceived(
    watch: OpaquePointer?, descriptor: Int32, event: AvahiWatchEvent,
    context: UnsafeMutableRawPointer?
) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StackServer>.fromOpaque(context).takeUnretainedValue().readRequests()
}

private func endReceived(
    watch: OpaquePointer?, descriptor: Int32, event: AvahiWatchEvent,
    context: UnsafeMutableRawPointer?
) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StackServer>.fromOpaque(context).takeUnretainedValue().end()
}

private func groupChanged(
    server: OpaquePointer?, group: OpaquePointer?, state: AvahiEntryGroupState,
    context: UnsafeMutableRawPointer?
) {
    guard let object = unsafe OpenObject.from(context) else { return }
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: object.send { .published($0, .established) }
    case AVAHI_ENTRY_GROUP_COLLISION: object.send { .published($0, .collision) }
    case AVAHI_ENTRY_GROUP_FAILURE: unsafe object.fail(server)
    default: break
    }
}
