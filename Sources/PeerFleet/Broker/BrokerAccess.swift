// The password and the TLS files for a broker.

/// The URL of a broker with the password and the TLS files for it.
package struct BrokerAccess: Sendable {
    package var url: BrokerURL

    /// The password of the URL's user.
    package var password: String?

    /// The file of the trusted certificate authorities (PEM); nil for those of the system.
    package var caFile: String?

    /// The file of the client's certificate (PEM).
    package var certificate: String?

    /// The file of the key of ``certificate`` (PEM).
    package var key: String?

    package init(
        _ url: BrokerURL, password: String? = nil, caFile: String? = nil,
        certificate: String? = nil, key: String? = nil
    ) {
        (self.url, self.password, self.caFile) = (url, password, caFile)
        (self.certificate, self.key) = (certificate, key)
    }

    /// Checks that the files can be read and that the settings fit together.
    package func check() throws(BrokerAccessError) {}

    /// Reads a password, the first line of a file.
    package static func readPassword(_ path: String) throws(BrokerAccessError) -> String { "" }
}

/// A setting or a file that rules out a connection to the broker.
package struct BrokerAccessError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
}
