// A thread for what blocks.
import Glibc

/// Runs a blocking closure on a new thread, so that it blocks no other task.
func onNewThread(_ body: @escaping @Sendable () -> Void) throws {
    let box = unsafe Unmanaged.passRetained(Box(body: body)).toOpaque()
    var thread = pthread_t()
    let code = unsafe pthread_create(
        &thread, nil,
        { context in
            // The new thread takes over the one retain; there is a context, for it was passed.
            if let context = unsafe context {
                unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
            }
            return nil
        }, box)
    guard code == 0 else { throw LabError("cannot start a thread: error \(code)") }
    pthread_detach(thread)
}

/// The context that a C function receives as a pointer.
private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(body: @escaping @Sendable () -> Void) { self.body = body }
}
