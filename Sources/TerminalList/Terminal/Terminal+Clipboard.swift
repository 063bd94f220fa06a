// Text for the clipboard of whoever sits at the terminal, also over ssh.
import Glibc

/// What became of a text for the clipboard.
public enum CopyOutcome: Hashable, Sendable {
    /// It was sent to the terminal, which does not say whether it took it.
    case sent
    /// tmux has it in its paste buffer, and has sent it on to its own terminal.
    case buffered
    /// It was not sent: the terminal does not say that it can take it.
    case unsupported
    /// It was not sent: it is longer than ``Terminal/copyLimit``.
    case tooLong
}

extension Terminal {
    /// The longest text that can be copied, in bytes.
    public static let copyLimit = 100_000

    /// Puts a text on the clipboard of the terminal, and inside tmux into its paste buffer too.
    ///
    /// Inside tmux `tmux load-buffer -w` does both, whatever its settings say of programs. Elsewhere
    /// the text is sent with OSC 52 where the terminal's description has the capability `Ms`; other
    /// terminals could show it as rubbish.
    ///
    /// - Parameter text: The text, at most ``copyLimit`` bytes.
    /// - Returns: What became of it.
    public func copy(_ text: String) async -> CopyOutcome {
        guard isOpen, isOurs else { return .unsupported }
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.copyLimit else { return .tooLong }
        let isInTmux = unsafe getenv("TMUX").map { unsafe strlen($0) > 0 } ?? false
        if isInTmux, await Self.loadBuffer(bytes) { return .buffered }
        guard isOpen, isOurs, isInTmux || Self.capability("Ms") != nil else { return .unsupported }
        send("\u{1b}]52;c;" + Self.base64(bytes) + "\u{7}")
        return .sent
    }

    private static func loadBuffer(_ bytes: [UInt8]) async -> Bool {
        do throws(TerminalError) {
            return try await runApart(["tmux", "load-buffer", "-w", "-"], input: bytes) == 0
        } catch {
            // Without the program the terminal is asked itself.
            return false
        }
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
