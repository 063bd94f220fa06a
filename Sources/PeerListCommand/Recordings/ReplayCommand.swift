// What the user can do while a recording is shown, and the keys for it.
import PeerList
import TerminalList

/// What the user asks of a replay.
enum ReplayCommand: Sendable, Equatable {
    /// Pause, or resume.
    case pause
    /// One difference back or forward.
    case back, forward
    /// By twentieths of the recording's duration.
    case leap(Int)
    /// To the start, to the end.
    case start, end
    /// Twice or half as fast.
    case faster, slower

    /// The keys for it, which yield it to a session.
    static func keys(_ session: AsyncStream<ReplayMessage>.Continuation) -> [KeyBinding] {
        func binding(
            _ keys: [Key], _ help: String, _ command: ReplayCommand, hint: String? = nil,
            rank: Int = 0
        ) -> KeyBinding {
            KeyBinding(keys, help, hint: hint, hintRank: rank, section: "Playing") {
                session.yield(.command(command))
            }
        }
        return [
            binding([.character(" ")], "pause, resume", .pause, hint: "pause", rank: 99),
            binding(
                [.left, .character("h")], "one step back", .back, hint: "back", rank: 98),
            binding(
                [.right, .character("l")], "one step forward", .forward, hint: "forward", rank: 98),
            binding([.character("[")], "5 % back", .leap(-1), hint: "-5 %", rank: 80),
            binding([.character("]")], "5 % forward", .leap(1), hint: "+5 %", rank: 80),
            binding([.home], "to the start of the recording", .start),
            binding([.end], "to the end of the recording", .end),
            binding(
                [.character("+"), .character("=")], "twice as fast", .faster, hint: "faster",
                rank: 70),
            binding([.character("-")], "half as fast", .slower, hint: "slower", rank: 70),
        ]
    }
}
