// Tests the selection of the backend, the hand-over between backends, and the announcement through them.
import PeerList
import TestSupport
import Testing

@Suite struct BackendSelectionTests {
    private func connections(_ script: EngineScript) -> [Bool] {
        script.others.compactMap { if case .connectDaemon(let waits) = $0 { waits } else { nil } }
    }

    private func helperStarts(_ script: EngineScript) -> Int {
        script.others.count { if case .startHelper = $0 { true } else { false } }
    }

    private func inquiries(_ script: EngineScript) -> Int {
        script.others.count { if case .inquireDaemon = $0 { true } else { false } }
    }

    private func result(_ script: EngineScript) -> Result<String, BackendError>? {
        script.others.lazy.compactMap { if case .started(let result) = $0 { result } else { nil } }
            .first
    }

    @Test func `a daemon that answers is used at once`() throws {
        let script = EngineScript(asking: .auto)
        script.send(.start)
        #expect(inquiries(script) == 1)
        script.send(.inquired(isSilent: false))
        #expect(connections(script) == [false])
        script.connect(.daemon)
        #expect(try result(script)?.get() == "me.local")
        #expect(script.reports == [.running(host: "me.local")])
        #expect(helperStarts(script) == 0)
    }

    @Test func `without a daemon the helper is used, and the daemon takes over when it is running`()
    {
        let script = EngineScript(asking: .auto)
        script.send(.start)
        script.send(.inquired(isSilent: false))
        script.send(.daemonRefused(.disconnected))
        #expect(helperStarts(script) == 1)
        script.connect(.helper, StackStatus(state: .connecting))
        #expect(result(script) == nil)
        script.change(.helper) { $0 = EngineScript.status }
        #expect(script.reports.last == .running(host: "me.local"))
        script.bring("Web", on: "h1.local")
        #expect(inquiries(script) == 2)
        script.send(.inquired(isSilent: false))
        #expect(connections(script) == [false, true])
        script.connect(.daemon, StackStatus(state: .registering, hostName: "me.local"))
        #expect(script.stacks[.daemon] != nil, "it has no host name yet")
        script.change(.daemon) { $0.state = .running }
        #expect(script.reports.contains(.handedOver(to: .daemon, host: "me.local")))
        #expect(script.stacks.keys.sorted { "\($0)" < "\($1)" } == [.current])
        #expect(script.otherTypes == ["_peerlist._tcp"])
        script.pass(.seconds(10))
        #expect(script.reports.contains(.caughtUp))
    }

    @Test func `the reasons of all backends are given when none can be used`() {
        let script = EngineScript(asking: .auto)
        script.send(.start)
        script.send(.inquired(isSilent: true))
        script.send(.helperRefused("there is no helper"))
        guard case .failure(let error)? = result(script) else {
            return #expect(Bool(false), "it has started")
        }
        #expect(error.description.hasPrefix("avahi-daemon does not answer; there is no helper. "))
        #expect(error.description.contains("systemctl start avahi-daemon"))
    }

    @Test func `a daemon that goes away is lost, and the helper is started after 1.5 s`() {
        let script = EngineScript(asking: .auto)
        script.send(.start)
        script.send(.inquired(isSilent: false))
        script.connect(.daemon)
        script.bring("Web", on: "h1.local")
        script.change { $0.state = .failed }
        #expect(script.open.isEmpty)
        #expect(script.stacks.isEmpty)
        script.pass(.milliseconds(1_499))
        #expect(helperStarts(script) == 0)
        script.pass(.milliseconds(1))
        #expect(helperStarts(script) == 1)
        script.connect(.helper)
        let served = script.reports.compactMap { kind -> Backend? in
            if case .backendChanged(let backend, _) = kind { backend } else { nil }
        }
        #expect(served == [.embedded])
    }

    @Test
    func `a helper that keeps crashing is started after 0.1, 0.2, 0.4 s and so on up to 10 s`() {
        #expect(
            waits(afterLives: Array(repeating: .zero, count: 10))
                == [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000])
    }

    /// Lets a helper crash after some times, and returns the milliseconds until it is started again.
    private func waits(afterLives lives: [Duration]) -> [Int] {
        let script = EngineScript(asking: .embedded)
        script.send(.start)
        script.connect(.helper)
        return lives.map { life in
            script.pass(life)
            script.change {
                $0.state = .failed
                $0.ending = "signal 11"
            }
            #expect(script.reports.last == .lost(reason: "the embedded stack ended (signal 11)"))
            let (crash, starts) = (script.now, helperStarts(script))
            while helperStarts(script) == starts { script.pass(.milliseconds(50)) }
            script.connect(.helper)
            return Int((script.now - crash) / .milliseconds(1))
        }
    }

    @Test func `a helper that lived for 30 s is started again at once`() {
        #expect(waits(afterLives: [.seconds(1), .seconds(1), .seconds(30)]) == [100, 200, 100])
    }

    @Test func `a helper that does not answer within 5 s is given up`() {
        let script = EngineScript(asking: .embedded)
        script.send(.start)
        script.connect(.helper, StackStatus(state: .connecting))
        script.pass(.seconds(5))
        guard case .failure(let error)? = result(script) else {
            return #expect(Bool(false), "it has started")
        }
        #expect(error.description == "the embedded stack does not answer")
    }

    @Test func `another host name of this machine is reported once it is settled`() {
        let script = EngineScript.running()
        script.change { ($0.hostName, $0.state) = ("me-2.local", .registering) }
        #expect(script.reports == [.running(host: "me.local")])
        script.change { $0.state = .running }
        script.change { _ in }
        #expect(script.reports == [.running(host: "me.local"), .running(host: "me-2.local")])
    }

    @Test func `a helper that could not be confined is reported once`() {
        let script = EngineScript(asking: .embedded)
        script.send(.start)
        for _ in 0..<3 {
            script.connect(
                .helper,
                StackStatus(state: .running, hostName: "me.local", warning: "it runs as root"))
            script.change { $0.state = .failed }
        }
        #expect(script.notices(.notConfined) == ["it runs as root"])
    }
}

@Suite struct AnnouncerTests {
    private var options: BrowseOptions {
        var options = BrowseOptions()
        options.announcement = Announcement(
            name: "Me", type: "_peerlist._tcp", port: 0, txt: [])
        return options
    }

    private func announcedName(_ script: EngineScript) -> String? {
        if case .publish(let announcement, _)? = script.open[.announcement] {
            announcement.name
        } else {
            nil
        }
    }

    @Test
    func `a name that is taken is withdrawn at once, and the next one is tried within 250 ms`() {
        let script = EngineScript.running(options)
        #expect(announcedName(script) == "Me")
        for next in ["Me #2", "Me (me)"] {
            script.send(.collision, of: .announcement)
            #expect(announcedName(script) == nil)
            script.pass(.milliseconds(250))
            #expect(announcedName(script) == next)
        }
        script.send(.established, of: .announcement)
        #expect(script.reports.contains(.announced(name: "Me (me)")))
        #expect(script.notices(.nameConflict).count == 2)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `two machines do not try their next names at the same time`(seed: UInt64) {
        let tries = [seed, seed + 100].map { seed in
            let script = EngineScript.running(options, random: SeededGenerator(seed: seed))
            script.send(.collision, of: .announcement)
            while announcedName(script) == nil { script.pass(.milliseconds(1)) }
            return script.now
        }
        #expect(tries[0] != tries[1])
    }

    @Test func `after a hundred names that were taken no further one is tried`() {
        let script = EngineScript.running(options)
        while announcedName(script) != nil {
            script.send(.collision, of: .announcement)
            script.pass(.seconds(6))
        }
        #expect(script.notices(.nameConflict).count == 99)
        #expect(script.notices(.announceFailed).count == 1)
    }

    @Test func `a stack that changes while the next name waits does not shorten the wait`() {
        let script = EngineScript.running(options)
        script.send(.collision, of: .announcement)
        script.change { $0.state = .registering }
        script.change { $0.state = .running }
        #expect(announcedName(script) == nil)
        script.change { $0.state = .registering }
        script.pass(.milliseconds(250))
        #expect(announcedName(script) == nil)
        script.change { $0.state = .running }
        #expect(announcedName(script) == "Me #2")
    }

    @Test func `the announcement is withdrawn while the host name is claimed again`() {
        let script = EngineScript.running(options)
        script.change { $0.state = .registering }
        #expect(announcedName(script) == nil)
        script.change { $0.state = .running }
        #expect(announcedName(script) == "Me")
    }

    @Test func `the former stack announces until the next one does, and says no goodbye`() {
        let script = EngineScript(options, asking: .auto)
        script.send(.start)
        script.send(.inquired(isSilent: true))
        script.connect(.helper)
        script.send(.established, of: .announcement)
        script.connect(.daemon)
        #expect(script.open[.formerAnnouncement] != nil && script.open[.announcement] != nil)
        #expect(script.stacks[.former] != nil)
        script.send(.established, of: .announcement)
        #expect(script.open[.formerAnnouncement] == nil && script.stacks[.former] == nil)
        #expect(script.others.contains { if case .abandonFormer = $0 { true } else { false } })
    }

    @Test func `the former stack says goodbye if the next one does not announce in time`() {
        let script = EngineScript(options, asking: .auto)
        script.send(.start)
        script.send(.inquired(isSilent: true))
        script.connect(.helper)
        script.send(.established, of: .announcement)
        script.connect(.daemon)
        script.pass(.milliseconds(4_999))
        #expect(script.open[.formerAnnouncement] != nil)
        script.pass(.milliseconds(1))
        #expect(script.open[.formerAnnouncement] == nil && script.stacks[.former] == nil)
        #expect(!script.others.contains { if case .abandonFormer = $0 { true } else { false } })
    }
}
