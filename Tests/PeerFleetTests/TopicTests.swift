// Tests the topics of observers: what is printed is parsed, and nothing else is.
import FoundationEssentials
import PeerFleet
import PeerModel
import Testing

@Suite struct TopicTests {
    private static let names = [
        ObserverName.attic, ObserverName(site: "Zürich 2", observer: "客厅"),
        // A mark that combines with the slash before it.
        ObserverName(site: "\u{301}x", observer: "\u{200d}y"),
        ObserverName(site: "a", observer: String(repeating: "b", count: 64)),
    ]

    @Test(arguments: names, ["peerlist", "a/b", "ö"])
    func `the topics of an observer are parsed as what they are`(
        name: ObserverName, prefix: String
    ) {
        let topics = FleetTopics(prefix: prefix)
        let id = UUID.announced(1)
        #expect(FleetTopics.isName(name.site) && FleetTopics.isName(name.observer))
        #expect(topics.parse(topics.status(of: name)) == .status(name))
        #expect(topics.parse(topics.peer(id, of: name)) == .peer(name, id))
        #expect(topics.parse(topics.census(of: name)) == .census(name))
        #expect(topics.parse(topics.mark(of: name)) == .mark(name))
    }

    @Test(arguments: [
        "", "peerlist", "peerlist/v1", "peerlist/v1/", "peerlist/v1/home/attic",
        "peerlist/v1/home/attic/", "peerlist/v1/home/attic/status/", "peerlist/v1//attic/status",
        "peerlist/v1/home//status", "peerlist/v2/home/attic/status",
        "Peerlist/v1/home/attic/status",
        "/peerlist/v1/home/attic/status", "peerlist/v1/home/attic/Status",
        "peerlist/v1/+/attic/status", "peerlist/v1/home/#/status", "peerlist/v1/$SYS/attic/status",
        "peerlist/v1/home/a\u{0}b/status", "peerlist/v1/home/a\nb/status",
        "peerlist/v1/home/a\u{9b}b/status", "peerlist/v1/home/attic/peers",
        "peerlist/v1/home/attic/peers/", "peerlist/v1/home/attic/peers/x",
        "peerlist/v1/home/attic/peers/F70742D2-12CD-5F3B-B1BD-F4C1C5D29CAE",
        "peerlist/v1/home/attic/peers/f70742d212cd5f3bb1bdf4c1c5d29cae",
        "peerlist/v1/home/attic/peers/f70742d2-12cd-5f3b-b1bd-f4c1c5d29cae/x",
        "peerlist/v1/home/attic/peers/f70742d2-12cd-5f3b-b1bd-f4c1c5d29cae ",
        "peerlist/v1/home/attic/lines", "peerlist/v1/home/attic/mark/", "peerlist/v1/mark",
    ])
    func `any other topic is none of an observer`(topic: String) {
        #expect(topics.parse(topic) == nil)
    }

    @Test func `a topic of 100 KiB is none of an observer`() {
        let long = String(repeating: "a", count: 100 << 10)
        #expect(topics.parse("peerlist/v1/home/\(long)/status") == nil)
        #expect(topics.parse("peerlist/v1/" + String(repeating: "/", count: 100 << 10)) == nil)
        #expect(topics.parse(long) == nil)
    }

    @Test func `a name is one level of a topic, of 1 to 64 bytes`() {
        for name in ["a", "living room", "a.b-c_d", "ü", String(repeating: "a", count: 64)] {
            #expect(FleetTopics.isName(name))
        }
        let long = [String(repeating: "a", count: 65), String(repeating: "ü", count: 33)]
        for name in ["", "a/b", "+", "#", "a#", "$SYS", "a\tb", "\u{0}", "\u{7f}", "\u{85}"] + long
        {
            #expect(!FleetTopics.isName(name), "\(name.debugDescription)")
        }
    }

    @Test func `names of the same characters in other bytes are two names`() {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        let names = [composed, decomposed].map { ObserverName(site: "home", observer: $0) }
        #expect(names[0] != names[1])
        #expect(Set(names).count == 2)
        #expect(topics.parse(topics.status(of: names[0])) != .status(names[1]))
    }
}
