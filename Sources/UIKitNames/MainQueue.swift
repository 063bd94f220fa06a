// Stops calls of other threads that Swift 5 does not refuse.

import Dispatch
import Foundation

private let mainQueueKey = DispatchSpecificKey<Void>()
private let markMainQueue: Void = DispatchQueue.main.setSpecific(key: mainQueueKey, value: ())

/// Stops the program unless the call is made on the main thread or on the main queue, which other threads serve on
/// Linux when the program's `main` is asynchronous.
func requireMainQueue(_ method: String = #function) {
    _ = markMainQueue
    guard Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueKey) != nil else {
        // fatalError, not preconditionFailure, whose message is lost in optimised builds.
        fatalError("\(method) must be called on the main queue")
    }
}
