// Runs libavahi-core's server, and opens and closes the list's lookups and announcements.
import CAvahiCore
import CSeccomp
import Glibc
import StackProtocol

/// The mDNS stack with its open lookups and announcements.
@safe final class StackServer {
    private let poll: OpaquePointer
    private var server: OpaquePointer?
    private let pipe: EventPipe
    private var objects: [UInt32: OpenObject] = [:]
    private var publications: [UInt32: Publication] = [:]
    /// The number of host names that were lost since one was claimed.
    private var lostHostNames = 0

    /// Opens the sockets; no packet is read before ``run(until:)``.
    init(_ settings: StackSettings, _ pipe: EventPipe) {
        self.pipe = pipe
        StackMemory.watch()
        // libavahi's random delays; without a seed they are the same on every machine, and so are collisions.
        srand(UInt32.random(in: 0...UInt32.max))
        unsafe avahi_set_log_function { level, message in
            if level.rawValue <= AVAHI_LOG_WARN.rawValue { log(unsafe text(message)) }
        }
        guard let poll = unsafe avahi_simple_poll_new() else { refuse("out of memory") }
        unsafe self.poll = poll
        var config = unsafe StackServer.config(settings)
        defer { unsafe avahi_server_config_free(&config) }
        var code: Int32 = 0
        // This object lives until the process exits.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe server = avahi_server_new(
            avahi_simple_poll_get(poll), &config,
            { server, state, context in
                guard let server = unsafe server else { return }
                unsafe StackServer.from(context)?.changed(to: state, server)
            }, context, &code)
        if unsafe server == nil { refuse(unsafe String(cString: avahi_strerror(code))) }
    }

    /// Handles requests until standard input ends or the signal is received.
    func run(until end: EndSignal) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let api = unsafe avahi_simple_poll_get(poll)
        let requestsReceived: AvahiWatchCallback = { unsafe StackServer.from($3)?.readRequests() }
        let endReceived: AvahiWatchCallback = { unsafe StackServer.from($3)?.end() }
        unsafe _ = api?.pointee.watch_new(
            api, STDIN_FILENO, AVAHI_WATCH_IN, requestsReceived, context)
        unsafe _ = api?.pointee.watch_new(api, end.descriptor, AVAHI_WATCH_IN, endReceived, context)
        unsafe avahi_simple_poll_loop(poll)
        for object in objects.values { object.close() }
        // Sends goodbyes, as closing the server does for the host name.
        for publication in publications.values { publication.close() }
        if let server = unsafe server { unsafe avahi_server_free(server) }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> StackServer? {
        unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Ends ``run(until:)``.
    private func end() { unsafe avahi_simple_poll_quit(poll) }

    private func readRequests() {
        guard pipe.fill() else { return end() }
        while let request = pipe.next() { handle(request) }
    }

    private func changed(to state: AvahiServerState, _ server: OpaquePointer) {
        let host = unsafe text(avahi_server_get_host_name_fqdn(server))
        switch state {
        case AVAHI_SERVER_REGISTERING: pipe.send(.state(.registering, host: host))
        case AVAHI_SERVER_RUNNING:
            lostHostNames = 0
            pipe.send(.state(.running, host: host))
        case AVAHI_SERVER_COLLISION:
            pipe.send(.state(.collision, host: host))
            planNextHostName()
        case AVAHI_SERVER_FAILURE:
            refuse(unsafe String(cString: avahi_strerror(avahi_server_errno(server))))
        default: break
        }
    }

    /// Claims another host name. From the second lost name on, the time is random, because machines that start
    /// together can lose each name together again. libavahi begins to claim a name at least a second after the
    /// previous one, so that a shorter wait would have no effect.
    private func planNextHostName() {
        lostHostNames += 1
        guard lostHostNames > 1 else { return claimNextHostName() }
        var due = timeval()
        unsafe avahi_elapse_time(&due, UInt32.random(in: 1_000...2_000), 0)
        let api = unsafe avahi_simple_poll_get(poll)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe _ = api?.pointee.timeout_new(
            api, &due,
            { timeout, context in
                guard let server = unsafe StackServer.from(context) else { return }
                let api = unsafe avahi_simple_poll_get(server.poll)
                unsafe api?.pointee.timeout_free(timeout)
                server.claimNextHostName()
            }, context)
    }

    /// Claims the next host name, such as `h1-2` after `h1`.
    private func claimNextHostName() {
        guard let server = unsafe server else { return }
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
    private func handle(_ request: StackRequest) {
        switch request {
        case .hello: break
        case .close(let id):
            objects.removeValue(forKey: id)?.close()
            publications.removeValue(forKey: id)?.close()
        case .browseTypes(let id, let domain, let path):
            unsafe open(id, free: { unsafe avahi_s_service_type_browser_free($0) }) {
                unsafe avahi_s_service_type_browser_new(
                    server, path.interface, path.family, domain.isEmpty ? nil : domain,
                    AvahiLookupFlags(0), typeBrowsed, $0)
            }
        case .browseServices(let id, let type, let domain, let path):
            unsafe open(id, free: { unsafe avahi_s_service_browser_free($0) }) {
                unsafe avahi_s_service_browser_new(
                    server, path.interface, path.family, type, domain.isEmpty ? nil : domain,
                    AvahiLookupFlags(0), serviceBrowsed, $0)
            }
        case .resolve(let id, let instance, let path):
            unsafe open(id, free: { unsafe avahi_s_service_resolver_free($0) }) {
                unsafe avahi_s_service_resolver_new(
                    server, path.interface, path.family, instance.name, instance.type,
                    instance.domain, Int32(AVAHI_PROTO_UNSPEC), AvahiLookupFlags(0),
                    serviceResolved, $0)
            }
        case .browseRecords(let id, let name, let type, let path):
            browseRecords(id, name, type, path)
        case .publish(let id, let service, let path):
            guard let server = unsafe server else { return }
            let publication = unsafe Publication(id, service, path, pipe, server)
            publications.updateValue(publication, forKey: id)?.close()
            publication.begin()
        }
    }

    /// Opens a lookup, which replaces a lookup with the same number, or reports its failure.
    private func open(
        _ id: UInt32, free: @escaping (OpaquePointer) -> Void,
        create: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) {
        guard let object = unsafe OpenObject(id, pipe, free: free, create: create) else {
            return pipe.send(.failed(id, code: unsafe avahi_server_errno(server)))
        }
        objects.updateValue(object, forKey: id)?.close()
    }

    private func browseRecords(_ id: UInt32, _ name: String, _ type: UInt16, _ path: StackPath) {
        guard let key = unsafe avahi_key_new(name, UInt16(AVAHI_DNS_CLASS_IN), type) else {
            return pipe.send(.failed(id, code: Int32(AVAHI_ERR_INVALID_DOMAIN_NAME)))
        }
        defer { unsafe avahi_key_unref(key) }
        unsafe open(id, free: { unsafe avahi_s_record_browser_free($0) }) {
            unsafe avahi_s_record_browser_new(
                server, path.interface, path.family, key, AvahiLookupFlags(0), recordBrowsed, $0)
        }
    }
}

/// Receives SIGTERM as a descriptor, so that announced services are withdrawn before the exit.
struct EndSignal {
    /// Readable when the signal has been received.
    let descriptor: Int32

    /// Blocks the signal, and requests it for the parent's death.
    init() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigprocmask(SIG_BLOCK, &signals, nil)
        descriptor = unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC))
        // Standard input ends too when the parent dies, unless another process has a copy of it.
        _ = pl_signal_on_parents_death(SIGTERM)
    }
}
