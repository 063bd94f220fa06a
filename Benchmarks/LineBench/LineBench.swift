// Compares writing and reading JSON lines with Foundation's encoder and decoder, in one process.
import DiffCore
import FoundationEssentials
import Glibc
import PeerModel
import PeerRecording

@main struct LineBench {
    /// Measures the best of five rounds for a typical line: the arrival of a device with two services.
    static func main() async {
        if CommandLine.arguments.contains("read") { return ReadingBench.run() }
        let peer = samplePeer()
        let update = arrival(of: peer)
        var encoder = LineEncoder()
        let line = encoder.update(update) ?? []
        let model = LineModel(update.items.time, peer)
        let foundation = JSONEncoder()
        foundation.outputFormatting = .withoutEscapingSlashes

        print("one line, \(line.count) bytes, best of 5 rounds")
        let ours = best(5) { for _ in 0..<100_000 { _ = encoder.update(update) } } / 100_000
        report("LineEncoder", ours)
        let theirs = best(5) { for _ in 0..<10_000 { _ = try? foundation.encode(model) } } / 10_000
        report("JSONEncoder", theirs)
        print("JSONEncoder takes \((theirs / ours * 10).rounded() / 10) times as long")
        await export()
        ReadingBench.run()
    }

    private static func report(_ name: String, _ time: Double) {
        print("\(name): \(Int(time * 1e9)) ns, \(Int(1 / time)) lines a second")
    }

    /// Measures encoding the differences of a home and writing them to /dev/null by the writer thread.
    private static func export() async {
        var home = Home(peers: 50, pause: 1_000_000)
        let updates = (0..<1000).map { _ in home.change() }
        let output = LineOutput(descriptor: unsafe open("/dev/null", O_WRONLY), limit: .max) { _ in
        }
        let before = residentMemory()
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<100 { for update in updates { output.update(update, list: []) } }
        let failure = await output.close(within: .seconds(60))
        let time = (clock.now - start).components
        let seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
        let outcome = failure.map { "\($0)" } ?? "all written"
        let grown = max(0, residentMemory() - before) >> 10
        print(
            "100,000 differences of one change to /dev/null: \(Int(100_000 / seconds)) a second, \(outcome), memory grew by \(grown) KiB"
        )
    }

    /// The resident memory of the process in bytes.
    private static func residentMemory() -> Int {
        let text =
            (try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
