// Tests of installing, of the version, and of the release notes; Scripts/check-package tests the Debian package.
import LabSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PackagingTests {
    private let make = [
        "make", "--no-print-directory", "--directory", BuiltProducts.package,
        "binary=\(BuiltProducts.peerlist)", "helper=\(BuiltProducts.path("peerlist-mdns"))",
        // Nothing has changed since the build.
        "sources=/dev/null", "built=/dev/null",
    ]

    @Test(arguments: ["/usr/local", "/usr", "/opt/h1"])
    func `uninstall removes what install installs`(prefix: String) async throws {
        let root = try TemporaryDirectory()
        // A slash at the end makes no difference.
        let place = ["DESTDIR=\(root.path)", "PREFIX=\(prefix)/"]
        let installed = try await FinishedProcess(make + ["install"] + place)
        #expect(installed.status == 0, "\(installed.errors)")

        let files = try await files(in: root)
        let ofSystem = [
            "/etc/logrotate.d/peerlist", "\(prefix)/lib/sysusers.d/peerlist.conf",
            "\(prefix)/lib/systemd/system/peerlist-record.service",
            "\(prefix)/lib/systemd/system/peerlist-publish@.service",
        ]
        let expected = [
            "bin/peerlist", "libexec/peerlist/peerlist-mdns", "share/man/man1/peerlist.1",
            "share/peerlist/logrotate-user.conf", "share/systemd/user/peerlist-record.service",
            "share/systemd/user/peerlist-rotate.service",
            "share/systemd/user/peerlist-rotate.timer",
            "share/bash-completion/completions/peerlist", "share/zsh/site-functions/_peerlist",
            "share/fish/vendor_completions.d/peerlist.fish",
        ].map { "\(prefix)/\($0)" }
        let isOfSystem = prefix != "/opt/h1"
        #expect(Set(files) == Set(expected + (isOfSystem ? ofSystem : [])))
        for file in files where file.hasSuffix(".service") || file.hasSuffix(".timer") {
            let unit = try TextFile.read(root.path + file)
            #expect(!unit.contains("@PREFIX@"), "\(file)")
            let isOfList = !file.contains("peerlist-rotate")
            #expect(!isOfList || unit.contains("=\(prefix)/bin/peerlist "))
        }
        let manual = try TextFile.read(root.path + "\(prefix)/share/man/man1/peerlist.1")
        #expect(manual.hasPrefix(".TH PEERLIST 1 \"20"), "the manual page has a date")
        let version = try await FinishedProcess([root.path + "\(prefix)/bin/peerlist", "--version"])
        #expect(version.output.hasPrefix("peerlist "))

        let uninstalled = try await FinishedProcess(make + ["uninstall"] + place)
        #expect(uninstalled.status == 0, "\(uninstalled.errors)")
        #expect(try await self.files(in: root) == [])
        let directories = try await FinishedProcess([
            "find", root.path, "-mindepth", "1", "-name", "*peerlist*",
        ])
        #expect(directories.output.isEmpty)
        await root.remove()
    }

    @Test func `the libraries in the programs need no glibc newer than 2.35`() async throws {
        let folder = try TemporaryDirectory()
        let script = #"""
            cd "$1"
            "$2"/Scripts/link-archives archives
            nm --undefined-only --format=just-symbols archives/*.a >needed 2>notes
            objdump --dynamic-syms "$(clang -print-file-name=libc.so.6)" |
                sed -En 's/.*GLIBC_2\.(3[6-9]|[4-9][0-9])\)? +//p' | sort --unique >newer
            for program in "$3" "$4"; do
                nm --defined-only --format=just-symbols "$program" | sort >own
                # Only std::random_device needs arc4random, and no program has that.
                sort --unique needed | comm -12 - newer | comm -23 - own | grep -v '^arc4random$' || :
            done
            wc --lines <newer
            """#
        let found = try await FinishedProcess([
            "sh", "-euc", script, "sh", folder.path, BuiltProducts.package, BuiltProducts.peerlist,
            BuiltProducts.path("peerlist-mdns"),
        ])
        // The last line is the number of functions that newer ones have.
        let lines = found.output.split(separator: "\n")
        #expect(found.status == 0 && lines.count == 1, "\(found.output)\(found.errors)")
        #expect(Int(lines.last ?? "") ?? 0 > 0)
        await folder.remove()
    }

    @Test(arguments: [
        ([], true), (["PREFIX=/usr"], true), (["PREFIX=/opt/h1"], false),
        (["DESTDIR=/srv/h1"], false),
    ])
    func `install creates the user of the service where the system has it`(
        place: [String], isCreated: Bool
    ) async throws {
        let commands = try await FinishedProcess(make + ["--dry-run", "install"] + place)
        #expect(commands.status == 0, "\(commands.errors)")
        #expect(commands.output.contains("systemd-sysusers ") == isCreated)
        #expect(commands.output.contains("install -s") && commands.errors.isEmpty)
    }

    /// Returns the paths of all files, without that of the directory.
    private func files(in root: TemporaryDirectory) async throws -> [String] {
        let found = try await FinishedProcess(["find", root.path, "!", "-type", "d"])
        return found.output.split(separator: "\n").map { String($0.dropFirst(root.path.count)) }
    }

    @Test func `the version is that of the command, and without a release older than it`()
        async throws
    {
        let script = BuiltProducts.package + "/Scripts/version"
        let version = try await FinishedProcess([script]).output
        let command = try await FinishedProcess([BuiltProducts.peerlist, "--version"])
        #expect(command.output == "peerlist " + version)
        let changelog = try TextFile.read(BuiltProducts.package + "/CHANGELOG.md")
        let debian = try await FinishedProcess([script, "--debian"]).output
        let isReleased = changelog.contains("\n## [\(version)]")
        #expect(isReleased ? debian == version : debian.hasPrefix(version + "~git"))
    }

    @Test func `the release notes are the section of the version`() async throws {
        let changelog = """
            # Changelog

            ## [Unreleased]

            ## [0.2.0] - 2026-12-01

            ### Added

            - Two.

            ## [0.1.0] - 2026-11-01

            - One.

            """
        let directory = try TemporaryDirectory()
        let file = try directory.write(changelog, to: "CHANGELOG.md")
        let script = BuiltProducts.package + "/Scripts/release-notes"
        let second = try await FinishedProcess([script, "0.2.0", file])
        #expect(second.output == "# peerlist 0.2.0\n\n### Added\n\n- Two.")
        let tag = try await FinishedProcess([script, "v0.2.0", file])
        #expect(tag.output == second.output)
        let first = try await FinishedProcess([script, "0.1.0", file])
        #expect(first.output == "# peerlist 0.1.0\n\n- One.")
        // Neither `0.1` nor `0.2x0` is a version with a section, and nothing is unreleased.
        for missing in ["0.1", "0.2x0", "Unreleased"] {
            let none = try await FinishedProcess([script, missing, file])
            #expect(none.status == 1 && none.errors.contains("no changes of version \(missing)"))
        }
        let present = try await FinishedProcess([script])
        #expect(present.output.hasPrefix("# peerlist "))
        await directory.remove()
    }
}
