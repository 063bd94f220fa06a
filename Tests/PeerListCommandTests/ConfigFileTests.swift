// The path of the file of settings, and errors of reading it.
import Glibc
import LabSupport
import Testing

@testable import PeerListCommand

@Suite struct ConfigFileTests {
    private func file(_ variables: [String: String]) -> ConfigFile? {
        ConfigFile { variables[$0] }
    }

    @Test func `the file is in the directory of settings, shown with a tilde`() {
        let usual = file(["HOME": "/u/me"])
        #expect(usual?.path == "/u/me/.config/peerlist/config")
        #expect(usual?.shownPath == "~/.config/peerlist/config")
        let chosen = file(["HOME": "/u/me", "XDG_CONFIG_HOME": "/u/me/etc"])
        #expect(chosen?.shownPath == "~/etc/peerlist/config")
        let outside = file(["HOME": "/u/me", "XDG_CONFIG_HOME": "/u/meandyou"])
        #expect(outside?.shownPath == "/u/meandyou/peerlist/config")
    }

    @Test(arguments: ["", "etc"])
    func `a directory of settings that is not absolute is ignored`(folder: String) {
        let file = file(["HOME": "/u/me", "XDG_CONFIG_HOME": folder])
        #expect(file?.path == "/u/me/.config/peerlist/config")
        #expect(self.file(["XDG_CONFIG_HOME": folder]) == nil)
    }

    @Test func `a missing file sets nothing`() async throws {
        let directory = try TemporaryDirectory()
        for name in ["none", "none/config"] {
            #expect(
                try Config(ConfigFile(path: "\(directory.path)/\(name)")) == Config())
        }
        await directory.remove()
    }

    @Test func `a file that cannot be read is an error`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(String(repeating: "#", count: ConfigFile.sizeLimit + 1), to: "big")
        try directory.write(String(repeating: "#", count: ConfigFile.sizeLimit), to: "full")
        #expect(unsafe mkfifo("\(directory.path)/pipe", 0o600) == 0)
        for (name, reason) in [
            ("", "not a regular file"), ("pipe", "not a regular file"), ("big", "more than 64 KiB"),
        ] {
            let file = ConfigFile(path: "\(directory.path)/\(name)")
            let error = #expect(throws: UsageError.self) { try Config(file) }
            #expect(error?.description.hasPrefix("\(file.path) cannot be read: ") == true)
            #expect(error?.description.contains(reason) == true)
        }
        #expect(try Config(ConfigFile(path: "\(directory.path)/full")) == Config())
        await directory.remove()
    }

    @Test func `the command prints the settings and checks a file`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let environment = ["XDG_CONFIG_HOME": directory.path, "HOME": "/u/me"]
        func run(_ words: String...) async throws -> FinishedProcess {
            try await FinishedProcess(
                [BuiltProducts.peerlist, "config"] + words, environment: environment)
        }
        let printed = try await run("--print")
        #expect(printed.output + "\n" == ConfigRun.defaults)
        let none = try await run("--check")
        #expect(none.status == 0 && none.output.hasPrefix("There is no "))

        try directory.write(printed.output, to: "peerlist/config")
        let good = try await run("--check")
        #expect(good.status == 0 && good.output.contains("has no errors"))

        try directory.write("[keys]\nsearch = xy\n", to: "peerlist/config")
        let path = "\(directory.path)/peerlist/config"
        for finished in [try await run("--check"), try await run("--check", path)] {
            #expect(finished.status == 2)
            #expect(finished.errors.hasPrefix("peerlist: \(path):2:10: 'xy' is not a key; "))
            #expect(finished.errors.hasSuffix("see 'peerlist config --print'\n"))
        }
        let missing = try await run("--check", "\(directory.path)/none")
        #expect(missing.status == 2 && missing.errors.contains("there is no file"))
        await directory.remove()
    }
}
