// Text for the clipboard of whoever sits at the terminal, also over ssh.
import Glibc

/// What became of a text for the clipboard.
public enum CopyOutcome: Hashable, Sendable {
    /// It was sent to a terminal that says it takes it; nothing tells whether its user allows that.
    case sent
    /// It was sent to a terminal that may take it or not: tmux, depending on its settings.
    case tried
    /// It was not sent: the terminal does not say that it can.
    case unsupported
    /// It was not sent: it is longer than ``Terminal/copyLimit``.
    case tooLong
}

extension Terminal {
    /// The longest text that can be copied, in bytes.
    public static let copyLimit = 100_000

    /// Puts a text on the clipboard of the terminal (OSC 52).
    ///
    /// It is sent where the terminal's description says that it can be (the capability `Ms`), and
    /// within tmux, which has a setting for it. Other terminals could show it as rubbish.
    ///
    /// - Parameter text: The text, at most ``copyLimit`` bytes. It goes out as base64, so it can
    ///   hold anything.
    /// - Returns: What became of it.
    public func copy(_ text: String) -> CopyOutcome {
        guard isOpen, isOurs else { return .unsupported }
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.copyLimit else { return .tooLong }
        let isSaid = Self.capability("Ms") != nil
        let isInTmux = unsafe getenv("TMUX").map { unsafe strlen($0) > 0 } ?? false
        guard isSaid || isInTmux else { return .unsupported }
        send("\u{1b}]52;c;" + Self.base64(bytes) + "\u{7}")
        return isSaid ? .sent : .tried
    }

    /// RFC 4648, section 4.
    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = 0
            for byte in group { bits = bits << 8 | Int(byte) }
            bits <<= 8 * (3 - group.count)
            for digit in 0..<4 {
                let isUsed = digit <= group.count
                result.append(
                    isUsed ? digits[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
