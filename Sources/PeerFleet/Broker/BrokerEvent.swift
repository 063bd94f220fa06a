// The events of a connection to a broker, and the reasons of its end.

/// A message that the broker stores as the current one of its topic, published with quality 1.
package struct RetainedMessage: Sendable, Hashable {
    package let topic: String
    package let payload: [UInt8]

    package init(topic: String, payload: [UInt8]) {
        (self.topic, self.payload) = (topic, payload)
    }
}

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
///
/// After ``lost(_:retryIn:)`` and ``refused(_:)`` the connection is tried again.
package enum BrokerEvent: Sendable, Hashable {
    /// The broker accepted the connection, which has no subscriptions yet.
    case connected

    /// The connection was lost or could not be opened, with the reason, such as "connection refused".
    case lost(String, retryIn: Duration)

    /// The connection failed for a reason that a user has to mend, such as a wrong password or an
    /// unknown certificate authority.
    case refused(String)

    /// A message of a subscribed topic.
    case message(BrokerMessage)

    /// A message that was dropped because its payload exceeds the limit, with the payload's size in bytes.
    case oversized(topic: String, count: Int)

    /// The answer to a subscription, with the reason if the broker refused it.
    case subscribed(filter: String, failure: String?)

    /// The answer to the end of a subscription.
    case unsubscribed(filter: String)

    /// The acknowledgement of the published message with a token, with the reason if it was refused.
    ///
    /// A message with quality 0 is reported once it is handed to the system.
    case published(Int, failure: String?)
}

/// The reason why a connection failed or ended.
enum BrokerLoss: Error {
    /// The network or the broker fails.
    case lost(String)

    /// The broker or the check of its certificate refuses the connection, or this machine lacks what it takes.
    case refused(String)
}
