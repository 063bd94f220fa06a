// Tests the texts that `--at` accepts as times.
import PeerList
import PeerRecording
import Testing

@testable import PeerListCommand

@Suite struct RecordingTimeTests {
    @Test(arguments: [
        ("2026-11-21Z", "2026-11-21T00:00:00.000000Z"),
        ("2026-11-21T08:30Z", "2026-11-21T08:30:00.000000Z"),
        ("2026-11-21 08:30:05.25Z", "2026-11-21T08:30:05.250000Z"),
        ("2026-11-21T08:30+05:30", "2026-11-21T03:00:00.000000Z"),
        ("2026-11-21T08:30-05", "2026-11-21T13:30:00.000000Z"),
        ("08:30Z", "2026-11-20T08:30:00.000000Z"),
        // The recording begins on the 21st where clocks are two hours ahead.
        ("08:30+0200", "2026-11-21T06:30:00.000000Z"),
    ])
    func `an offset is subtracted, and a time of day is on the recording's first day`(
        text: String, expected: String
    ) throws {
        let time = try #require(RecordingTime(text))
        let start = try #require(Timestamp("2026-11-20T23:00:00.000000Z"))
        #expect(time.timestamp(inRecordingFrom: start).description == expected)
    }

    @Test(arguments: [
        "", "noon", "8:30", "08:3", "24:00", "08:60", "08:30:", "08:30.5", "T08:30", "2026-11",
        "2026-02-30", "2026-11-21T", "2026-11-21T8:30", "2026-11-21T08", "2026-11-21+01:00",
        "2026-11-21T08:30+1", "2026-11-21T08:30+24:00", "2026-11-21T08:30+01:60",
        "2026-11-21T08:30ZZ", "2026-11-21T08:30Z+01:00", "08:30:00.1234567", "08:30 Z",
    ])
    func `other texts are refused`(text: String) { #expect(RecordingTime(text) == nil) }
}
