// Texts for the reasons of failures, of the broker, libmosquitto, OpenSSL and the system.
import CMosquitto
import Glibc
import PeerModel

/// Texts for the reasons of failures, as parts of sentences.
enum BrokerReason {
    /// Returns the text of a reason code of the broker (MQTT 5, section 2.4).
    static func broker(_ code: Int32) -> String {
        switch UInt32(bitPattern: code) {
        case MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue: "the broker does not support MQTT 5"
        case MQTT_RC_BAD_USERNAME_OR_PASSWORD.rawValue: "wrong user name or password"
        case MQTT_RC_NOT_AUTHORIZED.rawValue: "not authorised"
        case MQTT_RC_SERVER_SHUTTING_DOWN.rawValue: "the broker is shutting down"
        case MQTT_RC_KEEP_ALIVE_TIMEOUT.rawValue: "the broker received nothing for too long"
        default: unsafe text(mosquitto_reason_string(code))
        }
    }

    /// Returns the loss that a reason code of a refused or closed connection stands for.
    static func refusal(_ code: Int32) -> BrokerLoss {
        switch UInt32(bitPattern: code) {
        // A broker does not say which of the two it was, so that names cannot be guessed.
        case MQTT_RC_NOT_AUTHORIZED.rawValue: .refused("wrong user name or password, or no access")
        case MQTT_RC_BAD_USERNAME_OR_PASSWORD.rawValue, MQTT_RC_BANNED.rawValue,
            MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue, MQTT_RC_CLIENTID_NOT_VALID.rawValue,
            MQTT_RC_BAD_AUTHENTICATION_METHOD.rawValue:
            .refused(broker(code))
        default: .lost(broker(code))
        }
    }

    /// Returns the text of an error of libmosquitto.
    static func library(_ code: Int32) -> String { unsafe text(mosquitto_strerror(code)) }

    /// Returns the text of an error number of the system.
    static func system(_ code: Int32) -> String { unsafe text(strerror(code)) }

    /// Returns the text of an error of getaddrinfo(3).
    static func resolver(_ code: Int32) -> String { unsafe text(gai_strerror(code)) }

    /// Returns the text of a line of libmosquitto's log, such as `OpenSSL Error[0]:
    /// error:0A000086:SSL routines::certificate verify failed`.
    static func log(_ line: String) -> String {
        line.hasPrefix("OpenSSL Error")
            ? sentencePart(String(line.split(separator: ":").last ?? ""))
            : sentencePart(line.hasPrefix("Error: ") ? String(line.dropFirst(7)) : line)
    }

    private static func text(_ string: UnsafePointer<CChar>?) -> String {
        unsafe string.map { unsafe sentencePart(String(cString: $0)) } ?? "unknown reason"
    }

    /// Returns at most 200 characters of a text, without its capital and its full stop, with characters
    /// escaped that could control a terminal.
    private static func sentencePart(_ text: String) -> String {
        var text = Substring(text)
        while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
        // An abbreviation, such as TLS, keeps its capitals.
        let isWord = text.dropFirst().first?.isLowercase ?? false
        let start = isWord ? text.prefix(1).lowercased() : String(text.prefix(1))
        let scalars = (start + text.dropFirst()).unicodeScalars.prefix(200)
        return scalars.map { $0.isHidden ? "\\u{" + String($0.value, radix: 16) + "}" : String($0) }
            .joined()
    }
}
