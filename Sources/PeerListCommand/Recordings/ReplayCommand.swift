// What the user can do while a recording is shown, and the keys for it.
import PeerList
import TerminalList

/// What the user asks of a replay.
enum ReplayCommand: Sendable, Equatable {
    /// Stand still, or go on.
    case pause
    /// One difference back or forth.
    case back, forward
    /// So many twentieths of the recording's time back or forth.
    case leap(Int)
    /// To the beginning, to the end.
    case start, end
    /// Twice or half as fast.
    case faster, slower

    /// The keys for it, which yield it to a session.
    static func keys(_ session: AsyncStream<ReplayMessage>.Continuation) -> [KeyBinding] {
        func binding(
            _ keys: [Key], _ help: String, _ command: ReplayCommand, hint: String? = nil
        ) -> KeyBinding {
            KeyBinding(keys, help, hint: hint) { session.yield(.command(command)) }
        }
        return [
            binding([.character("+"), .character("=")], "twice as fast", .faster),
            binding([.character("-")], "half as fast", .slower),
            binding([.character("[")], "a twentieth of the recording back", .leap(-1)),
            binding([.character("]")], "a twentieth of the recording forth", .leap(1)),
            binding([.home], "to the beginning of the recording", .start),
            binding([.end], "to the end of the recording", .end),
            binding([.left, .character("h")], "one difference back", .back, hint: "back"),
            binding([.right, .character("l")], "one difference forth", .forward, hint: "forth"),
            binding([.character(" ")], "stand still, go on", .pause, hint: "pause"),
        ]
    }
}
