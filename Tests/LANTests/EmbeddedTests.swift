// Tests the list without a daemon: the same list, from an unprivileged helper process.
import Glibc
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct EmbeddedTests {
    @Test func `the embedded stack's list equals the daemon's`() async throws {
        try await Lab.with(hosts: 3) { lab in
            _ = try await lab.publish(
                "Web", "_http._tcp", 80, on: "h1", txt: "a=1", "b", "a=2", "c=")
            _ = try await lab.publish("Ein Küchen.Drucker\\", "_ipp._tcp", 631, on: "h1")
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h3", txt: "ü=ß")
            var lists: [[FoldedList.Section]] = []
            for backend in ["daemon", "embedded"] {
                let observer = try ListObserver(lab, on: "h2", "--backend", backend)
                let list = try await observer.list(within: .seconds(60)) { list in
                    list.items.count == 2
                        && list.items.allSatisfy { $0["addresses"].array.count == 2 }
                        && list.peer(on: "h1.local")?["services"].array.count == 2
                }
                #expect(list.begin["backend"].string == backend)
                lists.append(list.withoutObserver)
                #expect(try await observer.interrupt() == 130)
            }
            #expect(lists[0] == lists[1])
        }
    }

    @Test func `another machine with the host name of this one is not marked as this machine`()
        async throws
    {
        try await Lab.with { lab in
            try await lab.perform("daemon", "h2", "stop")
            try await lab.startLoad(on: "h1", "--host-name", "h2")
            let observer = try ListObserver(lab, on: "h2", "--backend", "embedded")
            let peer = try await observer.peer(on: "h2.local") {
                $0["addresses"].array.count == 2
            }
            #expect(peer["self"] == .bool(false))
        }
    }

    @Test func `the embedded stack reports changes and departures`() async throws {
        try await Lab.with { lab in
            try await lab.perform("daemon", "h2", "stop")
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h1", txt: "rev=1")
            let observer = try ListObserver(lab, on: "h2")
            try await observer.peer(on: "h1.local", within: .seconds(60))

            try lab.publishFile("web", named: "Web", "_http._tcp", 81, on: "h1", txt: "rev=2")
            try await observer.peer(on: "h1.local", within: .seconds(60)) {
                $0["services"].array.first?["txt"]["rev"] == .string("2")
                    && $0["services"].array.first?["port"].integer == 81
            }
            try await lab.perform("daemon", "h1", "stop")
            try await observer.list(within: .seconds(60)) { $0.items.isEmpty }
        }
    }

    @Test(arguments: [SIGKILL, SIGSEGV])
    func `a helper that crashes is reported and restarted`(signal: Int32) async throws {
        try await Lab.with { lab in
            try await lab.perform("daemon", "h2", "stop")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let observer = try ListObserver(lab, on: "h2", "--backend", "embedded")
            let before = try await observer.peer(on: "h1.local") {
                $0["addresses"].array.count == 2
            }
            for count in 1...2 {
                #expect(kill(try await HelperOfList(observer.pid).pid, signal) == 0)
                try await observer.list(within: .seconds(60)) { list in
                    list.notices.filter { $0 == "backend-lost" }.count == count
                        && list.items.allSatisfy { $0["presence"].string == "unknown" }
                }
                let after = try await observer.peer(on: "h1.local") {
                    $0["addresses"].array.count == 2
                }
                #expect(after["services"] == before["services"])
            }
            #expect(await observer.list.notices.contains("backend-back"))
            #expect(await !observer.list.operations.contains { $0.hasSuffix(" delete") })
        }
    }

    @Test
    func `the helper runs as nobody and cannot open files, start programs or gain privileges`()
        async throws
    {
        try await Lab.with(hosts: 1) { lab in
            let observer = try ListObserver(lab, on: "h1", "--backend", "embedded")
            try await observer.list(within: .seconds(60)) { $0.begin != .null }
            let helper = try await HelperOfList(observer.pid).pid
            let status = try TextFile.read("/proc/\(helper)/status")
            for line in ["Uid:\t65534\t65534\t65534\t65534", "NoNewPrivs:\t1", "Seccomp:\t2"] {
                #expect(status.contains(line), "\(status)")
            }
            let limits = try TextFile.read("/proc/\(helper)/limits")
            for limit in ["core file size", "file size", "processes"] {
                let line = limits.split(separator: "\n").first { $0.hasPrefix("Max \(limit)") }
                let soft = line?.dropFirst(26).split(separator: " ").first
                #expect(soft == "0", "\(limits)")
            }
        }
    }

    @Test func `the helper has no capabilities, even if a change of user would keep them`()
        async throws
    {
        try await Lab.with(hosts: 1) { lab in
            // A service manager can give such capabilities to an ordinary user.
            let list = try lab.start(
                "h1",
                [
                    "setpriv", "--securebits=+no_setuid_fixup", BuiltProducts.peerlist, "--json",
                    "--backend", "embedded",
                ])
            try await list.line(within: .seconds(60)) { $0.contains(#""type":"begin""#) }
            let helper = try await HelperOfList(list.pid).pid
            let status = try TextFile.read("/proc/\(helper)/status")
            for set in ["Inh", "Prm", "Eff", "Amb"] {
                #expect(status.contains("Cap\(set):\t0000000000000000\n"), "\(status)")
            }
        }
    }

    @Test func `the helper ends with its list, however that ends`() async throws {
        try await Lab.with(hosts: 1) { lab in
            for signal in [SIGINT, SIGKILL] {
                let observer = try ListObserver(lab, on: "h1", "--backend", "embedded")
                try await observer.list(within: .seconds(60)) { $0.begin != .null }
                let helper = try await HelperOfList(observer.pid)
                kill(observer.pid, signal)
                try await helper.end(within: .seconds(60))
            }
        }
    }

    @Test func `a list without --announce publishes nothing, not even a host name`() async throws {
        try await Lab.with { lab in
            // Caches have no records of the daemon that ran before.
            try await lab.perform("daemon", "h2", "stop")
            try await lab.perform("daemon", "h1", "restart")
            let observer = try ListObserver(lab, on: "h2", "--backend", "embedded")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            try await observer.peer(on: "h1.local")
            let resolved = try await lab.run("h1", ["avahi-resolve", "--name", "h2.local"])
            #expect(resolved.output.isEmpty)
            #expect(resolved.errors.contains("Timeout"), "\(resolved.errors)")
        }
    }

    @Test
    func `the list works in a container with only the two programs, their libraries and proc`()
        async throws
    {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            try await lab.perform("daemon", "h2", "stop")
            try await lab.perform("bus", "h2", "stop")
            let root = lab.directory.path + "/root"
            let programs = [BuiltProducts.peerlist, BuiltProducts.path("peerlist-mdns")]
            let script = """
                mkdir -p "$1/bin" "$1/proc" && cp "$2" "$3" "$1/bin/" &&
                ldd "$2" "$3" | grep -o '/[^ ]*' | grep -v ':$' | sort -u |
                while read -r file; do cp --parents --dereference "$file" "$1"; done
                """
            let made = try await FinishedProcess(
                ["sh", "-c", script, "sh", root] + programs, within: .seconds(60))
            #expect(made.status == 0, "\(made.errors)")

            let enter = "mount --bind /proc \"$1/proc\" && exec chroot \"$1\" /bin/peerlist --json"
            let list = try lab.start(
                "h2", ["unshare", "--mount", "env", "-i", "/bin/sh", "-c", enter, "sh", root])
            let begin = try await list.line(within: .seconds(60)) { $0.contains(#""run""#) }
            #expect(!begin.contains("00000000-0000"), "random also where there is no /dev")
            try await list.line(within: .seconds(60)) { $0.contains(#""host":"h1.local""#) }
        }
    }

    @Test func `with neither a daemon nor the helper, the error names both`() async throws {
        try await Lab.with(hosts: 1) { lab in
            try await lab.perform("daemon", "h1", "stop")
            let alone = lab.directory.path + "/peerlist"
            _ = try await FinishedProcess(["cp", BuiltProducts.peerlist, alone])
            for (choice, names) in [
                ("auto", ["avahi-daemon", "peerlist-mdns"]), ("daemon", ["avahi-daemon"]),
                ("embedded", ["peerlist-mdns"]),
            ] {
                let end = try await lab.run("h1", [alone, "--once", "--backend", choice])
                #expect(end.status == 3)
                for name in names { #expect(end.errors.contains(name), "\(end.errors)") }
            }
        }
    }
}
