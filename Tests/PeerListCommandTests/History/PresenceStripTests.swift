// Tests the strip of an item's presence in the last hour.
import FoundationEssentials
import PeerList
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerListCommand

@Suite struct PresenceStripTests {
    /// Returns a history that starts at 08:30, with states by minute.
    private func history(_ steps: (minute: Double, state: ItemHistory.State)...) -> ItemHistory {
        var history = ItemHistory(.peer(device("nas", "ssh")), at: House.time(0))
        for step in steps { history.enter(step.state, at: House.time(step.minute * 60)) }
        return history
    }

    private func text(_ history: ItemHistory, until minute: Double, buckets: Int = 12) -> String {
        PresenceStrip(history, until: House.time(minute * 60), buckets: buckets)
            .text(charset: .unicode)
    }

    @Test func `an interval shows its worst state`() {
        let history = history(
            (11, .listed(.unanswered)), (14, .listed(.present)), (21, .away),
            (22, .listed(.present)))
        #expect(text(history, until: 29) == "      ██▒█·█")
        #expect(
            PresenceStrip(history, until: House.time(29 * 60), buckets: 12).text(charset: .ascii)
                == "      ##?#.#")
    }

    @Test func `the last interval shows the current state`() {
        let back = history((10, .away), (12, .listed(.present)))
        #expect(text(back, until: 13) == "         ███")
        #expect(text(back, until: 16) == "        ██·█")
        #expect(text(history((11, .away)), until: 13) == "         ██·")
        #expect(text(history((11, .away), (13, .listed(.present))), until: 12) == "         ██·")
    }

    @Test func `a new service is not doubtful for five seconds`() {
        let quick = history((10, .listed(.resolving)), (10.05, .listed(.present)))
        #expect(text(quick, until: 16) == "        ████")
        let slow = history((10, .listed(.resolving)))
        #expect(text(slow, until: 10.05).last == "█")
        #expect(text(slow, until: 10.1).last == "▒")
    }

    @Test func `an item stays away, and states before the hour are not shown`() {
        let history = history((5, .away))
        #expect(text(history, until: 59) == "██··········".replacing("██", with: "█·"))
        #expect(text(history, until: 300) == "············")
    }

    @Test func `the strip shifts only when an interval is over`() {
        let history = history((11, .listed(.unanswered)))
        #expect(text(history, until: 25) == text(history, until: 29.9))
        #expect(text(history, until: 29.9) != text(history, until: 30))
    }

    @Test(arguments: [-3, 0, 1, 7, 60, 1000])
    func `the number of intervals is limited to 1 to 60`(buckets: Int) {
        let strip = PresenceStrip(history(), until: House.time(30), buckets: buckets)
        #expect(strip.marks.count == min(max(buckets, 1), 60))
        #expect(strip.marks.last == .present)
    }

    @Test func `a device is present while one of its services is`() throws {
        let one = history((10, .away))
        let two = history((5, .away), (8, .listed(.present)))
        let end = House.time(20 * 60)
        let joined = PresenceStrip(one, until: end, buckets: 12).joined(
            with: PresenceStrip(two, until: end, buckets: 12))
        #expect(joined.text(charset: .ascii) == "       #####")
    }

    @Test func `a clock that was set back does not break the strip`() {
        let history = history((20, .away), (10, .listed(.present)), (-90, .listed(.unknown)))
        for minute in [-100.0, -60, 0, 15, 25] {
            #expect(text(history, until: minute).count == 12)
        }
    }

    @Test func `times before 1970 are in the right minutes`() {
        var rates = ArrivalRates()
        for time: Int64 in [-1, -60_000_000, -60_000_001, 0] {
            rates.record(arrived: 1, left: 0, at: Timestamp(microseconds: time))
        }
        let arrivals = rates.perMinute(until: Timestamp(microseconds: -1)).arrivals
        #expect(arrivals.suffix(2) == [1, 2])
        #expect(arrivals.reduce(0, +) == 3)
    }
}
