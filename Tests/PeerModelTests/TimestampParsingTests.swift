// Tests that times round-trip, and that other texts are rejected.
import PeerModel
import TestSupport
import Testing

@Suite struct TimestampParsingTests {
    @Test(arguments: [
        "0000-01-01T00:00:00.000000Z", "0000-02-29T12:00:00.000000Z", "0000-03-01T00:00:00.000001Z",
        "0001-01-01T00:00:00.000000Z", "1969-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z",
    ])
    func `times of all years are written as they are read`(text: String) throws {
        #expect(try #require(Timestamp(text)).description == text)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `times of the years 0 to 9999 round-trip`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let time = Timestamp(
            microseconds: Int64.random(
                in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &generator))
        #expect(Timestamp(time.description) == time)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T08:30:00Z", "2026-11-21 08:30:00.000000Z",
        "2026-11-21T08:30:00.000000", "2026-11-21T08:30:00.000000z", "2026-13-01T00:00:00.000000Z",
        "2026-02-29T00:00:00.000000Z", "2026-01-01T24:00:00.000000Z", "2026-01-01T00:60:00.000000Z",
        "2026-01-01T00:00:60.000000Z", "2026-01-00T00:00:00.000000Z", "+026-01-01T00:00:00.000000Z",
        "2026-01-01T00:00:00,000000Z", "2026-01-01T00:00:00.00000éZ",
    ])
    func `a text in any other form is not a time`(text: String) { #expect(Timestamp(text) == nil) }
}
