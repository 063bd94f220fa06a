// The events of a connection to a broker.

/// A message that the broker delivered.
package struct BrokerMessage: Sendable, Hashable {
    package let topic: String
    package let payload: [UInt8]

    /// Whether the broker had stored the message and sent it because of a new subscription.
    package let isRetained: Bool

    package init(topic: String, payload: [UInt8], isRetained: Bool) {
        (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
}

/// An event of a connection to a broker.
package enum BrokerEvent: Sendable, Hashable {
    /// The broker accepted the connection. It has no subscriptions yet.
    case connected

    /// The connection was lost, or could not be made; with the reason, such as "connection refused".
    case lost(String, retryIn: Duration)

    /// The broker refused the connection, or the client the broker's certificate, for a reason that
    /// somebody has to mend; the next attempt follows all the same.
    case refused(String, retryIn: Duration)

    /// Another client connected with the same client identifier, and the broker ended this connection.
    case taken(retryIn: Duration)

    /// A message of a subscribed topic.
    case message(BrokerMessage)

    /// A message with a larger payload than accepted, which was dropped; with the count of its bytes.
    case oversized(topic: String, count: Int)

    /// The answer to a subscription, with a reason if the broker refused it.
    case subscribed(filter: String, failure: String?)

    /// The answer to the end of a subscription.
    case unsubscribed(filter: String)

    /// The acknowledgement of a published message by the token of `publish`, with a reason if the
    /// broker refused the message. A message with quality 0 is reported once it is sent.
    case published(Int, failure: String?)
}
