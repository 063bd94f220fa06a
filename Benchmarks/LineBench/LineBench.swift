// Measures the JSON lines, written and read, beside Foundation's encoder and decoder, in one process.
import DiffCore
import FoundationEssentials
import Glibc
import PeerList

@main struct LineBench {
    /// Best of five rounds of each, on one typical line: a device with two services arrives.
    static func main() async {
        let peer = samplePeer()
        if CommandLine.arguments.contains("read") { return readBack(peer) }
        let update = arrival(of: peer)
        var encoder = LineEncoder()
        let line = encoder.update(update) ?? []
        let model = LineModel(update.time, peer)
        let foundation = JSONEncoder()
        foundation.outputFormatting = .withoutEscapingSlashes

        print("one line, \(line.count) bytes, best of 5 rounds")
        let ours = best(100_000) { _ = encoder.update(update) }
        report("LineEncoder", ours)
        let theirs = best(10_000) { _ = try? foundation.encode(model) }
        report("JSONEncoder", theirs)
        print("JSONEncoder takes \((theirs / ours * 10).rounded() / 10) times as long")
        await writeToNull(update)
        readBack(peer)
    }

    /// A recording of 100,000 differences, read and folded; half as many peers come as go.
    private static func readBack(_ peer: Peer) {
        let count = 100_000
        var encoder = LineEncoder()
        var text = encoder.begin(header, at: peer.firstSeen)
        for number in 0..<count {
            let update = number.isMultiple(of: 2) ? arrival(of: peer) : departure(of: peer)
            text += encoder.update(update) ?? []
        }
        let file = FileManager.default.temporaryDirectory
            .appending(path: "peerlist-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        guard (try? Data(text).write(to: file)) != nil else {
            return print("nothing was read back: \(file) cannot be written")
        }
        var lines = 0
        let time = seconds {
            guard let recording = try? Recording(path: file.path(percentEncoded: false)) else {
                return
            }
            while let step = try? recording.next(), step == .line { lines += 1 }
        }
        print(
            "read and folded: \(Int(Double(lines) / time)) lines a second, \(lines - 1) differences"
        )
        let decoder = JSONDecoder()
        let one = Data(encoder.update(arrival(of: peer)) ?? [])
        let theirs = best(2000) { _ = try? decoder.decode(LineModel.self, from: one) }
        print(
            "JSONDecoder takes \((theirs * Double(lines) / time * 10).rounded() / 10) times as long, without the folding"
        )
    }

    private static func best(_ count: Int, _ body: () -> Void) -> Double {
        (0..<5).map { _ in seconds { for _ in 0..<count { body() } } / Double(count) }.min() ?? 0
    }

    private static func seconds(_ body: () -> Void) -> Double {
        let time = ContinuousClock().measure(body).components
        return Double(time.seconds) + Double(time.attoseconds) / 1e18
    }

    private static func report(_ name: String, _ time: Double) {
        print("\(name): \(Int(time * 1e9)) ns, \(Int(1 / time)) lines a second")
    }

    /// Lines through the writing thread to a file that takes everything.
    private static func writeToNull(_ update: PeerListUpdate) async {
        let count = 100_000
        let output = LineOutput(descriptor: unsafe open("/dev/null", O_WRONLY), limit: .max) { _ in
        }
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<count { output.update(update, list: []) }
        let failure = await output.close(within: .seconds(60))
        let time = (clock.now - start).components
        let seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
        let outcome = failure.map { "\($0)" } ?? "all written"
        print("to /dev/null: \(Int(Double(count) / seconds)) lines a second, \(outcome)")
    }
}
