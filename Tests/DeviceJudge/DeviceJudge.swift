// A program for Scripts/judge-devices: judges how the list reads the corpus of published devices.
import PeerListTestSupport

/// Writes a line for each field of each device: the file or the half of it, whether its types have a row in the table of clues, the device,
/// the field, the verdict, what is shown, and what a person reads, separated by tabs; `-` is nothing.
@main struct DeviceJudge {
    static func main() {
        for collection in Corpus.Collection.allCases {
            for device in collection.devices {
                write(device.judgements, collection.rawValue, device.hasRow ? "row" : "none")
            }
        }
        for half in SilentCorpus.Half.allCases { write(half.judgements, half.rawValue, "-") }
    }

    private static func write(_ judgements: [Corpus.Judgement], _ file: String, _ row: String) {
        for each in judgements {
            let readings = each.readings.map { $0 ?? "-" }.joined(separator: " | ")
            let cells = [
                file, row, each.device, each.field.rawValue, each.verdict.rawValue,
                each.shown ?? "-", readings,
            ]
            print(cells.joined(separator: "\t"))
        }
    }
}
