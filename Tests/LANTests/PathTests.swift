// Tests changing paths to a peer: few differences, without wrong intermediate states.
import LabSupport
import PeerModel
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct PathTests {
    /// Makes a change, waits until a fresh list is equal, and returns the states of the list.
    private func passage(
        of observer: ListObserver, in lab: Lab, backend: String = "daemon",
        until isDone: @Sendable (FoldedList) -> Bool = { _ in true },
        _ change: () async throws -> Void
    ) async throws -> [FoldedList] {
        let start = await observer.differenceCount
        try await change()
        try await observer.list(within: .seconds(60), where: isDone)
        try await observer.agrees(in: lab, on: "h2", backend: backend, peers: 2, since: .now())
        let passage = try await observer.passage(since: start)
        #expect(passage.detours == [])
        return passage
    }

    private func addresses(_ list: FoldedList?, of host: String) -> [String] {
        (list?.peer(on: host)?["addresses"].array ?? []).map(\.string)
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a changed address is one difference, and so is a removed one`(
        backend: String
    ) async throws {
        try await Lab.with(hosts: 3) { lab in
            let observer = try await ListObserver.settled(in: lab, backend)
            #expect(addresses(await observer.list, of: "h1.local") == ["10.99.0.1", "fd99::1"])

            let ipv4 = try await passage(of: observer, in: lab, backend: backend) {
                $0.peer(on: "h1.local")?["addresses"].array.map(\.string)
                    == ["10.99.0.77", "fd99::1"]
            } _: {
                try await lab.perform("address", "h1", "delete", "10.99.0.1/24")
                try await lab.perform("address", "h1", "add", "10.99.0.77/24")
            }
            #expect(ipv4.count == 2, "one difference")

            // The link-local address is announced if there is no other.
            let ipv6 = try await passage(of: observer, in: lab, backend: backend) {
                let known = $0.peer(on: "h1.local")?["addresses"].array.map(\.string) ?? []
                return known.count == 2 && known[1].hasPrefix("fe80::")
            } _: {
                try await lab.perform("address", "h1", "delete", "fd99::1/64")
            }
            #expect(ipv6.count == 2, "one difference")
            #expect(addresses(ipv6.last, of: "h1.local").last?.hasSuffix("%eth0") == true)
        }
    }

    @Test func `a peer gains and loses an interface in few differences, and does not depart`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            let observer = try await ListObserver.settled(in: lab, withEvidence: true)
            let hasBoth: @Sendable (FoldedList) -> Bool = {
                $0.peer(on: "h1.local")?["interfaces"].array.count == 2
                    && $0.peer(on: "h1.local")?["addresses"].array.count == 4
            }
            let more = try await passage(of: observer, in: lab, until: hasBoth) {
                try await lab.perform("add-interface", "h1", "1")
                try await lab.perform("add-interface", "h2", "1")
            }
            // One for the interface, and one for each address that is reported on it.
            #expect(more.count <= 4)
            #expect(addresses(more.last, of: "h1.local").count == 4)

            let less = try await passage(of: observer, in: lab) {
                !hasBoth($0) && $0.peer(on: "h1.local")?["interfaces"].array.count == 1
            } _: {
                try await lab.perform("remove-interface", "h2", "eth1")
            }
            #expect(less.count <= 4)
        }
    }

    /// Avahi reports IPv6 addresses over both families, IPv4 addresses over IPv4 only.
    @Test func `no peer departs when one address family is lost`() async throws {
        try await Lab.with(hosts: 3) { lab in
            let observer = try await ListObserver.settled(in: lab)
            let ipv4 = try await passage(of: observer, in: lab) {
                $0.peer(on: "h1.local")?["addresses"].array.count == 1
                    && $0.peer(on: "h3.local")?["addresses"].array.count == 1
            } _: {
                try await lab.perform("address", "h2", "delete", "10.99.0.2/24")
            }
            #expect(ipv4.count == 3, "an address of each of two")
            #expect(addresses(ipv4.last, of: "h1.local") == ["fd99::1"])
            let back = try await passage(of: observer, in: lab) {
                $0.peer(on: "h1.local")?["addresses"].array.count == 2
                    && $0.peer(on: "h3.local")?["addresses"].array.count == 2
            } _: {
                try await lab.perform("if-up", "h2")
            }
            #expect(back.count == 3)
            let switchIPv6 = "echo $0 >/proc/sys/net/ipv6/conf/eth0/disable_ipv6"
            let ipv6 = try await passage(of: observer, in: lab) {
                _ = try await lab.run("h2", ["sh", "-c", switchIPv6, "1"])
            }
            #expect(ipv6.count == 1)
            #expect(addresses(ipv6.last, of: "h1.local") == ["10.99.0.1", "fd99::1"])
        }
    }

    @Test func `a machine whose name is taken continues under the next one`() async throws {
        try await Lab.with(hosts: 3) { lab in
            let observer = try await ListObserver.settled(in: lab)
            let before = await observer.list.peer(on: "h1.local")
            let passage = try await passage(of: observer, in: lab) {
                $0.peer(on: "h1-2.local")?["presence"].string == "present"
                    && $0.peer(on: "h3.local") == nil
            } _: {
                try await lab.perform("conf", "h3", "server.host-name=h1")
            }
            let last = passage.last
            #expect(last?.peer(on: "h1.local")?["addresses"] == before?["addresses"])
            #expect(last?.peer(on: "h1.local")?["services"] == before?["services"])
            #expect(addresses(last, of: "h1-2.local") == ["10.99.0.3", "fd99::3"])
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a machine that changes its host name keeps its addresses`(
        backend: String
    ) async throws {
        try await Lab.with(hosts: 3) { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            try await lab.startLoad(on: "h1", "--host-name", "moved")
            let observer = try ListObserver(lab, on: "h2", "--backend", backend)
            let before = try await observer.peer(on: "moved.local") {
                $0["addresses"].array.count == 2
            }
            try await lab.startStranger(on: "h3", ["takes_along", "1"])
            let moved = try await observer.peer(on: "moved-2.local")
            #expect(moved["addresses"] == .array([.string("10.99.144.1")]))
            // A query of the list corrects what the stack has cached, with which a later list begins.
            for list in [observer, try ListObserver(lab, on: "h2", "--backend", backend)] {
                try await list.peer(on: "moved.local", within: .seconds(30)) {
                    $0["addresses"] == before["addresses"]
                }
            }
        }
    }

    /// Two machines have the same name when they are reconnected; each list marks its own.
    @Test func `this machine is still marked as itself after it had to change its host name`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h1")
            try lab.publishFile("print", named: "Printer", "_ipp._tcp", 631, on: "h3")
            try await lab.perform("cut", "h3")
            try await lab.perform("conf", "h3", "server.host-name=h1")
            let observers = [try ListObserver(lab, on: "h1"), try ListObserver(lab, on: "h3")]
            for observer in observers {
                let own = try await observer.peer(on: "h1.local")
                #expect(own["self"] == .bool(true))
            }

            try await lab.perform("heal", "h3")
            var names: [String] = []
            for (observer, address) in zip(observers, ["10.99.0.1", "10.99.0.3"]) {
                let list = try await observer.list(within: .seconds(60)) { list in
                    // Until the link is queried, a former name may still have addresses.
                    list.present.count == 2
                        && list.items.count { $0["self"] == .bool(true) } == 1
                        && list.peer(on: "h1-2.local")?["addresses"].array.count == 2
                        && list.peer(on: "h1.local")?["addresses"].array.count == 2
                }
                let own = list.items.filter { $0["self"] == .bool(true) }
                #expect(own.map { $0["addresses"].array[0].string } == [address])
                names += own.map { $0["host"].string }
            }
            #expect(Set(names) == ["h1.local", "h1-2.local"])
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a service that moves to another machine gets that machine's addresses`(
        backend: String
    ) async throws {
        try await Lab.with(hosts: 3) { lab in
            let observer = try await ListObserver.settled(in: lab, backend)
            let isMoved: @Sendable (FoldedList) -> Bool = { list in
                list.peer(on: "h1.local")?["services"].array.count == 1
                    && list.peer(on: "h3.local")?["services"].array.count == 2
            }
            let passage = try await passage(
                of: observer, in: lab, backend: backend, until: isMoved
            ) {
                try await lab.withdrawFile("web", on: "h1")
                try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h3", txt: "a=1")
            }
            // One difference moves it, or one removes it and another adds it.
            #expect(passage.count <= 3)
            #expect(addresses(passage.last, of: "h1.local") == ["10.99.0.1", "fd99::1"])
            #expect(addresses(passage.last, of: "h3.local") == ["10.99.0.3", "fd99::3"])
        }
    }

    @Test(arguments: [["--churn", "1", "--away", "0.4"], ["--edits", "4", "--reverse"]])
    func `a service back within a second and a reordered TXT record cause no difference`(
        load: [String]
    ) async throws {
        try await Lab.with { lab in
            let program = ["python3", BuiltProducts.package + "/Tests/Lab/load.py"]
            _ = try lab.start("h1", program + ["--services", "1", "--log", "/dev/stdout"] + load)
            let observer = try ListObserver(lab, on: "h2")
            try await observer.agrees(in: lab, on: "h2", peers: 1, since: .now())
            let start = await observer.differenceCount
            try await lab.rest(4)
            try await observer.agrees(in: lab, on: "h2", peers: 1, since: .now())
            #expect(try await observer.passage(since: start).count == 1)
        }
    }
}
