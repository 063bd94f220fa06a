// What happens in the house as the lines of a recording.
public import PeerList
import PeerRecording

extension House {
    /// The lines of all that happens, each without its line feed; no line says that it ends.
    public static func lines(_ grouping: Grouping = .device) -> [String] {
        var encoder = LineEncoder()
        let begin = encoder.begin(header(grouping), at: time(0))
        let updates = steps(grouping).compactMap { step in
            switch step {
            case .update(let update, _): encoder.update(update)
            case .notice(let notice): encoder.notice(notice)
            }
        }
        return ([begin] + updates).map { String(decoding: $0.dropLast(), as: UTF8.self) }
    }
}
