// Measures the JSON lines, written and read, beside Foundation's encoder and decoder, in one process.
import DiffCore
import FoundationEssentials
import Glibc
import PeerList

@main struct LineBench {
    /// Best of five rounds of each, on one typical line: a device with two services arrives.
    static func main() async {
        if CommandLine.arguments.contains("read") { return ReadingBench.run() }
        let peer = samplePeer()
        let update = arrival(of: peer)
        var encoder = LineEncoder()
        let line = encoder.update(update) ?? []
        let model = LineModel(update.time, peer)
        let foundation = JSONEncoder()
        foundation.outputFormatting = .withoutEscapingSlashes

        print("one line, \(line.count) bytes, best of 5 rounds")
        let ours = best(5) { for _ in 0..<100_000 { _ = encoder.update(update) } } / 100_000
        report("LineEncoder", ours)
        let theirs = best(5) { for _ in 0..<10_000 { _ = try? foundation.encode(model) } } / 10_000
        report("JSONEncoder", theirs)
        print("JSONEncoder takes \((theirs / ours * 10).rounded() / 10) times as long")
        await writeToNull(update)
        ReadingBench.run()
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
