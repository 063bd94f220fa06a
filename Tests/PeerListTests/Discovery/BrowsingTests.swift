// Tests browsing and resolving: bounds on what others announce, failed browses, clock jumps, record browsers.
import FoundationEssentials
import PeerListTestSupport
import StackProtocol
import Testing

@testable import PeerList

@Suite struct BrowsingTests {
    @Test func `types of other domains open nothing, and unknown types are limited`() {
        let script = EngineScript.running()
        for number in 0..<600 {
            script.announceType("_nfs._tcp", domain: "e\(number)")
            script.announceType("_t\(number)._tcp")
        }
        #expect(!script.browsedTypes.contains("_nfs._tcp"))
        #expect(script.otherTypes.count == 513, "and the identity's")
        script.announceType("_nfs._tcp", domain: "Local")
        #expect(script.browsedTypes.contains("_nfs._tcp"))
        #expect(script.notices(.serviceLimit).count == 1)
    }

    @Test func `unknown types without services make room for others after a minute`() {
        let script = EngineScript.running()
        for number in 0...512 { script.announceType("_t\(number)._tcp") }
        script.appear("Seven", "_t7._tcp")
        script.announceType("_mine._tcp")
        #expect(!script.browsedTypes.contains("_mine._tcp"))
        script.pass(.seconds(61))
        script.announceType("_mine._tcp")
        #expect(script.otherTypes == ["_mine._tcp", "_t7._tcp", "_peerlist._tcp"])
    }

    @Test(arguments: [nil, "example.org"])
    func `services of other domains are not found, which is reported once`(browsed: String?) {
        var options = BrowseOptions()
        options.domain = browsed
        let script = EngineScript.running(options)
        let own = browsed ?? "local"
        for _ in 0..<2 {
            script.announceType("_http._tcp", domain: own)
            for number in 0..<40 { script.appear("Web", domain: "e\(number)") }
            script.appear("Web", domain: browsed == nil ? "example.org" : "local")
            script.appear("Honest", domain: own.uppercased())
            // The clock is set, so all is browsed again.
            script.realTimeLead += .seconds(3_600)
            script.disappear("Honest", domain: own)
            script.pass(.zero)
        }
        #expect(script.found == ["Honest", "Honest"])
        #expect(
            script.notices(.otherDomain) == [
                "services outside of the browsed domain \(own) are announced, and are not shown; the "
                    + "first one is 'Web._http._tcp.e0'"
            ])
    }

    @Test func `services beyond the limit are found once there is room`() {
        let script = EngineScript.running()
        script.announceType("_http._tcp")
        for number in 0..<20_000 { script.appear("\(number)") }
        script.appear("Honest")
        script.pass(.seconds(61))
        #expect(!script.found.contains("Honest"))
        #expect(script.notices(.serviceRoom).isEmpty)
        for number in 0..<5_000 { script.disappear("\(number)") }
        script.pass(.seconds(61))
        script.announceType("_http._tcp")
        script.appear("Honest")
        #expect(script.found.last == "Honest")
        #expect(script.notices(.serviceLimit).count == 1)
        #expect(script.notices(.serviceRoom).count == 1)
    }

    @Test
    func `failed browses are opened again after ten seconds, and each reason is reported once`() {
        let script = EngineScript.running()
        script.announceType("_nfs._tcp")
        script.refuses = { _ in .invalidName }
        script.announceType("_daap._tcp")
        script.send(.failed(.failure), of: .services(type: "_nfs._tcp", .ipv4))
        script.send(.failed(.failure), of: .types)
        #expect(script.otherTypes == ["_peerlist._tcp"])
        #expect(script.open[.types] == nil)
        script.refuses = { _ in nil }
        script.pass(.seconds(10))
        #expect(script.otherTypes == ["_daap._tcp", "_nfs._tcp", "_peerlist._tcp"])
        #expect(script.open[.types] != nil)
        #expect(script.notices(.lookupFailed).count == 2)
    }

    /// The codes of avahi-common/error.h: D-Bus error, disconnected, no daemon.
    @Test(arguments: [Int32(-22), -23, -26])
    func `a lookup that fails because the daemon or its bus is gone has no notice of its own`(
        code: Int32
    ) {
        let script = EngineScript.running()
        script.announceType("_nfs._tcp")
        script.send(.failed(StackError(code: code)), of: .services(type: "_nfs._tcp", .ipv4))
        #expect(script.notices(.lookupFailed).isEmpty)
    }

    @Test func `the link is queried once for types, half a second after the start`() {
        let script = EngineScript.running()
        script.announceType("_http._tcp")
        script.pass(.seconds(30))
        let known = script.others.compactMap { effect in
            if case .askForTypes(let known) = effect { known } else { nil }
        }
        #expect(known == [["_http._tcp", "_peerlist._tcp"]])
        for type in ["_http._tcp", "_nfs._tcp"] { script.send(.typeAnswered(type)) }
        #expect(script.otherTypes == ["_nfs._tcp", "_peerlist._tcp"])
    }

    @Test func `the commonest types are browsed before a responder lists them`() {
        let script = EngineScript.running()
        #expect(script.browsedTypes.isSuperset(of: KnownServiceType.commonest))
        var options = BrowseOptions()
        options.types = ["_daap._tcp"]
        #expect(EngineScript.running(options).browsedTypes == ["_daap._tcp", "_peerlist._tcp"])
        options = BrowseOptions()
        options.domain = "example.org"
        #expect(EngineScript.running(options).browsedTypes == ["_peerlist._tcp"])
    }

    @Test
    func `a type is browsed through IPv6 when nothing was found for a while and all is resolved`() {
        let script = EngineScript.running()
        script.announceType("_http._tcp")
        for number in 0..<40 { script.appear("s\(number)") }
        script.pass(.seconds(1))
        #expect(script.open[.services(type: "_http._tcp", .ipv6)] == nil, "services wait")
        for number in 0..<40 { script.answer("s\(number)", on: "h1.local") }
        script.pass(.milliseconds(1))
        #expect(script.open[.services(type: "_http._tcp", .ipv6)] != nil)
    }

    @Test func `a service that a browse reports twice on a path is removed with it`() {
        let script = EngineScript.running()
        script.announceType("_http._tcp")
        for _ in 0..<2 { script.appear("Web") }
        #expect(script.open[.resolver(key("Web").id)] != nil)
        script.disappear("Web")
        #expect(script.open[.resolver(key("Web").id)] == nil)
    }

    @Test func `a service is kept until the last browse of a subtype has lost it`() {
        var options = BrowseOptions()
        options.types = ["_ipp._tcp", "_color._sub._ipp._tcp"]
        let script = EngineScript.running(options)
        let instance = ServiceInstance(name: "Laser", type: "_ipp._tcp", domain: "local")
        let resolver = LookupKey.resolver(key("Laser", "_ipp._tcp").id)
        for type in options.types {
            script.send(
                .serviceAppeared(instance, EngineScript.eth0v4),
                of: .services(type: type, .ipv4))
        }
        let subtypes = script.reports.compactMap { kind -> String?? in
            if case .found(let sighting) = kind { sighting.subtype } else { nil }
        }
        #expect(subtypes == [nil, "_color"])
        for type in options.types {
            #expect(script.open[resolver] != nil)
            script.send(
                .serviceDisappeared(instance, EngineScript.eth0v4),
                of: .services(type: type, .ipv4))
        }
        #expect(script.open[resolver] == nil)
    }

    @Test func `a service on very many paths is found on 256 of them`() {
        let script = EngineScript.running()
        script.announceType("_http._tcp")
        for number in 0..<300 {
            script.appear("Web", on: NetworkPath(interface: Int32(1_000 + number), family: .ipv4))
        }
        #expect(script.found.count == 256)
        script.appear("Web", on: NetworkPath(interface: 1_000, family: .ipv4))
        script.appear("Other")
        #expect(script.found.suffix(2) == ["Web", "Other"])
    }

    @Test func `after the clock was set ahead nothing is gone, and everything is browsed again`() {
        let script = EngineScript.running()
        script.bring("Web", on: "h1.local")
        script.appear("Old")
        script.disappear("Old")
        script.realTimeLead = .seconds(3_600)
        script.disappear("Web")
        script.send(.timedOut, of: .resolver(key("Web").id))
        #expect(script.reports.last != .unanswered(key("Web")))
        script.pass(.zero)
        #expect(script.reports.contains(.handedOver(to: .daemon, host: "me.local")))
        #expect(script.otherTypes == ["_peerlist._tcp"])
        script.bring("Web", on: "h1.local")
        script.disappear("Web")
        #expect(script.found == ["Web", "Old", "Web"])
        #expect(script.removed == ["Old", "Web"])
        script.pass(.seconds(10))
        #expect(script.reports.contains(.caughtUp))
    }

    @Test func `after the clock was set back removals count, and everything is browsed again`() {
        let script = EngineScript.running()
        script.bring("Web", on: "h1.local")
        script.bring("Old", on: "h2.local")
        script.realTimeLead = .seconds(-3_600)
        script.disappear("Old")
        #expect(script.removed == ["Old"])
        #expect(!script.reports.contains(.handedOver(to: .daemon, host: "me.local")))
        script.pass(.seconds(30))
        #expect(script.reports.contains(.handedOver(to: .daemon, host: "me.local")))
    }

    @Test func `record browsers are open beside resolvers that stay open, and closed with them`() {
        let script = EngineScript.running()
        for number in 1...128 { script.bring("Web \(number)", on: "h1.local") }
        #expect(script.recordBrowserCount == 256)
        script.disappear("Web 1")
        #expect(script.recordBrowserCount == 254)
        script.bring("Web 1", on: "h1.local")
        script.bring("Web 129", on: "h1.local")
        #expect(script.recordBrowserCount == 0)
    }

    @Test func `a second record of a type renews the resolver once it has settled`() {
        let script = EngineScript.running()
        script.bring("Web", on: "h1.local")
        let (id, data) = (key("Web").id, [UInt8]())
        for type in ServiceRecord.allCases {
            script.send(.recordAppeared(data: data, EngineScript.eth0v4), of: .record(type, id))
        }
        script.pass(.seconds(5))
        #expect(script.opened.count { $0 == .resolver(id) } == 1)
        for type in ServiceRecord.allCases {
            script.send(.recordAppeared(data: data, EngineScript.eth0v4), of: .record(type, id))
        }
        script.pass(.milliseconds(1_499))
        #expect(script.opened.count { $0 == .resolver(id) } == 1)
        script.pass(.milliseconds(1))
        #expect(script.opened.count { $0 == .resolver(id) } == 2, "one renewal for both")
    }

    @Test func `record browsers make room when the daemon refuses lookups, then fewer are opened`()
    {
        let script = EngineScript.running()
        for number in 1...8 { script.bring("Web \(number)", on: "h1.local") }
        #expect(script.recordBrowserCount == 16)
        script.refuses = { if case .resolver = $0 { .tooManyObjects } else { nil } }
        script.appear("Web 9")
        #expect(script.recordBrowserCount == 0)
        script.refuses = { _ in nil }
        script.pass(.seconds(10))
        script.answer("Web 9", on: "h1.local")
        #expect(script.open[.resolver(key("Web 9").id)] != nil)
        #expect(script.recordBrowserCount == 0, "there is no room for them")
        script.refuses = { if case .resolver = $0 { .tooManyObjects } else { nil } }
        script.appear("Web 10")
        script.pass(.seconds(5))
        #expect(script.notices(.objectLimit).count == 1)
        #expect(
            !script.open.keys.contains { if case .resolver = $0 { true } else { false } },
            "with fewer places than services all are resolved in turn")
    }
}
