// The settings of a connection to a broker.

/// The settings of a ``BrokerConnection``.
package struct ConnectionOptions: Sendable {
    /// The client identifier, unique at the broker.
    package var clientID: String

    /// The message that the broker publishes if the connection is lost.
    package var will: RetainedMessage?

    /// The largest payload in bytes that is delivered.
    package var greatestPayload = 256 * 1024

    /// The interval of the keep-alive, at least 5 seconds. A connection over which nothing arrives is
    /// lost after about twice that time, and an attempt to connect fails after it.
    package var keepAlive = Duration.seconds(15)

    /// The time until the first attempt to reconnect; it doubles with each attempt.
    package var firstRetry = Duration.milliseconds(500)

    /// The maximum time between two attempts.
    package var greatestRetry = Duration.seconds(30)

    package init(clientID: String, will: RetainedMessage? = nil) {
        (self.clientID, self.will) = (clientID, will)
    }
}
