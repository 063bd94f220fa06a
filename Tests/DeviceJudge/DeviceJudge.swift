// A program for Scripts/judge-devices: judges how the list reads the corpus of published devices.
import PeerListTestSupport

/// Writes a line for each field of each device: the file, whether its types have a row in the table of clues, the device,
/// the field, the verdict, what is shown, and what a person reads, separated by tabs; `-` is nothing.
@main struct DeviceJudge {
    static func main() {
        for collection in Corpus.Collection.allCases {
            for device in collection.devices {
                for each in device.judgements {
                    let readings = each.readings.map { $0 ?? "-" }.joined(separator: " | ")
                    let cells = [
                        collection.rawValue, device.hasRow ? "row" : "none", each.device,
                        each.field.rawValue, each.verdict.rawValue, each.shown ?? "-", readings,
                    ]
                    print(cells.joined(separator: "\t"))
                }
            }
        }
    }
}
