// The password and the TLS files for a broker.
import Glibc

/// The URL of a broker with the password and the TLS files for it.
package struct BrokerAccess: Sendable {
    package var url: BrokerURL

    /// The password of the URL's user.
    package var password: String?

    /// The file of the trusted certificate authorities (PEM); nil for the system's.
    package var caFile: String?

    /// The file of the client's certificate (PEM).
    package var certificate: String?

    /// The file of the unencrypted key of ``certificate`` (PEM).
    package var key: String?

    package init(
        _ url: BrokerURL, password: String? = nil, caFile: String? = nil,
        certificate: String? = nil, key: String? = nil
    ) {
        (self.url, self.password, self.caFile) = (url, password, caFile)
        (self.certificate, self.key) = (certificate, key)
    }

    /// Checks that the settings fit together and that the files can be used.
    package func check() throws(BrokerAccessError) {
        if password != nil, url.user == nil {
            throw BrokerAccessError("a password needs a user; write mqtts://USER@HOST")
        }
        guard url.isSecure || (caFile ?? certificate ?? key) == nil else {
            throw BrokerAccessError("TLS files need TLS; write mqtts:// instead of mqtt://")
        }
        guard (certificate == nil) == (key == nil) else {
            throw BrokerAccessError("a client certificate and its key can only be used together")
        }
        for path in [caFile, certificate].compactMap(\.self) {
            guard try BrokerAccess.read(path).contains("CERTIFICATE-----") else {
                throw BrokerAccessError("\(path) is not a certificate in PEM format")
            }
        }
        if let key {
            let text = try BrokerAccess.read(key)
            guard text.contains("PRIVATE KEY-----") else {
                throw BrokerAccessError("\(key) is not a private key in PEM format")
            }
            guard !text.contains("ENCRYPTED") else {
                throw BrokerAccessError("\(key) is encrypted; decrypt it with openssl pkey")
            }
        }
    }

    /// Reads a password, the first line of a file; of a pipe, for which a program such as a keyring is waited
    /// for, within a time.
    package static func readPassword(
        _ path: String, within time: Duration = .seconds(30)
    ) throws(BrokerAccessError) -> String {
        let text = try read(path, limit: 64 * 1024, firstLine: true, within: time)
        let line = text.prefix { !$0.isNewline }
        guard !line.isEmpty else { throw BrokerAccessError("the first line of \(path) is empty") }
        return String(line)
    }

    /// Whether a file can be read by every user of the system, as far as its mode tells.
    package static func isReadableByAll(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_mode & S_IROTH != 0
    }

    /// Reads a text, or at least its first line, within a time.
    private static func read(
        _ path: String, limit: Int = 16 * 1024 * 1024, firstLine: Bool = false,
        within time: Duration = .seconds(30)
    ) throws(BrokerAccessError) -> String {
        let end = ContinuousClock.now + time
        // Without waiting for ever for the writer of a named pipe.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw BrokerAccessError("\(path) cannot be read: \(BrokerReason.system(errno))")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            // A named pipe without a writer would read as an empty file.
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let rest = max(.zero, end - .now) / .milliseconds(1)
            let ready = unsafe poll(&request, 1, Int32(rest.rounded(.up)))
            guard ready != 0 else {
                throw BrokerAccessError(
                    "\(path) cannot be read: its writer took more than "
                        + "\(time.components.seconds) seconds; write the text to a file")
            }
            let count = ready < 0 ? -1 : unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else {
                throw BrokerAccessError("\(path) cannot be read: \(BrokerReason.system(errno))")
            }
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw BrokerAccessError("\(path) is too large") }
            if firstLine, buffer[..<count].contains(UInt8(ascii: "\n")) { break }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw BrokerAccessError("\(path) is not text in UTF-8")
        }
        return text
    }
}

/// A setting or a file with which no connection to the broker is possible.
package struct BrokerAccessError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
