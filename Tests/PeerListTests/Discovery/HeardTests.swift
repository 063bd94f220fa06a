// Tests what discovery makes of the records that the witness heard on the link.
import DNSMessages
import FoundationEssentials
import HeardRecords
@testable import PeerList
import PeerListTestSupport
import StackProtocol
import Testing

@Suite struct HeardTests {
    private static let eth0 = NetworkInterface(index: 2, name: "eth0")
    private let host = HostAddress(bytes: [10, 0, 0, 1], interface: "eth0")

    @Test func `the witness is started before the backend, if it is wanted`() {
        let script = EngineScript(Self.options)
        script.send(.start)
        #expect(script.witnessStarts == 1)
        guard case .startWitness = script.others.first else {
            Issue.record("\(script.others)")
            return
        }
        let other = EngineScript()
        other.send(.start)
        #expect(other.witnessStarts == 0)
    }

    @Test func `a type is browsed as soon as one of its services is heard`() {
        let script = Self.running()
        script.hear([pointer("_new._tcp.local", to: "Web._new._tcp.local")])
        #expect(script.browsedTypes.contains("_new._tcp"))
        script.hear([pointer("_printer._sub._other._tcp.local", to: "A._other._tcp.local")])
        #expect(script.browsedTypes.contains("_other._tcp"))
        script.hear([pointer("_services._dns-sd._udp.local", to: "_listed._tcp.local")])
        #expect(script.browsedTypes.contains("_listed._tcp"))
        script.hear([location("Web._srv._udp.local", on: "h1.local")])
        #expect(script.browsedTypes.contains("_srv._udp"))
        #expect(!script.browsedTypes.contains("_dns-sd._udp"))
    }

    @Test func `a withdrawn record, another domain and an invalid type start no browse`() {
        let script = Self.running()
        let before = script.browsedTypes
        script.hear([
            pointer("_gone._tcp.local", to: "Web._gone._tcp.local", ttl: 0),
            pointer("_far._tcp.example", to: "Web._far._tcp.example"),
            pointer("_x y._tcp.local", to: "Web._x y._tcp.local"),
            text("Mac._device-info._tcp.local"),
        ])
        #expect(script.browsedTypes == before)
    }

    @Test func `a type that was heard is browsed through another backend too`() {
        let script = EngineScript(Self.options, asking: .auto)
        script.send(.start)
        script.connect(.daemon)
        script.send(.interfaces([Self.link]))
        script.hear([pointer("_new._tcp.local", to: "Web._new._tcp.local")])
        #expect(script.browsedTypes.contains("_new._tcp"))
        script.change { $0.state = .failed }
        #expect(script.browsedTypes.isEmpty)
        script.connect(.helper)
        script.pass(.seconds(20))
        #expect(script.browsedTypes.contains("_new._tcp"))
    }

    @Test func `only wanted types are browsed`() {
        var options = Self.options
        options.types = ["_http._tcp"]
        let script = Self.running(options)
        script.hear([pointer("_new._tcp.local", to: "Web._new._tcp.local")])
        #expect(!script.browsedTypes.contains("_new._tcp"))
    }

    @Test
    func `invented types that nobody lists are browsed for one after the other, and given up`() {
        let script = Self.running()
        let before = script.browsedTypes.count
        for _ in 1...10 {
            hearInvented(2_000, script)
            #expect(script.browsedTypes.count <= before + HeardTypes.admissionLimit.sender)
            script.pass(.seconds(60))
        }
        #expect(script.openedTypes.count <= before + 11 * HeardTypes.admissionLimit.sender)
        #expect(script.notices(.serviceLimit).count == 1)
        script.pass(HeardTypes.interval * 3)
        #expect(script.browsedTypes.count == before)
    }

    @Test func `a flood of invented types does not delay a type of another sender`() {
        let script = Self.running()
        hearInvented(2_000, script)
        hearNew(script, from: HostAddress(bytes: [10, 0, 0, 7], interface: "eth0"))
        #expect(script.browsedTypes.contains("_new._tcp"))
        // The sender itself has its turn within a minute.
        let other = Self.running()
        hearInvented(HeardTypes.admissionLimit.sender, other)
        hearNew(other)
        #expect(!other.browsedTypes.contains("_new._tcp"))
        other.pass(HeardTypes.interval)
        #expect(other.browsedTypes.contains("_new._tcp"))
    }

    @Test func `at most twenty invented types a minute are browsed for, whoever names them`() {
        let script = Self.running()
        let before = script.openedTypes.count
        for minute in 1...3 {
            for sender in 1...200 {
                hearInvented(
                    8, script,
                    from: HostAddress(bytes: [10, 0, 0, UInt8(sender)], interface: "eth0"))
            }
            #expect(script.openedTypes.count - before == minute * HeardTypes.admissionLimit.all)
            script.pass(HeardTypes.interval)
        }
    }

    @Test func `a heard type is browsed for as long as it has services`() {
        let script = Self.running()
        hearNew(script)
        script.appear("Web", "_new._tcp")
        script.pass(HeardTypes.patience * 10)
        #expect(script.browsedTypes.contains("_new._tcp"))
        script.disappear("Web", "_new._tcp")
        script.pass(HeardTypes.patience + HeardTypes.checkInterval)
        #expect(!script.browsedTypes.contains("_new._tcp"))
        // It is browsed for again when it is heard again.
        hearNew(script)
        #expect(script.browsedTypes.contains("_new._tcp"))
    }

    @Test func `a type that a responder lists too takes no place of a type that is only heard`() {
        let script = Self.running()
        for number in 0..<100 {
            let type = "_l\(number)x._tcp"
            script.hear([
                pointer("\(type).local", to: "A.\(type).local"),
                pointer("_services._dns-sd._udp.local", to: "\(type).local"),
            ])
        }
        hearNew(script)
        #expect(script.browsedTypes.contains("_l99x._tcp"))
        #expect(script.browsedTypes.contains("_new._tcp"))
        // What is listed is browsed for without services too.
        script.pass(HeardTypes.patience * 3)
        #expect(script.browsedTypes.contains("_l99x._tcp"))
        #expect(!script.browsedTypes.contains("_new._tcp"))
        #expect(script.notices(.serviceLimit).isEmpty)
    }

    @Test func `types that are well known or wanted are browsed for whenever they are heard`() {
        var options = Self.options
        options.types = ["_wanted._tcp"]
        let script = Self.running(options)
        hearInvented(2_000, script)
        #expect(script.browsedTypes.contains("_wanted._tcp"))
        let other = Self.running()
        hearInvented(2_000, other)
        other.hear([pointer("_ipp._tcp.local", to: "A._ipp._tcp.local")])
        other.pass(HeardTypes.patience * 3)
        #expect(other.browsedTypes.contains("_ipp._tcp"))
    }

    @Test func `the backend alone resolves services that need not wait`() {
        let script = Self.running()
        script.announceType("_http._tcp")
        for number in 0..<32 {
            script.appear("W\(number)")
            script.hear(records(of: "W\(number)"))
        }
        #expect(script.resolverCount == 32)
        script.answer("W0", on: "h1.local", at: host)
        #expect(script.resolutions("W0").map(\.isConfirmed) == [true])
        #expect((1..<32).allSatisfy { script.resolutions("W\($0)").isEmpty })
        // Another service has to wait, so that all are resolved by what was heard.
        for number in 32..<40 { script.appear("W\(number)") }
        #expect((1..<32).allSatisfy { script.resolutions("W\($0)").map(\.isConfirmed) == [false] })
    }

    @Test(arguments: [false, true])
    func `a service that would have to wait is resolved at once if its records were heard`(
        isHeardFirst: Bool
    ) {
        let script = Self.busy()
        if !isHeardFirst { script.appear("Web") }
        script.hear(records(of: "Web"))
        if isHeardFirst { script.appear("Web") }
        #expect(script.resolutions("Web").map(\.isConfirmed) == [false])
        let resolution = script.resolutions("Web").first
        #expect(resolution?.host == "h1.local")
        #expect(resolution?.port == 80)
        #expect(resolution?.txt == TXTRecord(strings: [Array("a=1".utf8)]))
        #expect(resolution?.address == host)
    }

    @Test func `the backend confirms in its own time, and the first services at once`() {
        let script = Self.running()
        script.announceType("_http._tcp")
        script.hear([address("h1.local")])
        for number in 0..<100 { script.appear("W\(number)") }
        let open = script.resolverCount
        #expect(open == 32)
        for number in 0..<100 { script.hear(records(of: "W\(number)")) }
        #expect((0..<100).allSatisfy { !script.resolutions("W\($0)").isEmpty })
        #expect(script.resolverCount == open)
        script.answer("W0", on: "h1.local", at: host)
        #expect(script.resolutions("W0").map(\.isConfirmed) == [false, true])
        #expect(script.resolverCount == open)
        script.pass(.seconds(2))
        #expect(script.resolverCount > open)
    }

    @Test func `of many services, those that were heard are confirmed in their turn`() {
        let script = Self.running()
        script.announceType("_http._tcp")
        script.hear([address("h1.local")])
        for number in 0..<300 { script.appear("W\(number)") }
        for number in 0..<300 { script.hear(records(of: "W\(number)")) }
        #expect((0..<300).allSatisfy { !script.resolutions("W\($0)").isEmpty })
        // The daemon answers those that are open.
        for number in 0..<32 { script.answer("W\(number)", on: "h1.local", at: host) }
        script.pass(.seconds(50))
        #expect(script.opened.count { if case .resolver = $0 { true } else { false } } == 32)
        script.pass(.seconds(60))
        #expect(script.resolverCount > 0)
    }

    @Test func `a service is not resolved before all of its records were heard`() {
        let all = records(of: "Web")
        for missing in all.indices {
            let script = Self.busy()
            script.appear("Web")
            var some = all
            some.remove(at: missing)
            script.hear(some)
            #expect(script.resolutions("Web").isEmpty)
            script.hear([all[missing]])
            #expect(script.resolutions("Web").count == 1)
        }
    }

    @Test func `expired and withdrawn records resolve nothing`() {
        let script = Self.running()
        script.announceType("_http._tcp")
        script.hear(records(of: "Old"))
        script.hear(records(of: "Old").map { $0.ended(.removed(.expired)) })
        Self.crowd(script)
        script.appear("Old")
        #expect(script.resolutions("Old").isEmpty)
        script.hear(records(of: "Gone"))
        script.hear([location("Gone._http._tcp.local", on: "h1.local", ttl: 0)])
        script.appear("Gone")
        #expect(script.resolutions("Gone").isEmpty)
        script.hear(records(of: "Here"))
        script.appear("Here")
        #expect(script.resolutions("Here").count == 1)
    }

    @Test func `a record ends on the path on which it was heard`() {
        let script = Self.busy()
        script.hear(records(of: "Web"))
        let far = HostAddress(bytes: [254] + [UInt8](repeating: 0, count: 15), interface: "eth0")
        script.hear(records(of: "Web", from: far).map { $0.ended(.removed(.expired)) })
        script.appear("Web")
        #expect(script.resolutions("Web").count == 1)
    }

    @Test func `records are not believed after their witness has failed`() {
        let script = Self.busy()
        script.hear(records(of: "Web"))
        script.send(.witness(.failed("signal 11")))
        script.appear("Web")
        #expect(script.resolutions("Web").isEmpty)
    }

    @Test func `a service that the backend drops because of another machine is asked first`() {
        for end in [nil, RecordCache.End.withdrawnByOther] {
            let script = Self.contested(end)
            #expect(script.removed.isEmpty)
            script.pass(.milliseconds(200))
            let browses = script.openedTypes.count
            #expect(script.answerProbes { Set($0.map(\.service.id)) }.count == 1)
            #expect(script.openedTypes.count == browses + 1, "the backend queries for its type")
            script.appear("Web")
            script.pass(.seconds(60))
            #expect(script.removed.isEmpty && script.unanswered.isEmpty)
        }
    }

    @Test func `a service that the backend drops and that does not answer is removed`() {
        let reasons: [(RecordCache.End?, Departure)] = [
            (nil, .expired), (.withdrawnByOther, .revoked), (.replaced, .revoked),
        ]
        for (end, reason) in reasons {
            let script = Self.contested(end)
            script.pass(.milliseconds(200))
            script.answerProbes { _ in [] }
            #expect(script.removals.map(\.1) == [reason])
        }
    }

    @Test func `a service that answers and that the backend does not find again is removed`() {
        let script = Self.contested(nil)
        script.pass(.milliseconds(200))
        script.answerProbes { Set($0.map(\.service.id)) }
        script.pass(DiscoveryRules.contestTime)
        #expect(script.removals.map(\.1) == [.revoked])
    }

    @Test func `a removal that cannot be doubted is no other machine's`() {
        let script = Self.running()
        script.announceType("_http._tcp")
        script.hear([pointer("_http._tcp.local", to: "Web._http._tcp.local")])
        script.appear("Web")
        // Its host is not known, so that it cannot be asked.
        script.disappear("Web")
        #expect(script.removals.map(\.1) == [.removed])
    }

    @Test(arguments: [RecordCache.End.withdrawn, .expired])
    func `a service that the backend drops as it was heard is removed at once`(
        end: RecordCache.End
    ) {
        let script = Self.contested(end)
        #expect(script.removals.map(\.1) == [end == .withdrawn ? .removed : .expired])
        script.pass(.seconds(1))
        #expect(script.probes.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a service that says goodbye on one path is there on the others if it answers`(
        answers: Bool
    ) {
        let script = Self.running()
        script.bring("Web", on: "h1.local")
        let other = NetworkPath(interface: 2, family: .ipv6)
        script.pass(.seconds(5))
        script.appear("Web", on: other)
        let pointer = HeardTests().pointer("_http._tcp.local", to: "Web._http._tcp.local")
        script.hear([
            pointer, pointer.ended(.ending(.withdrawn)), pointer.ended(.removed(.withdrawn)),
        ])
        script.disappear("Web")
        script.pass(.milliseconds(200))
        #expect(script.removed == ["Web"])
        #expect(
            script.answerProbes { answers ? Set($0.map(\.service.id)) : [] }.count == 1)
        #expect(script.removals.map(\.1) == (answers ? [.removed] : [.removed, .removed]))
        #expect(script.unanswered == (answers ? [] : ["Web"]))
    }

    @Test func `a removal without a witness is believed`() {
        let script = Self.running()
        script.bring("Web", on: "h1.local")
        script.disappear("Web")
        #expect(script.removals.map(\.1) == [.removed])
    }

    /// An engine whose backend drops a service that was heard, after its announcement was ended, if so.
    private static func contested(_ end: RecordCache.End?) -> EngineScript {
        let script = running()
        script.announceType("_http._tcp")
        let pointer = HeardTests().pointer("_http._tcp.local", to: "Web._http._tcp.local")
        script.hear([pointer])
        script.appear("Web")
        script.answer("Web", on: "h1.local", at: HeardTests().host)
        if let end { script.hear([pointer.ended(.ending(end)), pointer.ended(.removed(end))]) }
        script.disappear("Web")
        return script
    }

    @Test func `names that are no service's are not listed`() {
        let script = Self.running()
        for type in ["_dns-sd._udp", "_tcp", "Foo._http._tcp", "_http._tcp"] {
            script.announceType(type)
        }
        let opened = Set(script.browsedTypes)
        #expect(opened.contains("_http._tcp"))
        #expect(opened.isDisjoint(with: ["_dns-sd._udp", "_tcp", "Foo._http._tcp"]))
        script.send(
            .serviceAppeared(
                ServiceInstance(name: "_sub", type: "_http._tcp", domain: "local"),
                EngineScript.eth0v4), of: .services(type: "_http._tcp", .ipv4))
        script.send(
            .serviceAppeared(
                ServiceInstance(name: "_http", type: "_tcp", domain: "local"),
                EngineScript.eth0v4), of: .services(type: "_http._tcp", .ipv4))
        script.send(
            .serviceAppeared(
                ServiceInstance(name: "Cross", type: "_ipp._tcp", domain: "local"),
                EngineScript.eth0v4), of: .services(type: "_http._tcp", .ipv4))
        #expect(script.found.isEmpty)
        script.appear("_Web")
        #expect(script.found == ["_Web"])
    }

    @Test func `a sender whose address is not of the link is not believed`() {
        let script = Self.busy()
        script.appear("Web")
        let far = HostAddress(bytes: [192, 0, 2, 1], interface: "eth0")
        script.hear(
            records(of: "Web", from: far) + [
                pointer("_new._tcp.local", to: "Web._new._tcp.local", from: far)
            ])
        #expect(script.resolutions("Web").isEmpty)
        #expect(!script.browsedTypes.contains("_new._tcp"))
    }

    @Test func `services that the backend has not found are listed if it is behind`() {
        let script = Self.behind()
        #expect(script.found.count == 40)
        #expect(script.resolutions("Web 1").map(\.isConfirmed) == [false])
        #expect(script.resolverCount == 0)
        // Once the backend is behind, each further service is listed at once.
        script.hear(announcement(of: "Later"))
        #expect(script.found.count == 41)
        script.appear("Web 1")
        #expect(script.resolutions("Web 1").count == 1)
        #expect(script.removed.isEmpty)
    }

    @Test func `a few services are listed when the backend has found them`() {
        let script = Self.running()
        script.announceType("_http._tcp")
        for number in 1...32 { script.hear(announcement(of: "Web \(number)")) }
        #expect(script.found.isEmpty)
        script.pass(.seconds(1))
        // What the backend did not find within a second does not show that it is behind.
        for number in 33...64 { script.hear(announcement(of: "Web \(number)")) }
        #expect(script.found.isEmpty)
        script.hear(announcement(of: "Web 65"))
        #expect(script.found.count == 33)
    }

    @Test func `services without a pointer, on other paths and beyond the cache are not listed`() {
        let script = Self.running()
        for number in 1...40 { script.hear(records(of: "Web \(number)")) }
        #expect(script.found.isEmpty)
        var options = Self.options
        options.family = .ipv6
        let other = Self.running(options)
        for number in 1...40 { other.hear(announcement(of: "Web \(number)")) }
        #expect(other.found.isEmpty)
        let small = EngineScript(Self.options)
        small.send(.start)
        small.connect(
            .daemon, StackStatus(state: .running, hostName: "me.local", cacheLimit: 60))
        small.send(.interfaces([Self.link]))
        small.announceType("_http._tcp")
        for number in 1...40 { small.hear(announcement(of: "Web \(number)")) }
        #expect(small.found.count == 19)
    }

    @Test func `a listed service that the backend does not find is dropped`() {
        let script = Self.behind()
        for number in 2...40 { script.appear("Web \(number)") }
        script.pass(.seconds(9))
        #expect(script.removed.isEmpty)
        script.pass(.seconds(1))
        #expect(script.removed == ["Web 1"])
        script.pass(.seconds(60))
        #expect(script.removed == ["Web 1"])
    }

    @Test func `a service that says goodbye before the backend has found it is removed`() {
        let script = Self.behind()
        script.appear("Web 2")
        for number in 1...2 {
            script.hear([
                pointer("_http._tcp.local", to: "Web \(number)._http._tcp.local", ttl: 0)
            ])
        }
        #expect(script.removed == ["Web 1"])
        script.disappear("Web 2")
        #expect(script.removed == ["Web 1", "Web 2"])
    }

    @Test func `records of another interface than the service's resolve nothing`() {
        let script = Self.busy()
        script.appear("Web", on: NetworkPath(interface: 3, family: .ipv4))
        script.hear(records(of: "Web"))
        #expect(script.resolutions("Web").isEmpty)
    }

    @Test func `a service that does not answer later is unanswered`() {
        let script = Self.running()
        script.announceType("_http._tcp")
        script.appear("Web")
        Self.crowd(script)
        script.hear(records(of: "Web"))
        #expect(script.resolutions("Web").map(\.isConfirmed) == [false])
        script.send(.timedOut, of: .resolver(key("Web").id))
        #expect(script.unanswered == ["Web"])
    }

    @Test func `a host whose name in the SRV record is an address has that address`() {
        let script = Self.running()
        script.announceType("_http._tcp")
        script.appear("Web")
        script.hear([
            location("Web._http._tcp.local", on: "10.0.0.77"), text("Web._http._tcp.local"),
        ])
        // The backend asks for the addresses of a host that has no record.
        script.send(.timedOut, of: .resolver(key("Web").id))
        #expect(script.resolutions("Web").map(\.address?.description) == ["10.0.0.77"])
        #expect(script.unanswered.isEmpty)
    }

    @Test func `a flood of names is bounded, and services are still resolved by the backend`() {
        let script = Self.running()
        script.announceType("_http._tcp")
        for number in 0..<10_000 {
            script.hear([address("x\(number).local"), text("N\(number)._http._tcp.local")])
        }
        script.bring("Web", on: "h1.local")
        #expect(script.resolutions("Web").map(\.isConfirmed) == [true])
    }

    @Test(arguments: [true, false])
    func `senders are reported if wanted, and the beginning of listening`(areWanted: Bool) {
        var options = Self.options
        options.reportsSenders = areWanted
        let script = Self.running(options)
        script.send(.witness(.listening))
        let sender = HeardSender(
            name: "h1.local", address: host, interface: Self.eth0,
            last: Timestamp(microseconds: 1))
        script.send(.witness(.heard([], [sender])))
        let heard = script.reports.compactMap { kind -> [HeardSender]? in
            if case .heard(let senders) = kind { senders } else { nil }
        }
        #expect(heard == (areWanted ? [[], [sender]] : []))
    }

    @Test(arguments: [true, false])
    func `only a packet of a host itself postpones the question whether it is there`(isOwn: Bool) {
        let script = Self.running()
        script.announceType("_http._tcp")
        for number in 1...2 {
            script.bring("Web \(number)", on: "h\(number).local")
            script.addressAppears(UInt8(number), of: "h\(number).local")
            script.exhaustAddresses(of: "h\(number).local")
        }
        script.pass(.seconds(60))
        let sender = HeardSender(
            name: "Web 1._http._tcp.local",
            address: HostAddress(bytes: [10, 0, 0, isOwn ? 1 : 9], interface: "eth0"),
            interface: Self.eth0, last: Timestamp(microseconds: 1))
        script.send(.witness(.heard([], [sender])))
        script.pass(.seconds(45))
        let asked = script.probes.flatMap(\.questions).map(\.service.name).sorted()
        #expect(asked == (isOwn ? ["Web 2"] : ["Web 1", "Web 2"]))
    }

    @Test func `a witness that fails is said once, and started again after ever longer waits`() {
        let script = Self.running()
        for wait in [10, 20, 40, 80, 160, 320, 600, 600] {
            let before = script.witnessStarts
            script.send(.witness(.failed("another program has port 5353 for itself")))
            script.pass(.seconds(wait - 1))
            #expect(script.witnessStarts == before)
            script.pass(.seconds(1))
            #expect(script.witnessStarts == before + 1)
        }
        #expect(script.notices(.witnessFailed).count == 1)
        script.send(.witness(.listening))
        script.pass(.seconds(600))
        script.send(.witness(.failed("signal 11")))
        #expect(script.notices(.witnessFailed).count == 2)
    }

    @Test func `what is left out is said once`() {
        let script = Self.running()
        for _ in 0..<3 { script.send(.witness(.omitted)) }
        #expect(script.notices(.witnessLimit).count == 1)
    }

    private static var options: BrowseOptions {
        var options = BrowseOptions()
        options.usesWitness = true
        return options
    }

    /// An engine with a daemon that runs, on 10.0.0.0/24.
    private static func running(_ options: BrowseOptions = options) -> EngineScript {
        let script = EngineScript.running(options)
        script.send(.interfaces([link]))
        return script
    }

    /// An engine whose backend has found none of 40 services that were heard.
    private static func behind() -> EngineScript {
        let script = running()
        script.announceType("_http._tcp")
        for number in 1...40 { script.hear(HeardTests().announcement(of: "Web \(number)")) }
        return script
    }

    /// An engine that resolves as many services as it may at a time, so that others have to wait.
    private static func busy() -> EngineScript {
        let script = running()
        script.announceType("_http._tcp")
        crowd(script)
        return script
    }

    private static func crowd(_ script: EngineScript) {
        for number in 0..<40 { script.appear("Other \(number)") }
    }

    private static var link: LocalInterface {
        let own = HostAddress(bytes: [10, 0, 0, 9], interface: "eth0")
        return LocalInterface(eth0, addresses: [.init(own, prefixLength: 24)])
    }

    private func hearNew(_ script: EngineScript, from sender: HostAddress? = nil) {
        script.hear([pointer("_new._tcp.local", to: "Web._new._tcp.local", from: sender)])
    }

    /// Hears types that no service has; other senders name other types.
    private func hearInvented(
        _ count: Int, _ script: EngineScript, from sender: HostAddress? = nil
    ) {
        let owner = sender?.bytes.last.map { "\($0)" } ?? ""
        script.hear(
            (0..<count).map { number in
                let type = "_t\(number)x\(owner)._tcp"
                return location("A.\(type).local", on: "h1.local", from: sender)
            })
    }

    private func records(of instance: String, from sender: HostAddress? = nil) -> [HeardRecord] {
        let name = "\(instance)._http._tcp.local"
        return [
            location(name, on: "h1.local", from: sender), text(name, from: sender),
            address("h1.local", from: sender),
        ]
    }

    private func announcement(of instance: String) -> [HeardRecord] {
        [pointer("_http._tcp.local", to: "\(instance)._http._tcp.local")] + records(of: instance)
    }

    private func record(
        _ name: String, _ type: UInt16, _ data: [UInt8], ttl: UInt32 = 120, from: HostAddress?
    ) -> HeardRecord {
        HeardRecord(
            name: wire(name), type: type, data: data,
            ttl > 0 ? .added(ttl: ttl) : .ending(.withdrawn), from: (from ?? host).bytes,
            on: Self.eth0)
    }

    private func pointer(
        _ name: String, to target: String, ttl: UInt32 = 120, from: HostAddress? = nil
    ) -> HeardRecord { record(name, DNSType.ptr, wire(target).bytes, ttl: ttl, from: from) }

    private func location(
        _ name: String, on host: String, ttl: UInt32 = 120, from: HostAddress? = nil
    ) -> HeardRecord {
        record(name, DNSType.srv, [0, 0, 0, 0, 0, 80] + wire(host).bytes, ttl: ttl, from: from)
    }

    private func text(_ name: String, from: HostAddress? = nil) -> HeardRecord {
        record(name, DNSType.txt, [3] + Array("a=1".utf8), from: from)
    }

    private func address(_ name: String, from: HostAddress? = nil) -> HeardRecord {
        record(name, DNSType.a, [10, 0, 0, 1], from: from)
    }

    private func wire(_ name: String) -> DNSName {
        guard let name = DNSName(name) else { fatalError("a name that DNS cannot carry") }
        return name
    }
}

extension HeardRecord {
    /// The record after another change.
    fileprivate func ended(_ change: RecordCache.Change.Kind) -> HeardRecord {
        HeardRecord(
            name: name, type: type, data: data, change, from: sender.bytes, on: interface)
    }
}

extension EngineScript {
    /// The number of times that the witness was started.
    fileprivate var witnessStarts: Int {
        others.count { if case .startWitness = $0 { true } else { false } }
    }

    /// The types that were browsed for at any time, with repetitions.
    fileprivate var openedTypes: [String] {
        opened.compactMap { if case .services(let type, .ipv4) = $0 { type } else { nil } }
    }

    fileprivate var resolverCount: Int {
        open.keys.count { if case .resolver = $0 { true } else { false } }
    }

    fileprivate func hear(_ records: [HeardRecord]) { send(.witness(.heard(records, []))) }

    fileprivate func resolutions(_ name: String) -> [Resolution] {
        reports.compactMap { kind in
            if case .resolved(let key, let resolution) = kind, key.name == name {
                resolution
            } else {
                nil
            }
        }
    }
}
