// The address of an MQTT broker, and the prefix of its topics.

/// The address of an MQTT broker and the prefix of its topics, such as `mqtts://user@broker.example/peerlist`.
package struct BrokerURL: Sendable, Hashable, CustomStringConvertible {
    /// Whether the connection uses TLS.
    package let isSecure: Bool

    /// The name of the user, if the URL has one.
    package let user: String?

    /// The name or the address of the broker, without brackets.
    package let host: String

    /// The TCP port.
    package let port: Int

    /// The first levels of all topics.
    package let prefix: String

    /// Parses `mqtt://[USER@]HOST[:PORT][/PREFIX]` or the same with `mqtts://`.
    package init(_ text: String) throws(BrokerURLError) {
        throw BrokerURLError(description: "not implemented")
    }

    /// The address of a broker that listens on a Unix socket, for tests.
    package init(socket path: String, user: String? = nil, prefix: String = "peerlist") {
        (isSecure, port) = (false, 0)
        (host, self.user, self.prefix) = (path, user, prefix)
    }

    /// The URL with the port and the prefix.
    package var description: String { host }
}

/// A reason why a text is not the URL of a broker.
package struct BrokerURLError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
}
