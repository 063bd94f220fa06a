// The target of a C object's `userdata`, to which its callbacks deliver.

/// Carries a Swift closure through a C callback's `userdata`.
///
/// C holds exactly one retain, which ``retainForC()`` takes and ``releaseFromC(_:)`` releases after
/// the C object with the callback is freed.
final class CallbackTarget<Event: Sendable>: Sendable {
    private let receive: @Sendable (Event) -> Void

    init(_ receive: @escaping @Sendable (Event) -> Void) { self.receive = receive }

    func retainForC() -> UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

    /// Delivers an event, if there is one, to the target in a callback's `userdata`.
    static func deliver(_ event: Event?, to context: UnsafeMutableRawPointer?) {
        guard let event, let context = unsafe context else { return }
        unsafe Unmanaged<CallbackTarget>.fromOpaque(context).takeUnretainedValue().receive(event)
    }

    static func releaseFromC(_ context: UnsafeMutableRawPointer) {
        unsafe Unmanaged<CallbackTarget>.fromOpaque(context).release()
    }
}
