// Copies text to the clipboard of the terminal's user, also over ssh.
import Glibc

/// The outcome of copying a text.
public enum CopyOutcome: Hashable, Sendable {
    /// The text was sent to the terminal, which does not confirm it.
    case sent
    /// The text is in tmux's paste buffer, and was forwarded to its terminal.
    case buffered
    /// Not sent: the terminal's description lacks the capability.
    case unsupported
    /// Not sent: the text is longer than ``Terminal/copyLimit``.
    case tooLong
}

extension Terminal {
    /// The maximum length of a copied text, in bytes.
    public static let copyLimit = 100_000

    /// Copies a text to the clipboard of the terminal, and inside tmux also to its paste buffer.
    ///
    /// Inside tmux `tmux load-buffer -w` does both, whatever tmux's settings. Elsewhere the text is
    /// sent with OSC 52 if the terminal's description has the capability `Ms`; other terminals
    /// might display the sequence.
    ///
    /// - Parameter text: The text, at most ``copyLimit`` bytes.
    /// - Returns: The outcome.
    public func copy(_ text: String) async -> CopyOutcome {
        guard isShowing else { return .unsupported }
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.copyLimit else { return .tooLong }
        let isInTmux = unsafe getenv("TMUX").map { unsafe strlen($0) > 0 } ?? false
        // Without the program tmux, the sequence is sent to tmux itself.
        let load = ["tmux", "load-buffer", "-w", "-"]
        if isInTmux, (try? await Self.runInBackground(load, input: bytes)) == 0 { return .buffered }
        guard isShowing, isInTmux || Self.capability("Ms") != nil else { return .unsupported }
        send("\u{1b}]52;c;" + Self.base64(bytes) + "\u{7}")
        return .sent
    }

    /// Encodes bytes as in RFC 4648, section 4.
    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for digit in 0..<4 {
                result.append(
                    digit <= group.count ? digits[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "=")
                )
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
