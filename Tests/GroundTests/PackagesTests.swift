// Tests Scripts/ensure-packages, with fake package tools.
import LabSupport
import Testing

/// A machine whose apt records its arguments, and enables the services of all packages.
private struct FakeMachine {
    let directory: TemporaryDirectory

    /// Makes a machine; if an installation is to fail, it does so after services were enabled.
    init(
        installed: [String] = [], knowsPackages: Bool = true, installationFails: Bool = false
    ) async throws {
        directory = try TemporaryDirectory()
        try directory.write(installed.map { "\($0) installed\n" }.joined(), to: "installed")
        if knowsPackages { try directory.write("", to: "lists") }
        let directories = ["usr/sbin", "etc/rc2.d"] + wants.map { "etc/systemd/system/\($0)" }
        for name in directories { try directory.write("", to: "root/\(name)/README") }
        try await tool("dpkg-query", "cat \(directory.path)/installed")
        try await tool("apt-cache", "test -e \(directory.path)/lists")
        try await tool("systemctl", "echo \"systemctl $*\" >>\(directory.path)/asked")
        try await tool(
            "apt-get",
            """
            echo "$*" >>\(directory.path)/asked
            case $1 in
                update) touch \(directory.path)/lists ;;
                install) test -e \(directory.path)/lists || exit 100
                    \(directory.path)/\(policy); echo "services: $?" >>\(directory.path)/asked
                    cd \(directory.path)/root/etc
                    enable() { ln -sf "/lib/systemd/system/${1##*/}" "systemd/system/$1"; }
                    enable multi-user.target.wants/cron.service
                    enable multi-user.target.wants/mosquitto.service
                    enable multi-user.target.wants/ssh.service
                    enable sockets.target.wants/uuidd.socket
                    enable sshd.service
                    for name in cron mosquitto ssh; do
                        ln -sf "../init.d/$name" "rc2.d/S01$name"
                    done
                    \(installationFails ? "exit 100" : "") ;;
            esac
            """)
        let names = [
            "bash", "cat", "chmod", "comm", "env", "find", "grep", "ln", "mv", "paste", "rm", "sed",
            "sh", "sort", "touch",
        ]
        for name in names { try await tool(name, "exec /usr/bin/\(name) \"$@\"") }
    }

    private let wants = ["multi-user.target.wants", "sockets.target.wants"]
    let policy = "root/usr/sbin/policy-rc.d"

    /// Enables cron, as a machine on which it was before.
    func enableCron() async throws {
        let link = "multi-user.target.wants/cron.service"
        _ = try await FinishedProcess([
            "ln", "-s", "/lib/systemd/system/cron.service",
            "\(directory.path)/root/etc/systemd/system/\(link)",
        ])
        _ = try await FinishedProcess([
            "ln", "-s", "../init.d/cron", "\(directory.path)/root/etc/rc2.d/S01cron",
        ])
    }

    /// The links below `/etc`, in order.
    func links() async throws -> [String] {
        let root = "\(directory.path)/root/etc"
        let found = try await FinishedProcess(["find", root, "-type", "l", "-printf", "%P\n"])
        return found.output.split(separator: "\n").map(String.init).sorted()
    }

    private func tool(_ name: String, _ script: String) async throws {
        try await directory.writeProgram(script, to: "bin/\(name)")
    }

    /// Runs Scripts/ensure-packages on this machine.
    func ensurePackages(
        _ purposes: String..., as user: [String] = []
    ) async throws -> FinishedProcess {
        // A copy, because another user may not have access to the folder of the package.
        let script = "\(directory.path)/ensure-packages"
        let original = "\(BuiltProducts.package)/Scripts/ensure-packages"
        _ = try await FinishedProcess(["cp", original, script])
        return try await FinishedProcess(
            user + ["/bin/bash", script] + purposes,
            environment: [
                "PATH": "\(directory.path)/bin", "PEERLIST_ROOT": "\(directory.path)/root",
            ])
    }

    /// Returns the recorded calls of apt, in order.
    func asked() async throws -> [String] {
        let file = try await FinishedProcess(["cat", "\(directory.path)/asked"])
        return file.output.split(separator: "\n").map(String.init)
    }

    func has(_ name: String) async throws -> Bool {
        try await FinishedProcess(["test", "-e", "\(directory.path)/\(name)"]).status == 0
    }
}

@Suite(.enabled(if: Lab.isRoot, "only root installs packages")) struct PackagesTests {
    private let toBuild = [
        "libavahi-client-dev", "libavahi-core-dev", "libexpat1-dev", "libmosquitto-dev",
        "libncurses-dev", "libseccomp-dev", "libunistring-dev", "zlib1g-dev",
    ]

    @Test func `if all packages are installed, nothing is done`() async throws {
        let machine = try await FakeMachine(installed: toBuild)

        let finished = try await machine.ensurePackages("build")

        #expect(finished.status == 0)
        #expect(finished.errors.isEmpty)
        #expect(try await machine.asked().isEmpty)
        await machine.directory.remove()
    }

    @Test func `only missing packages are installed, without updating the package lists`()
        async throws
    {
        let machine = try await FakeMachine(installed: Array(toBuild.dropLast()))

        #expect(try await machine.ensurePackages("build").status == 0)

        let asked = try await machine.asked()
        #expect(asked.count == 2)
        #expect(asked.first?.hasPrefix("install --yes") == true)
        #expect(asked.first?.hasSuffix(" zlib1g-dev") == true)
        await machine.directory.remove()
    }

    @Test func `without package lists, these are updated first`() async throws {
        let machine = try await FakeMachine(knowsPackages: false)

        let finished = try await machine.ensurePackages("build", "test")

        #expect(finished.status == 0)
        #expect(finished.output.isEmpty, "standard output belongs to peerlist")
        let asked = try await machine.asked()
        #expect(asked.first?.hasPrefix("update") == true)
        #expect(asked.dropFirst().first?.contains("libavahi-client-dev") == true)
        #expect(asked.dropFirst().first?.contains("avahi-daemon") == true)
        await machine.directory.remove()
    }

    @Test func `services are prevented from starting, but only during the installation`()
        async throws
    {
        let machine = try await FakeMachine()

        #expect(try await machine.ensurePackages("test").status == 0)

        #expect(try await machine.asked().last == "services: 101")
        #expect(try await machine.has(machine.policy) == false)
        await machine.directory.remove()
    }

    @Test func `an existing policy about services is not changed`() async throws {
        let machine = try await FakeMachine()
        try await machine.directory.writeProgram("exit 104", to: machine.policy)

        #expect(try await machine.ensurePackages("test").status == 0)

        #expect(try await machine.asked().last == "services: 104")
        #expect(try await machine.has(machine.policy))
        await machine.directory.remove()
    }

    @Test(arguments: [false, true])
    func `services that an installation enables are disabled and named, even if it fails`(
        installationFails: Bool
    ) async throws {
        let machine = try await FakeMachine(installationFails: installationFails)
        try await machine.enableCron()

        let finished = try await machine.ensurePackages("test")

        #expect((finished.status != 0) == installationFails)
        #expect(finished.errors.contains("not enabled: mosquitto ssh uuidd.socket; to start"))
        #expect(
            try await machine.links() == [
                "rc2.d/K01mosquitto", "rc2.d/K01ssh", "rc2.d/S01cron",
                "systemd/system/multi-user.target.wants/cron.service",
            ])
        let asked = try await machine.asked()
        #expect(!asked.contains { $0.hasPrefix("systemctl") }, "systemd does not run")
        await machine.directory.remove()
    }

    @Test func `a running systemd learns which services are disabled`() async throws {
        let machine = try await FakeMachine()
        try machine.directory.write("", to: "root/run/systemd/system/README")

        #expect(try await machine.ensurePackages("test").status == 0)

        #expect(try await machine.asked().last == "systemctl daemon-reload")
        await machine.directory.remove()
    }

    @Test func `without root and sudo, the error has the command to run`() async throws {
        let machine = try await FakeMachine()
        _ = try await FinishedProcess(["chmod", "-R", "a+rX", machine.directory.path])
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

        let finished = try await machine.ensurePackages("build", as: nobody)

        #expect(finished.status == 1)
        #expect(finished.errors.contains("as root, run: apt-get install libavahi-client-dev"))
        #expect(try await machine.asked().isEmpty)
        await machine.directory.remove()
    }
}
