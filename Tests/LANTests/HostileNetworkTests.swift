// Tests attacks: the list keeps running, small and responsive, and reports its limits.
import LabSupport
import Testing

/// Attacks both backends at the same time, each on a LAN of its own. Two suites for each backend have one attack after
/// the other, because attacks need much of the processors' time.
@Suite(.needsLab, .timeLimit(.minutes(10))) struct HostileNetworkTests {
    @Suite(.serialized) struct DaemonTests {
        @Test(arguments: attacks)
        func `hostile packets leave a list running, small and correct`(attack: Attack) async throws
        {
            try await checkSurvival(of: attack, backend: "daemon")
        }
    }

    @Suite(.serialized) struct EmbeddedTests {
        @Test(arguments: attacks)
        func `hostile packets leave a list running, small and correct`(attack: Attack) async throws
        {
            try await checkSurvival(of: attack, backend: "embedded")
        }
    }

    @Suite(.serialized) struct DaemonMemoryTests {
        @Test(arguments: memoryAttacks)
        func `packets that fill memory do not make the list grow`(attack: Attack) async throws {
            try await checkMemory(under: attack, backend: "daemon")
        }

        @Test func `malformed packets harm nothing, and the list responds to keys`() async throws {
            try await checkKeys(backend: "daemon")
        }
    }

    @Suite(.serialized) struct EmbeddedMemoryTests {
        @Test(arguments: memoryAttacks)
        func `packets that fill memory make neither the list nor its helper grow`(
            attack: Attack
        ) async throws {
            try await checkMemory(under: attack, backend: "embedded")
        }

        @Test func `malformed packets harm nothing, and the list responds to keys`() async throws {
            try await checkKeys(backend: "embedded")
        }
    }

    /// An attack, and the condition on which the list has received it.
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let act: [String]
        /// The code of a notice that is required.
        var notice: String?
        /// A service that must be listed at the end.
        var survivor: String?
        let hasCome: @Sendable (FoldedList) -> Bool
    }

    private static func has(_ service: String) -> @Sendable (FoldedList) -> Bool {
        { list in
            list.items.contains { item in
                item["services"].array.contains {
                    $0["name"].string == service && $0["port"].integer > 0
                }
            }
        }
    }

    static let attacks: [Attack] = [
        Attack(
            testDescription: "packets that are none", act: ["malformed", "3"], survivor: "well",
            hasCome: has("well")),
        Attack(
            testDescription: "TXT records of up to 60,000 bytes", act: ["text", "60000"],
            survivor: "small", hasCome: { has("large")($0) && has("empty")($0) }),
        Attack(
            testDescription: "a host with 300 addresses", act: ["addresses", "300"],
            survivor: "many-homes",
            hasCome: { list in list.items.contains { $0["addresses"].array.count == 64 } }),
        Attack(
            testDescription: "a type in each packet", act: ["types", "900"],
            notice: "service-limit", hasCome: { $0.notices.contains("service-limit") }),
        Attack(
            testDescription: "four hundred hosts that claim one identifier",
            act: ["claims", "400"],
            notice: "identity-conflict", hasCome: { $0.items.count > 300 }),
        Attack(
            testDescription: "names that nobody answers for", act: ["silent", "300"],
            hasCome: { $0.items.count > 40 }),
        Attack(
            testDescription: "a name that changes all the while", act: ["renames", "60"],
            hasCome: { $0.operations.count > 200 }),
        Attack(
            testDescription: "an identifier that changes all the while", act: ["identities", "20"],
            hasCome: { $0.operations.contains("identity delete") }),
    ]

    /// Attacks that fill memory; the number of packets that arrive depends on the machine.
    ///
    /// A sanitizer reserves so much memory that its programs cannot be limited.
    static let memoryAttacks = [
        Attack(
            testDescription: "TXT records of 8,700 bytes", act: ["texts", "3000"],
            hasCome: { $0.operations.count > 10 }),
        Attack(
            testDescription: "TXT records of 2,700 attributes each", act: ["crumbs", "3000"],
            hasCome: { $0.operations.count > 10 }),
    ].filter { _ in !BuiltProducts.areSanitized }

    private static func checkSurvival(of attack: Attack, backend: String) async throws {
        try await Lab.with { lab in
            let observer = try await observer(lab, of: attack, backend: backend)
            if let survivor = attack.survivor {
                try await observer.list(within: .seconds(60), where: has(survivor))
            }
            if let notice = attack.notice {
                #expect(await observer.list.notices.contains(notice))
            }

            // It still handles announcements of others, and equals a fresh list.
            let honest = try await lab.publish("Honest", "_ssh._tcp", 22, on: "h1")
            try await observer.list(within: .seconds(60), where: has("Honest"))
            // The address sanitizer keeps memory that was freed, up to 256 MiB in each process.
            if !BuiltProducts.areSanitized {
                #expect(try await observer.greatestMemory() < 200)
            }
            try await lab.perform("kill", "h1", "stranger")
            try await agreesOnHonest(observer, lab, backend: backend)
            #expect(try await observer.interrupt() == 130)
            await honest.send(15)
        }
    }

    /// A helper that runs out of memory ends, and another replaces it, so all of them are measured
    /// until the attack ends.
    private static func checkMemory(under attack: Attack, backend: String) async throws {
        try await Lab.with { lab in
            let observer = try await observer(lab, of: attack, backend: backend)
            let end = ContinuousClock.now + .seconds(120)
            var hasSpoken = false
            while !hasSpoken {
                try #require(ContinuousClock.now < end, "the stranger goes on for too long")
                hasSpoken = try await lab.strangerHasSpoken(on: "h1")
                let most = try await observer.greatestMemory()
                try #require(most < 200, "\(most) MiB")
            }
            #expect(try await observer.interrupt() == 130)
        }
    }

    /// Starts a list, and waits until an attack has reached it.
    private static func observer(
        _ lab: Lab, of attack: Attack, backend: String
    ) async throws -> ListObserver {
        if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
        let observer = try ListObserver(lab, on: "h2", "--backend", backend)
        try await observer.list(within: .seconds(60)) { $0.begin != .null }
        try await lab.startStranger(on: "h1", attack.act)
        try await observer.list(within: .seconds(120), where: attack.hasCome)
        return observer
    }

    /// Waits until a fresh list has the same record of the honest machine.
    private static func agreesOnHonest(
        _ observer: ListObserver, _ lab: Lab, backend: String
    ) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while true {
            // On a slow machine the records of the attack's hosts have expired: a fresh list
            // then queries all of them in vain before it is complete.
            let list = try await lab.freshList(on: "h2", backend: backend, seconds: 100)
            let fresh = honestPeer(in: list)
            try await observer.catchUp()
            let shown = honestPeer(in: await observer.list)
            if fresh != .null, fresh == shown { return }
            guard ContinuousClock.now < end else {
                throw Disagreement(description: "shown: \(shown)\nfresh: \(fresh)")
            }
        }
    }

    private static func honestPeer(in list: FoldedList) -> JSON {
        list.withoutObserver.flatMap(\.items).first { $0["host"].string == "h1.local" } ?? .null
    }

    private static func checkKeys(backend: String) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            let command = "LC_ALL=C.UTF-8 '\(BuiltProducts.peerlist)' --backend \(backend)"
            let terminal = try await Tmux(in: lab, on: "h2", columns: 120, running: command)
            try await terminal.screen(within: .seconds(60)) { $0.contains("0 peers") }
            try await lab.startStranger(on: "h1", ["malformed", "20"])
            for _ in 0..<5 {
                try await terminal.type("?")
                try await terminal.screen(within: .seconds(10)) { $0.contains("search") }
                try await terminal.type("Escape")
                try await terminal.screen(within: .seconds(10)) { !$0.contains("search") }
            }
            try await terminal.screen(within: .seconds(60)) { $0.contains("stranger") }
            #expect(try await !terminal.screen().contains("went away"))
            try await terminal.type("q")
        }
    }
}
