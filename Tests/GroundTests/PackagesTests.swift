// Tests Scripts/ensure-packages, with fake package tools.
import LabSupport
import Testing

/// A machine whose apt only records its arguments.
private struct FakeMachine {
    let directory: TemporaryDirectory

    init(installed: [String] = [], knowsPackages: Bool = true) async throws {
        directory = try TemporaryDirectory()
        try directory.write(installed.map { "\($0) installed\n" }.joined(), to: "installed")
        if knowsPackages { try directory.write("", to: "lists") }
        try await tool("dpkg-query", "cat \(directory.path)/installed")
        try await tool("apt-cache", "test -e \(directory.path)/lists")
        try await tool(
            "apt-get",
            """
            echo "$*" >>\(directory.path)/asked
            case $1 in
                update) touch \(directory.path)/lists ;;
                install) test -e \(directory.path)/lists || exit 100
                    \(directory.path)/policy; echo "services: $?" >>\(directory.path)/asked ;;
            esac
            """)
        for name in ["bash", "cat", "chmod", "env", "grep", "rm", "sh", "touch"] {
            try await tool(name, "exec /usr/bin/\(name) \"$@\"")
        }
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
                "PATH": "\(directory.path)/bin", "POLICY_RC_D": "\(directory.path)/policy",
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
        "libavahi-client-dev", "libavahi-core-dev", "libmosquitto-dev", "libncurses-dev",
        "libnl-route-3-dev", "libseccomp-dev", "libunistring-dev", "pkg-config", "uuid-dev",
        "zlib1g-dev",
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
        #expect(try await machine.has("policy") == false)
        await machine.directory.remove()
    }

    @Test func `an existing policy about services is not changed`() async throws {
        let machine = try await FakeMachine()
        try await machine.directory.writeProgram("exit 104", to: "policy")

        #expect(try await machine.ensurePackages("test").status == 0)

        #expect(try await machine.asked().last == "services: 104")
        #expect(try await machine.has("policy"))
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
