// Measures recordings: reading and folding, indexing one for playback, and stepping back.
import FoundationEssentials
import PeerModel
import PeerRecording

/// Measures the use of recordings.
enum ReadingBench {
    /// Prints the times for a recorded week of 50 peers and a million differences.
    static func run() {
        guard let week = HomeRecording(peers: 50, changes: 50_000),
            let million = HomeRecording(peers: 50, changes: 1_000_000)
        else { return print("nothing was read back: a recording cannot be written") }
        read(week)
        compare()
        open(week, "a week of 50 peers")
        if let playback = open(million, "a million") { stepBack(playback) }
    }

    /// Measures reading and folding every line, as `peerlist replay --speed 0` does.
    private static func read(_ home: HomeRecording) {
        var lines = 0
        let time = best(3) {
            lines = 0
            guard let recording = try? Recording(path: home.path) else { return }
            while let step = try? recording.next(), step == .line { lines += 1 }
        }
        print(
            """
            read and folded: \(Int(Double(lines) / time)) lines a second, of \(home.size / lines) \
            bytes; \(lines - 1) differences
            """)
    }

    /// Measures Foundation's decoder on a recording whose lines are nearly all arrivals.
    private static func compare() {
        guard let home = HomeRecording(peers: 20_000, changes: 3000),
            let text = try? Data(contentsOf: URL(filePath: home.path))
        else { return }
        let lines = text.split(separator: 0x0A)
        let decoder = JSONDecoder()
        var decoded = 0
        let theirs = best(3) {
            decoded = 0
            for line in lines where (try? decoder.decode(LineModel.self, from: line)) != nil {
                decoded += 1
            }
        }
        let ours = best(3) {
            guard let recording = try? Recording(path: home.path) else { return }
            while (try? recording.next()) == .line {}
        }
        print(
            "JSONDecoder takes \((theirs / ours * 10).rounded() / 10) times as long for \(decoded) of \(lines.count) lines, without the folding"
        )
    }

    /// Measures indexing a recording for playback.
    @discardableResult
    private static func open(_ home: HomeRecording, _ name: String) -> Playback? {
        guard let indexer = try? RecordingIndexer(path: home.path),
            let playback = try? Playback(indexer)
        else { return nil }
        let time = seconds {
            indexer.run { index in
                playback.index = index
                return true
            }
        }
        print(
            "\(name), \(home.changes) differences, \(home.size >> 20) MiB: opened in \(milliseconds(time)) ms, \(Int(Double(home.changes) / time)) a second"
        )
        return playback
    }

    /// Measures steps back from the end and from other positions: the longest and the median.
    private static func stepBack(_ playback: Playback) {
        var times: [Double] = []
        try? playback.seekToEnd()
        for _ in 0..<200 { times.append(seconds { _ = try? playback.stepBack() }) }
        guard let span = playback.index.activity.span else { return }
        guard playback.index.damage.count == 0 else { return print("the recording is damaged") }
        let length = span.upperBound.microseconds - span.lowerBound.microseconds
        for place in 1..<200 {
            try? playback.seek(
                to: Timestamp(
                    microseconds: span.lowerBound.microseconds + length / 200 * Int64(place)))
            times.append(seconds { _ = try? playback.stepBack() })
        }
        times.sort()
        print(
            "one step back: median \(milliseconds(times[times.count / 2])) ms, longest \(milliseconds(times[times.count - 1])) ms"
        )
    }

    private static func milliseconds(_ time: Double) -> Double { (time * 10_000).rounded() / 10 }
}
