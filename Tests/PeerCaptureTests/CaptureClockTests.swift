// Tests of the clock of a capture: set while it captures, or never before.
import Testing

@testable import PeerCapture

@Suite struct CaptureClockTests {
    private static let now: Int64 = 1_700_000_000

    /// The times of the list, and the settings, for packets at seconds.
    private func times(_ packets: [Int64]) -> (times: [Int64], settings: [[Int64]]) {
        var clock = CaptureClock()
        var (times, settings): ([Int64], [[Int64]]) = ([], [])
        for packet in packets {
            let setting = clock.advance(to: packet * 1_000_000)
            times.append((clock.time ?? -1) / 1_000_000)
            if let setting { settings.append([setting.from, setting.to].map { $0 / 1_000_000 }) }
        }
        return (times, settings)
    }

    @Test func `a packet that is three seconds earlier counts as of the same time`() {
        let (times, settings) = times([100, 98, 97, 99, 101].map { Self.now + $0 })
        #expect(times.map { $0 - Self.now } == [100, 100, 100, 100, 101])
        #expect(settings.isEmpty)
    }

    @Test func `when the clock is set back, the time goes on from where it is`() {
        let (times, settings) = times([3_600, 0, 10, 8, 20].map { Self.now + $0 })
        #expect(times.map { $0 - Self.now } == [3_600, 3_600, 3_610, 3_610, 3_620])
        #expect(settings == [[Self.now + 3_600, Self.now]])
    }

    @Test func `times are those of the packets again as soon as these are no longer earlier`() {
        let (times, settings) = times([3_600, 0, 10, 3_700, 3_710].map { Self.now + $0 })
        #expect(times.map { $0 - Self.now } == [3_600, 3_600, 3_610, 3_700, 3_710])
        #expect(settings.count == 1)
        // Two machines with different clocks in one capture.
        let mixed = (0..<50).map { Self.now + $0 + ($0.isMultiple(of: 2) ? 3_600 : 0) }
        #expect(self.times(mixed).times.last == Self.now + 48 + 3_600)
    }

    @Test func `a jump forward is time that has passed`() {
        let (times, settings) = times([0, 86_400, 86_401].map { Self.now + $0 })
        #expect(times.map { $0 - Self.now } == [0, 86_400, 86_401])
        #expect(settings.isEmpty)
    }

    @Test func `when a clock is set for the first time, the time goes on from 1970`() {
        let (times, settings) = times([40, 70, Self.now, Self.now + 30, Self.now + 90])
        #expect(times == [40, 70, 70, 100, 160])
        #expect(settings == [[70, Self.now]])
        #expect(self.times([40, 86_440, Self.now]).times == [40, 86_440, 86_440])
    }

    @Test func `when a clock is set for the first time, the time can move to the packet's`() {
        var clock = CaptureClock()
        _ = clock.advance(to: 40_000_000)
        #expect(clock.isUnset)
        #expect(clock.advance(to: Self.now * 1_000_000) != nil && !clock.isUnset)
        #expect(clock.moveToPacket() == (Self.now - 40) * 1_000_000)
        #expect(clock.advance(to: (Self.now + 5) * 1_000_000) == nil)
        #expect(clock.time == (Self.now + 5) * 1_000_000)
    }

    @Test func `after a restart without a clock, the time goes on, and then is the packets' again`()
    {
        let (times, settings) = times([Self.now, 10, 20, Self.now + 300, Self.now + 310])
        #expect(times.map { $0 - Self.now } == [0, 0, 10, 300, 310])
        #expect(settings == [[Self.now, 10]])
    }

    @Test func `times do not fall, whatever those of the packets are, and have a date`() {
        let latest = CaptureReader.latestTime / 1_000_000
        let (times, _) = times([latest, 0, latest, 0, latest - 1, 50, latest])
        #expect(times == times.sorted() && times.allSatisfy { $0 <= latest })
    }
}
