// Tests how the Makefile builds, and what `make install` installs, with a fake toolchain.
import LabSupport
import Testing

/// A checkout whose toolchain records its arguments, and copies a program instead of compiling one.
private struct FakeCheckout {
    let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        for name in ["Package.swift", "Sources/A.swift", "docs/README"] {
            try directory.write("", to: name)
        }
        let package = BuiltProducts.package
        for (source, target) in [
            ("Makefile", "."), ("packaging", "."), ("docs/peerlist.1", "docs"),
        ] {
            _ = try await FinishedProcess([
                "cp", "-R", "\(package)/\(source)", "\(directory.path)/\(target)",
            ])
        }
        for script in [
            "ensure-swift", "ensure-packages", "link-archives", "check-programs",
            "normalize-programs",
        ] {
            try await directory.writeProgram("exit 0", to: "Scripts/\(script)")
        }
        try await directory.writeProgram(
            """
            echo "$*" >>builds
            test ! -e broken || exit 7
            for name; do :; done
            mkdir -p .build/release
            cp /usr/bin/true ".build/release/$name"
            """, to: "bin/swift")
    }

    /// Runs make in the checkout, as another user if a command for that is given.
    func make(_ target: String, as user: [String] = []) async throws -> FinishedProcess {
        try await FinishedProcess(
            user + [
                "make", "--no-print-directory", "--directory", directory.path, target,
                "DESTDIR=\(directory.path)/root",
            ],
            environment: ["PATH": "\(directory.path)/bin:/usr/bin:/bin", "MAKEFLAGS": ""])
    }

    /// The number of builds of the command so far.
    func builds() async throws -> Int {
        let file = try await FinishedProcess(["cat", "\(directory.path)/builds"])
        return file.output.split(separator: "\n").filter { $0.hasSuffix("product peerlist") }.count
    }

    /// Whether the command is installed.
    func isInstalled() async throws -> Bool {
        let file = "\(directory.path)/root/usr/local/bin/peerlist"
        return try await FinishedProcess(["test", "-e", file]).status == 0
    }
}

@Suite struct BuildTests {
    @Test func `install builds only if the sources have changed since the last build`() async throws
    {
        let checkout = try await FakeCheckout()

        let first = try await checkout.make("install")
        #expect(first.status == 0, "\(first.errors)")
        #expect(try await checkout.isInstalled())
        #expect(try await checkout.builds() == 1)

        #expect(try await checkout.make("install").status == 0)
        #expect(try await checkout.builds() == 1)

        try checkout.directory.write("// Changed.\n", to: "Sources/A.swift")
        #expect(try await checkout.make("install").status == 0)
        #expect(try await checkout.builds() == 2)
        await checkout.directory.remove()
    }

    @Test func `run says before the first build what follows and how long it takes`() async throws {
        let checkout = try await FakeCheckout()
        let first = try await checkout.make("run")
        #expect(first.status == 0 && first.output.isEmpty)
        let lines = first.errors.split(separator: "\n")
        #expect(lines.first?.contains("builds the command and then starts it") == true)
        #expect(lines.dropFirst().first?.contains("takes about four minutes") == true)
        #expect(try await checkout.builds() == 1)
        let second = try await checkout.make("run")
        #expect(second.status == 0 && second.errors.isEmpty)
        await checkout.directory.remove()
    }

    @Test(.enabled(if: Lab.isRoot, "only root installs for all users"))
    func `root neither builds in another user's checkout nor installs an old program`() async throws
    {
        let checkout = try await FakeCheckout()
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        _ = try await FinishedProcess(["chown", "-R", "65534:65534", checkout.directory.path])

        let first = try await checkout.make("install")
        #expect(first.status == 2)
        #expect(first.errors.contains("is not built, or older than the sources; run 'make', then"))
        #expect(try await checkout.builds() == 0)

        #expect(try await checkout.make("build", as: nobody).status == 0)
        let source = "\(checkout.directory.path)/Sources/A.swift"
        _ = try await FinishedProcess(["touch", "--date=1 hour", source])
        #expect(try await checkout.make("install").status == 2)
        #expect(try await !checkout.isInstalled())

        _ = try await FinishedProcess(["touch", "--date=1 hour ago", source])
        let last = try await checkout.make("install")
        #expect(last.status == 0, "\(last.errors)")
        #expect(try await checkout.isInstalled())
        #expect(try await checkout.builds() == 1)
        await checkout.directory.remove()
    }

    @Test func `the programs are linked for every machine, whichever builds them`() async throws {
        let checkout = try await FakeCheckout()
        #expect(try await checkout.make("build").status == 0)
        let builds = try await FinishedProcess(["cat", "\(checkout.directory.path)/builds"]).output
        let archives = "-L\(checkout.directory.path)/.build/archives"
        for option in ["--disable-local-rpath", "-z -Xlinker now", "-static-libgcc", archives] {
            #expect(builds.split(separator: "\n").allSatisfy { $0.contains(option) }, "\(builds)")
        }
        await checkout.directory.remove()
    }

    @Test func `the archives of this machine are linked`() async throws {
        let folder = try TemporaryDirectory()
        let finished = try await FinishedProcess([
            "\(BuiltProducts.package)/Scripts/link-archives", "\(folder.path)/archives",
        ])
        #expect(finished.status == 0, "\(finished.errors)")
        let names = try await FinishedProcess(["ls", "\(folder.path)/archives"]).output
        for name in ["libavahi-core.a", "libexpat.a", "libncursesw.a", "libstdc++.a"] {
            #expect(names.contains(name), "\(names)")
        }
        await folder.remove()
    }

    @Test func `a program that needs more than an old glibc is not portable`() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("int main(void) { return 0; }\n", to: "main.c")
        for (options, complaint) in [
            ("", ""),
            ("-Wl,--no-as-needed -lz", "needs libraries that a system may not have: libz.so.1"),
            ("-Wl,-z,pack-relative-relocs", "needs glibc ABI_DT_RELR"),
        ] {
            let finished = try await FinishedProcess([
                "bash", "-c",
                """
                cd '\(folder.path)' && clang -fuse-ld=lld -Wl,-z,now -o program main.c \(options) || exit 99
                exec '\(BuiltProducts.package)/Scripts/check-programs' --portable program
                """,
            ])
            let lines = complaint.isEmpty ? "" : "check-programs: program \(complaint)\n"
            #expect(finished.status == (lines.isEmpty ? 0 : 1), "\(finished.errors)")
            #expect(finished.errors == lines)
        }
        await folder.remove()
    }

    @Test func `a program that loads libraries beside itself, or binds late, is refused`()
        async throws
    {
        let folder = try TemporaryDirectory()
        try folder.write("int main(void) { return 0; }\n", to: "main.c")
        for (options, complaint) in [
            ("-Wl,-z,now", ""),
            ("-Wl,-z,now -Wl,-rpath,'$ORIGIN'", "searches libraries in $ORIGIN"),
            (
                "-Wl,-z,now -Wl,--disable-new-dtags -Wl,-rpath,/lib:'$ORIGIN'",
                "searches libraries in /lib:$ORIGIN"
            ),
            ("-Wl,-z,now ./part.so", "loads the library ./part.so by its path"),
            ("-Wl,-z,lazy", "binds calls while it runs"),
        ] {
            let finished = try await FinishedProcess([
                "bash", "-c",
                """
                cd '\(folder.path)' && echo 'int part;' >part.c && gcc -shared -fPIC -o part.so part.c &&
                    gcc -Wl,--no-as-needed -o program main.c \(options) || exit 99
                exec '\(BuiltProducts.package)/Scripts/check-programs' program
                """,
            ])
            let lines = complaint.isEmpty ? "" : "check-programs: program \(complaint)"
            #expect(finished.status == (lines.isEmpty ? 0 : 1), "\(finished.errors)")
            #expect(finished.errors.hasPrefix(lines), "\(finished.errors)")
        }
        await folder.remove()
    }

    @Test func `only the first build is announced, and a failed one is not taken for a build`()
        async throws
    {
        let checkout = try await FakeCheckout()
        let announcement = "peerlist: building; the first time"

        try checkout.directory.write("", to: "broken")
        let failed = try await checkout.make("run")
        #expect(failed.status == 2 && failed.output.isEmpty)
        #expect(failed.errors.contains(announcement))

        _ = try await FinishedProcess(["rm", "\(checkout.directory.path)/broken"])
        #expect(try await checkout.make("install").status == 0)
        #expect(try await checkout.builds() == 2)
        let second = try await checkout.make("run")
        #expect(second.status == 0 && second.errors.isEmpty)
        await checkout.directory.remove()
    }

    @Test func `a Debian package is built only if its build dependencies are there`() async throws {
        let checkout = try await FakeCheckout()
        try await checkout.directory.writeProgram("exit 1", to: "bin/dpkg-checkbuilddeps")

        let finished = try await checkout.make("deb")

        #expect(finished.status == 2)
        #expect(try await checkout.builds() == 0)
        await checkout.directory.remove()
    }
}
