// A lookup or announcement of libavahi-core that was opened for the list.
import CAvahiCore
import StackProtocol

/// A C object with callbacks, and the number of its events.
///
/// C owns one retain of it, taken when the object is opened and released when it
/// is closed.
@safe final class OpenObject {
    /// The number that the list assigned.
    let id: UInt32
    private let pipe: EventPipe
    private var handle: OpaquePointer?
    private let free: (OpaquePointer) -> Void

    /// Opens an object.
    ///
    /// - Parameters:
    ///   - id: The number of its events.
    ///   - pipe: The pipe for its events.
    ///   - free: Frees the C object.
    ///   - create: Creates the C object with the given `userdata`.
    init?(
        _ id: UInt32, _ pipe: EventPipe, free: @escaping (OpaquePointer) -> Void,
        create: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) {
        self.id = id
        self.pipe = pipe
        unsafe self.free = free
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe handle = create(context)
        guard unsafe handle != nil else {
            unsafe Unmanaged.passUnretained(self).release()
            return nil
        }
    }

    /// Frees the C object, which ends its callbacks; a second call does nothing.
    func close() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        unsafe free(handle)
        unsafe Unmanaged.passUnretained(self).release()
    }

    /// Returns the object in a callback's `userdata`.
    static func from(_ context: UnsafeMutableRawPointer?) -> OpenObject? {
        unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Sends an event of the object.
    func send(_ event: (UInt32) -> StackEvent) { pipe.send(event(id)) }

    /// Sends the error of a failed object.
    func fail(_ server: OpaquePointer?) {
        let code = unsafe avahi_server_errno(server)
        pipe.send(.failed(id, code: code))
    }
}
