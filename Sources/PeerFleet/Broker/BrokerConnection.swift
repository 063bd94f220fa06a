// A connection to an MQTT broker that reconnects by itself.
import CMosquitto

/// A connection to an MQTT broker, which runs on a thread of its own and reconnects by itself.
package final class BrokerConnection: Sendable {
    /// A message that the broker stores, with quality 1.
    package struct RetainedMessage: Sendable, Hashable {
        package let topic: String
        package let payload: [UInt8]

        package init(topic: String, payload: [UInt8]) {
            (self.topic, self.payload) = (topic, payload)
        }
    }

    /// The settings of a connection.
    package struct Options: Sendable {
        /// The client identifier, unique at the broker.
        package var clientID: String

        /// The message that the broker publishes if the connection is lost.
        package var will: RetainedMessage?

        /// The largest payload in bytes that is delivered.
        package var greatestPayload = 256 * 1024

        /// The interval of the keep-alive, at least 5 seconds.
        package var keepAlive = Duration.seconds(15)

        /// The time until the first attempt to reconnect.
        package var firstRetry = Duration.milliseconds(500)

        /// The maximum time between two attempts.
        package var greatestRetry = Duration.seconds(30)

        package init(clientID: String, will: RetainedMessage? = nil) {
            (self.clientID, self.will) = (clientID, will)
        }
    }

    /// A connection that ``start()`` opens.
    ///
    /// - Parameter onEvent: Called on the connection's thread. While it runs, nothing is read from the
    ///   broker.
    package init(
        _ access: BrokerAccess, _ options: Options,
        onEvent: @escaping @Sendable (BrokerEvent) -> Void
    ) {}

    /// Starts the thread.
    package func start() {}

    /// Publishes a message; returns a token that ``BrokerEvent/published(_:failure:)`` repeats.
    ///
    /// Never blocks. While there is no connection the message is dropped: after each
    /// ``BrokerEvent/connected``, publish the current state.
    @discardableResult
    package func publish(
        _ payload: [UInt8], to topic: String, retained: Bool, quality: Int = 1
    ) -> Int { 0 }

    /// Subscribes to the topics that match a filter; dropped while there is no connection.
    package func subscribe(_ filter: String, quality: Int = 1, sendsRetained: Bool = true) {}

    /// Ends a subscription.
    package func unsubscribe(_ filter: String) {}

    /// Publishes a last retained message, disconnects without the will, and ends the thread.
    ///
    /// - Returns: Whether all of it was done within the limit, and the broker accepted the message.
    package func stop(_ last: RetainedMessage? = nil, within limit: Duration) async -> Bool { true }
}
