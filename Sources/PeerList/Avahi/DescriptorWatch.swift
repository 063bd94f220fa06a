// A descriptor that libavahi's poll loop watches together with its own descriptors.
import CAvahi

/// Waits on the event loop for a descriptor, until the watch is closed.
///
/// C holds one retain of the watch until ``close()``.
@safe package final class DescriptorWatch {
    private let api: UnsafePointer<AvahiPoll>?
    private var handle: OpaquePointer?
    private let receive: () -> Void

    /// Waits until a descriptor can be read or is at its end.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which must stay open until the watch is closed.
    ///   - loop: The loop; the caller runs on it.
    ///   - receive: Called on the loop, repeatedly while there is something to read.
    package init(_ descriptor: Int32, on loop: EventLoop, receive: @escaping () -> Void) {
        unsafe api = loop.api
        self.receive = receive
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe handle = api?.pointee.watch_new(
            api, descriptor, AVAHI_WATCH_IN,
            { _, _, _, context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<DescriptorWatch>.fromOpaque(context).takeUnretainedValue()
                    .receive()
            }, context)
    }

    /// Sets whether to wait for room to write as well.
    func awaitsRoom(_ awaitsRoom: Bool) {
        guard let handle = unsafe handle else { return }
        let out = awaitsRoom ? AVAHI_WATCH_OUT.rawValue : 0
        unsafe api?.pointee.watch_update(
            handle, AvahiWatchEvent(rawValue: AVAHI_WATCH_IN.rawValue | out))
    }

    /// Stops waiting; a second call does nothing.
    package func close() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        unsafe api?.pointee.watch_free(handle)
        unsafe Unmanaged.passUnretained(self).release()
    }
}
