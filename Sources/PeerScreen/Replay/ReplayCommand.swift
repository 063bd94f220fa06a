// The user's commands to a replay with their keys, and the messages to its session.
package import PeerSession
package import TerminalList

package enum ReplayCommand: Sendable, Equatable {
    case pause
    /// Step back or forward by all that happened in one moment.
    case back, forward
    /// Seek by twentieths of the recording's duration.
    case leap(Int)
    case start, end
    case faster, slower

    /// Returns the key bindings, which send commands to a session.
    package static func keys(_ session: AsyncStream<ReplayMessage>.Continuation) -> [KeyBinding] {
        let rows: [([Key], help: String, ReplayCommand, hint: String?, rank: Int)] = [
            ([.character(" ")], "pause, resume", .pause, "pause", 99),
            ([.left, .character("h")], "one step back", .back, "back", 98),
            ([.right, .character("l")], "one step forward", .forward, "forward", 98),
            ([.character("[")], "5 % back", .leap(-1), "-5 %", 80),
            ([.character("]")], "5 % forward", .leap(1), "+5 %", 80),
            ([.home], "to the start of the recording", .start, nil, 0),
            ([.end], "to the end of the recording", .end, nil, 0),
            ([.character("+")], "twice as fast", .faster, "faster", 70),
            ([.character("-")], "half as fast", .slower, "slower", 70),
        ]
        return rows.map { keys, help, command, hint, rank in
            KeyBinding(keys, help, hint: hint, hintRank: rank, section: ReplayStatus.keySection) {
                session.yield(.command(command))
            }
        }
    }
}

package enum ReplayMessage: Sendable {
    case command(ReplayCommand)
    /// The next line is due, or the displayed time is.
    case due
    case ended(SessionEnd)
}
