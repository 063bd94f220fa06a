// A connection to avahi-daemon over the D-Bus system bus.
import CAvahi

/// A connection to avahi-daemon.
///
/// Every browser, resolver and entry group belongs to one connection, and is freed before the connection. All calls are
/// made on the event loop.
@safe final class AvahiClient {
    private let handle: OpaquePointer
    private let context: UnsafeMutableRawPointer
    private var isOpen = true

    fileprivate(set) var objectCount = 0

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - loop: The event loop of the connection; the caller runs on it.
    ///   - waits: Whether to wait for a daemon that is not running yet; the bus must be running.
    ///   - receive: Called on the loop when the state changes, also from within this initializer.
    /// - Throws: ``StackError`` if there is no daemon to connect to, no bus, or no libavahi-client.
    init(
        on loop: EventLoop, waits: Bool, receive: @escaping @Sendable (StackStatus.State) -> Void
    ) throws(StackError) {
        guard avahi_client_is_installed() else { throw .clientMissing }
        let context = unsafe CallbackTarget(receive).retainForC()
        let flags = waits ? AVAHI_CLIENT_NO_FAIL : AvahiClientFlags(0)
        var code: Int32 = 0
        guard
            let handle = unsafe avahi_client_new(
                loop.api, flags,
                { _, state, context in
                    unsafe CallbackTarget.deliver(StackStatus.State(state), to: context)
                }, context, &code)
        else {
            unsafe CallbackTarget<StackStatus.State>.releaseFromC(context)
            throw StackError(code: code)
        }
        unsafe self.handle = handle
        unsafe self.context = context
    }

    deinit { close() }

    /// Frees the connection, whose objects must be closed by then. Must not be called from a callback of
    /// the connection.
    func close() {
        guard isOpen else { return }
        isOpen = false
        precondition(objectCount == 0, "a connection is closed after its objects")
        unsafe avahi_client_free(handle)
        unsafe CallbackTarget<StackStatus.State>.releaseFromC(context)
    }

    var state: StackStatus.State { StackStatus.State(unsafe avahi_client_get_state(handle)) }

    var lastError: StackError { StackError(code: unsafe avahi_client_errno(handle)) }

    /// The host name that this machine is known by, such as `h1.local`.
    var hostName: String { unescaped(unsafe copiedText(avahi_client_get_host_name_fqdn(handle))) }

    /// The daemon's version, such as `avahi 0.8`, or `nil` if the daemon does not answer.
    var version: String? {
        unsafe avahi_client_get_version_string(handle).map { unsafe copiedText($0) }
    }

    /// Makes an object of this connection.
    ///
    /// - Parameters:
    ///   - receive: Called by the object's callbacks.
    ///   - free: The C function that frees the object.
    ///   - create: Calls the constructor with the client and the `userdata`.
    /// - Returns: The object that the constructor made.
    /// - Throws: ``StackError`` if the constructor failed.
    func make(
        _ receive: @escaping @Sendable (LookupEvent) -> Void,
        freeing free: @escaping (OpaquePointer?) -> Int32,
        _ create: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
    ) throws(StackError) -> AvahiObject {
        let context = unsafe CallbackTarget(receive).retainForC()
        guard let handle = unsafe create(handle, context) else {
            unsafe CallbackTarget<LookupEvent>.releaseFromC(context)
            throw lastError
        }
        objectCount += 1
        return unsafe AvahiObject(handle: handle, context: context, client: self, free: free)
    }
}

/// A browser, resolver or entry group of a connection, with the retain that C holds.
@safe final class AvahiObject: Lookup {
    let handle: OpaquePointer
    private let context: UnsafeMutableRawPointer
    private let client: AvahiClient
    private let free: (OpaquePointer?) -> Int32
    private var isOpen = true

    fileprivate init(
        handle: OpaquePointer, context: UnsafeMutableRawPointer, client: AvahiClient,
        free: @escaping (OpaquePointer?) -> Int32
    ) {
        unsafe (self.handle, self.context) = (handle, context)
        unsafe self.free = free
        self.client = client
    }

    /// Frees the C object and releases its retain; a second call does nothing.
    func close() {
        guard isOpen else { return }
        isOpen = false
        _ = unsafe free(handle)
        unsafe CallbackTarget<LookupEvent>.releaseFromC(context)
        client.objectCount -= 1
    }
}

extension StackStatus.State {
    fileprivate init(_ state: AvahiClientState) {
        switch state {
        case AVAHI_CLIENT_S_RUNNING: self = .running
        case AVAHI_CLIENT_S_REGISTERING: self = .registering
        case AVAHI_CLIENT_S_COLLISION: self = .collision
        case AVAHI_CLIENT_CONNECTING: self = .connecting
        default: self = .failed
        }
    }
}
