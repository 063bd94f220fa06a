// libavahi-core's server: its settings, its state, and the loop in which all of it runs.
import CAvahiCore
import Glibc
import StackProtocol

/// The mDNS stack, and what has been opened in it.
@safe final class StackServer {
    private let poll: OpaquePointer
    private(set) var server: OpaquePointer?
    let pipe: EventPipe
    var objects: [UInt32: OpenObject] = [:]

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
        // The server does not outlive this object, which ends with the process.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe server = avahi_server_new(
            avahi_simple_poll_get(poll), &config, stateChanged, context, &code)
        if unsafe server == nil { refuse(unsafe String(cString: avahi_strerror(code))) }
    }

    /// Answers requests until standard input ends, or the signal comes.
    func run(until end: EndSignal) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let api = unsafe avahi_simple_poll_get(poll)
        unsafe _ = api?.pointee.watch_new(
            api, STDIN_FILENO, AVAHI_WATCH_IN, requestsCame, context)
        unsafe _ = api?.pointee.watch_new(api, end.descriptor, AVAHI_WATCH_IN, endCame, context)
        unsafe avahi_simple_poll_loop(poll)
        for object in objects.values { object.close() }
        // Says goodbye for what was announced.
        if let server = unsafe server { unsafe avahi_server_free(server) }
    }

    /// Ends ``run(until:)``.
    fileprivate func end() { unsafe avahi_simple_poll_quit(poll) }

    fileprivate func takeRequests() {
        guard pipe.fill() else { return end() }
        while let request = pipe.next() { take(request) }
    }

    fileprivate func changed(to state: AvahiServerState, _ server: OpaquePointer) {
        let host = unsafe avahi_server_get_host_name_fqdn(server).map { unsafe String(cString: $0) }
        switch state {
        case AVAHI_SERVER_REGISTERING: pipe.send(.state(.registering, host: host ?? ""))
        case AVAHI_SERVER_RUNNING: pipe.send(.state(.running, host: host ?? ""))
        case AVAHI_SERVER_COLLISION:
            pipe.send(.state(.collision, host: host ?? ""))
            unsafe StackServer.takeNextName(server)
        case AVAHI_SERVER_FAILURE:
            refuse(unsafe String(cString: avahi_strerror(avahi_server_errno(server))))
        default: break
        }
    }

    /// The name is another machine's: claims `h1-2` after `h1`.
    private static func takeNextName(_ server: OpaquePointer) {
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

private func requestsCame(
    watch: OpaquePointer?, descriptor: Int32, event: AvahiWatchEvent,
    context: UnsafeMutableRawPointer?
) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StackServer>.fromOpaque(context).takeUnretainedValue().takeRequests()
}

private func endCame(
    watch: OpaquePointer?, descriptor: Int32, event: AvahiWatchEvent,
    context: UnsafeMutableRawPointer?
) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StackServer>.fromOpaque(context).takeUnretainedValue().end()
}
