// A program for Scripts/judge-devices: judges how the list reads the corpus of published devices.
import PeerListTestSupport

/// Writes a line for each field of each device: the device, the field, the verdict, what is shown, and what
/// a person reads, separated by tabs; `-` is nothing.
@main struct DeviceJudge {
    static func main() {
        for each in Corpus.judgements {
            let readings = each.readings.map { $0 ?? "-" }.joined(separator: " | ")
            let cells = [
                each.device, each.field.rawValue, each.verdict.rawValue, each.shown ?? "-",
                readings,
            ]
            print(cells.joined(separator: "\t"))
        }
    }
}
