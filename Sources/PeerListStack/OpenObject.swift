// Something of libavahi-core that was opened for the list.
import CAvahiCore
import StackProtocol

/// A C object that calls back, and the number that its events bear.
///
/// C holds one retain of it, taken when the object is opened and given back
/// when it is closed.
@safe final class OpenObject {
    /// The number that the list gave it.
    let id: UInt32
    private let pipe: EventPipe
    private var handle: OpaquePointer?
    private let free: (OpaquePointer) -> Void

    /// Opens an object.
    ///
    /// - Parameters:
    ///   - id: The number that its events bear.
    ///   - pipe: Where they go.
    ///   - free: Frees the C object.
    ///   - create: Makes it, with the given `userdata`.
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

    /// Frees the C object, which calls back no more; a second call does nothing.
    func close() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        unsafe free(handle)
        unsafe Unmanaged.passUnretained(self).release()
    }

    /// The object behind a callback's `userdata`.
    static func from(_ context: UnsafeMutableRawPointer?) -> OpenObject? {
        unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Tells the list something about the object.
    func tell(_ event: (UInt32) -> StackEvent) { pipe.send(event(id)) }

    /// Tells the list that the object is of no use any more, or never was.
    func fail(_ server: OpaquePointer?) {
        let code = unsafe avahi_server_errno(server)
        pipe.send(.failed(id, code: code))
    }
}
