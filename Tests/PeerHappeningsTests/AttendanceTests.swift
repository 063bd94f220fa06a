// Tests of the register of attendance: absences across identifiers, and what devices are heard through.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import Testing

@testable import PeerHappenings

@Suite struct AttendanceTests {
    private var attendance = Attendance()
    private let tv = device("tv", "googlecast", address: "10.0.0.6")
    private let eth0: Set<String> = ["interface eth0"]
    private let hall = ObserverName(site: "home", observer: "hall")
    private let cellar = ObserverName(site: "home", observer: "cellar")

    private var heard: AbsentSources.Count {
        var count = AbsentSources.Count()
        count.add(tv)
        return count
    }

    private func event(_ event: SourceHappening.Event, _ name: String, at seconds: Double)
        -> SourceHappening
    {
        SourceHappening(event, name, count: 1, at: House.time(seconds))
    }

    @Test mutating func `a silence that ends in a departure is one absence, under all identifiers`()
    {
        let new = UUID()
        let number = attendance.silence(tv.id, at: House.time(1))
        attendance.move(tv.id, to: new)
        #expect(attendance[tv.id] == nil && attendance[new]?.since == House.time(1))
        var renamed = tv
        renamed.id = new
        let left = attendance.leave(.peer(renamed), at: House.time(9), isOfLink: false)
        #expect(left.number == number && attendance[new]?.since == House.time(9))
        let back = attendance.end(returning: .peer(tv))
        #expect(back?.number == number && back?.id == new)
        #expect(attendance[new] == nil)
    }

    @Test mutating func `the devices that have left are bounded, and the silent ones stay`() {
        let number = attendance.silence(tv.id, at: House.time(0))
        var other = tv
        for _ in 0...Attendance.limit {
            other.id = UUID()
            _ = attendance.leave(.peer(other), at: House.time(1), isOfLink: false)
        }
        #expect(attendance[other.id]?.hasLeft == true)
        #expect(attendance[tv.id]?.number == number)
        let again = attendance.silence(tv.id, at: House.time(2))
        #expect(again == number)
    }

    @Test mutating func `a device can be heard while one of its paths is there`() {
        let both = eth0.union(["interface eth1"])
        attendance.sources.apply(event(.linkLost, "eth0", at: 10))
        let sources = attendance.sources
        #expect(sources.concern(eth0) && sources.knownTime(eth0, in: heard) == nil)
        #expect(!sources.concern(both) && sources.knownTime(both, in: heard) != nil)
        #expect(sources.away(nil) == eth0)
    }

    @Test mutating func `a source that is back has time to find its devices`() {
        attendance.sources.apply(event(.linkLost, "eth0", at: 10))
        attendance.sources.apply(event(.linkBack, "eth0", at: 100))
        #expect(attendance.sources.due == House.time(115))
        #expect(attendance.sources.knownTime(eth0, in: heard) == House.time(115))
        var hasAny = attendance.sources.removeReturned(at: House.time(114))
        #expect(!hasAny && attendance.sources.concern(eth0))
        hasAny = attendance.sources.removeReturned(at: House.time(115))
        #expect(hasAny)
        #expect(!attendance.sources.concern(eth0))
    }

    @Test mutating func `nothing can be heard without a backend, or through a forgotten observer`()
    {
        attendance.sources.apply([hall: true, cellar: false])
        #expect(!attendance.sources.concern([hall.source]))
        #expect(attendance.sources.concern([cellar.source]))
        attendance.sources.apply([hall: true])
        #expect(attendance.sources.knownTime([cellar.source], in: heard) == nil)
        attendance.sources.apply(event(.brokerLost, "b", at: 1))
        #expect(attendance.sources.concern([hall.source]))
    }

    @Test mutating func `sources are bounded`() {
        let observers = (0..<AbsentSources.limit - 10).map { number in
            (ObserverName(site: "home", observer: "o\(number)"), false)
        }
        attendance.sources.apply(Dictionary(uniqueKeysWithValues: observers))
        #expect(attendance.sources.away(nil).count == AbsentSources.limit - 10)
        for number in 0...10 {
            attendance.sources.apply(event(.linkLost, "eth\(number)", at: 1))
        }
        #expect(attendance.sources.away(nil).count == AbsentSources.limit)
    }
}
