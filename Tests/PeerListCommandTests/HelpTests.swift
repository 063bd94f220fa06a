// The help, the manual page and the completions, which are generated from the option table.
@testable import PeerLedger
import Foundation
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerText
import TerminalList
import Testing

@testable import PeerListCommand
@testable import PeerScreen

@Suite struct HelpTests {
    private func file(_ name: CommandName, _ end: String = "") -> String {
        (name == .list ? "help" : "help-\(name.rawValue)") + end + ".txt"
    }

    @Test(arguments: CommandName.allCases)
    func `the help is the committed text and fits 80 columns`(name: CommandName) throws {
        let (help, all) = (HelpText.text(of: name), HelpText.text(of: name, isAll: true))
        try expectCommitted(help, file(name))
        if all != help { try expectCommitted(all, file(name, "-all")) }
        for line in (help + all).split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.count <= 80, "\(line)")
            #expect(!line.hasSuffix(" "), "\(line)")
        }
    }

    @Test(arguments: CommandName.allCases)
    func `'--help all' contains every option and operand`(name: CommandName) {
        let help = HelpText.text(of: name, isAll: true)
        for row in name.command.rows {
            let lead =
                row.short == nil ? "      \(row.title)" : "  \(row.forms.joined(separator: ", "))"
            #expect(help.contains("\n\(lead)"), "\(row.title)")
        }
        for operand in name.command.operands { #expect(help.contains(" \(operand.name)")) }
    }

    @Test func `the help of the list fits on a screen of 50 lines, with a dozen options`() {
        let help = HelpText.text(of: .list)
        #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 50)
        #expect(Command.list.rows.count { $0.brief != nil } == 14)
        #expect(help.contains("Examples:") && help.contains("'peerlist --help all'"))
    }

    @Test(arguments: CommandName.named)
    func `the help of a command counts the options that it shares with the list`(name: CommandName)
        throws
    {
        let help = HelpText.text(of: name)
        let shared = name.command.sharedRows
        #expect(help.contains("As in 'peerlist': ") == !shared.isEmpty)
        if !shared.isEmpty {
            #expect(help.contains(" and \(shared.count - 3) more; see '--help all'\n"))
        }
        for row in name.command.rows where !shared.contains(where: { $0.title == row.title }) {
            #expect(help.contains(row.forms.joined(separator: ", ")))
        }
    }

    @Test func `the help of the list contains every command`() {
        let help = HelpText.text(of: .list)
        for name in CommandName.named {
            #expect(help.contains("       \(name.title) "))
            #expect(help.contains(name.command.summary))
        }
    }

    @Test(arguments: CommandName.allCases)
    func `options of a command have distinct forms and refer to others and operands by titles`(
        name: CommandName
    ) {
        let rows = name.command.rows
        let forms = rows.flatMap(\.forms)
        #expect(Set(forms).count == forms.count)
        for relation in rows.flatMap({ $0.conflicts + [$0.requirement].compactMap(\.self) }) {
            let titles = rows.map(\.title) + name.command.operands.map(\.title)
            #expect(titles.contains(relation.title), "\(relation.title)")
        }
    }

    /// Error messages quote the examples.
    @Test(arguments: CommandName.allCases)
    func `the example of every option is accepted`(name: CommandName) throws {
        let rows = name.command.rows
        func words(_ row: OptionRow) -> [String] {
            [row.title] + (row.argument.map { $0.isOptional ? [] : [$0.example] } ?? [])
        }
        for row in rows where row.argument != nil {
            var titles = [row.title]
            while let needed = rows.first(where: { $0.title == titles.last })?.requirement {
                titles.append(needed.title)
            }
            let needed = rows.filter {
                $0.title != row.title && ($0.isRequired || titles.contains($0.title))
            }
            let line =
                (name == .list ? [] : [name.rawValue]) + (needed + [row]).flatMap(words)
            // An optional operand, such as a recording, excludes the options of browsing.
            let operands = name.command.operands
            let isFine = [operands, operands.filter { !$0.name.hasPrefix("[") }].contains { given in
                (try? Invocation(line + given.map(\.example), interfaces: .two)) != nil
            }
            #expect(isFine, "\(line)")
        }
    }
}

extension NetworkInterfaces {
    /// A machine with two interfaces.
    static let two = NetworkInterfaces(
        exists: { ["lo", "eth0"].contains($0) }, names: { ["lo", "eth0"] })
}

extension Invocation {
    /// Parses the words after the program's name on a machine with some interfaces.
    init(_ words: [String], interfaces: NetworkInterfaces) throws(UsageError) {
        self = try NetworkInterfaces.$current.withValue(interfaces) {
            Result { () throws(UsageError) in try Invocation(words) }
        }.get()
    }
}

@Suite struct ManualPageTests {
    private let file = BuiltProducts.package + "/docs/peerlist.1"

    /// With `PEERLIST_RECORD_SCREENS=1` in the environment the file is written instead.
    @Test func `the manual page is the committed one`() throws {
        if ProcessInfo.processInfo.environment["PEERLIST_RECORD_SCREENS"] == "1" {
            try Data(ManualPage.text.utf8).write(to: URL(filePath: file))
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == ManualPage.text)
    }

    @Test func `the manual page contains every option, key and command`() {
        let page = ManualPage.text
        for row in CommandName.allCases.flatMap(\.command.rows) {
            let forms = row.forms.map(Roff.bold).joined(separator: ", ")
            #expect(page.contains("\n\(forms)"), "\(row.title)")
        }
        for binding in ListKeys.all {
            #expect(page.contains(Roff.text("(\(binding.name ?? "?"))")))
        }
        for command in CommandName.named {
            #expect(page.contains(".SH \(command.title.uppercased())\n"))
        }
    }

    @Test func `no line of text is read as a request`() {
        let commands: Set = ["TH", "SH", "SS", "TP", "PP", "EX", "EE", "br", "BR"]
        for line in ManualPage.text.split(separator: "\n") where line.hasPrefix(".") {
            #expect(commands.contains(String(line.dropFirst().prefix { $0.isLetter })), "\(line)")
        }
        #expect(!ManualPage.text.contains("\n'"))
        #expect(Roff.line(".TH a\\b") == "\\&.TH a\\eb")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
    func `groff accepts the manual page without warnings`() async throws {
        let words = ["groff", "-man", "-Tutf8", "-ww", "-rCHECKSTYLE=3", "-z", file]
        let finished = try await FinishedProcess(words)
        #expect(finished.status == 0)
        #expect(finished.errors.isEmpty, "\(finished.errors)")
    }
}

@Suite(.timeLimit(.minutes(10))) struct CompletionsTests {
    private static let bash = obstacle(.bash)
    private static let zsh = obstacle(.zsh) ?? ShellWindow.obstacle
    private static let fish = obstacle(.fish)

    private static func obstacle(_ shell: Shell) -> String? {
        let isInstalled = ["/usr/bin", "/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
        }
        return isInstalled ? nil : "\(shell) is not installed"
    }

    /// Words after `peerlist`, and the only completion of the last one.
    private static let cases: [([String], String)] = [
        (["--th"], "--theme"), (["--theme", "b"], "bright"), (["--sort=add"], "address"),
        (["-t", "sftp"], "sftp-ssh"), (["-t", "http,sftp"], "http,sftp-ssh"),
        (["-o", "lines"], "lines.jsonl"), (["--backend", "d"], "daemon"), (["doc"], "doctor"),
        (["announce", "--su"], "--subtype"), (["announce", "-n", "Web", "-t", "sftp"], "sftp-ssh"),
        (["replay", "--at", "8", "lines"], "lines.jsonl"), (["diff", "lines"], "lines.jsonl"),
        (["replay", "night"], "night.pcapng.gz"), (["pick", "--print", "ta"], "target"),
        (["report", "-o", "r", "a", "b", "lines"], "lines.jsonl"),
        (["config", "--ch"], "--check"), (["completions", "z"], "zsh"),
        (["-i", "l"], "lo"), (["--kind", "med"], "media-player"),
        (["--kind", "tv,med"], "tv,media-player"),
    ]

    /// Labels that a shell would take apart, or run.
    private static let labels = [
        "Anna's \"TV\": a=b", "Kitchen $(touch run) `touch run`; touch run *", "Living room",
    ]

    /// Starts a shell that knows the completions, with the prompt READY.
    private func start(
        _ shell: Shell, in window: ShellWindow, _ directory: TemporaryDirectory
    ) async throws {
        let variables = environment(directory).map { "\($0)='\($1)'" }.joined(separator: " ")
        let (options, setting) =
            switch shell {
            case .bash: ("--norc --noprofile", "source ./_peerlist; PS1='READY '")
            case .zsh:
                (
                    "-f",
                    "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; PS1='READY '"
                )
            case .fish:
                ("--no-config", "source ./_peerlist; function fish_prompt; echo 'READY '; end")
            }
        try await window.run(
            "cd \(directory.path); exec env \(variables) \(shell) \(options) -i")
        try await window.run("\(setting); clear")
        try await window.wait { lastLine($0) == "READY" }
    }

    /// The environment in which `peerlist` is found, and its ledger is in a directory.
    private func environment(_ directory: TemporaryDirectory) -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let products = URL(filePath: BuiltProducts.peerlist).deletingLastPathComponent().path
        return [
            "PATH": "\(products):\(path)", "XDG_STATE_HOME": directory.path, "LC_ALL": "C.UTF-8",
        ]
    }

    /// Writes the completions, a ledger of labelled devices and a file to complete into a new directory.
    private func directory(_ shell: Shell) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try LedgerFile(environment: environment(directory)).change { ledger in
            for (item, label) in zip(House.devices().flatMap(\.items), Self.labels) {
                ledger.note(item.id, LedgerDevice(item.peer, until: House.time(300)))
                _ = ledger.setLabel(label, of: item.id)
            }
        }
        try directory.write(shell.completions, to: "_peerlist")
        for name in ["lines.jsonl", "night.pcapng.gz"] { try directory.write("", to: name) }
        return directory
    }

    @Test(
        .enabled(if: bash == nil, "\(bash ?? "")"), arguments: CompletionsTests.cases)
    func `bash completes options, values and operands`(
        words: [String], completion: String
    ) async throws {
        #expect(try await proposals(in: .bash, words) == [completion])
    }

    @Test(
        .enabled(if: fish == nil, "\(fish ?? "")"), arguments: CompletionsTests.cases)
    func `fish completes options, values and operands`(
        words: [String], completion: String
    ) async throws {
        let proposals = try await proposals(in: .fish, words)
        #expect(
            proposals == [
                words[words.count - 1].hasPrefix("--sort=") ? "--sort=\(completion)" : completion
            ])
    }

    @Test(.enabled(if: bash == nil, "\(bash ?? "")"), arguments: CommandName.allCases)
    func `bash proposes all options of a command and no others`(name: CommandName) async throws {
        let proposals = try await proposals(in: .bash, words(of: name) + ["-"])
        #expect(Set(proposals) == Set(name.command.rows.flatMap(\.forms)))
    }

    @Test(.enabled(if: fish == nil, "\(fish ?? "")"), arguments: CommandName.allCases)
    func `fish proposes all options of a command and no others`(name: CommandName) async throws {
        let proposals = try await proposals(in: .fish, words(of: name) + ["--"])
        #expect(Set(proposals) == Set(name.command.rows.compactMap(\.long)))
    }

    @Test(.enabled(if: bash == nil, "\(bash ?? "")"))
    func `bash proposes commands and the values of an enumeration`() async throws {
        let commands = Set(CommandName.named.map(\.rawValue) + ["help"])
        #expect(try await Set(proposals(in: .bash, [""])) == commands)
        #expect(
            try await Set(proposals(in: .bash, ["--sort="])) == [
                "name", "address", "seen", "type", "kind",
            ])
        #expect(try await proposals(in: .bash, ["--timeout", ""]).isEmpty)
    }

    @Test(.enabled(if: fish == nil, "\(fish ?? "")"))
    func `fish proposes commands and the values of an enumeration`() async throws {
        let commands = Set(CommandName.named.map(\.rawValue) + ["help"])
        #expect(try await Set(proposals(in: .fish, [""])) == commands)
        #expect(
            try await Set(proposals(in: .fish, ["--sort", ""])) == [
                "name", "address", "seen", "type", "kind",
            ])
    }

    @Test(.enabled(if: zsh == nil, "\(zsh ?? "")"))
    func `zsh completes options, values and operands`() async throws {
        let directory = try directory(.zsh)
        let window = try await ShellWindow(columns: 100, rows: 50)
        try await start(.zsh, in: window, directory)
        for (words, completion) in Self.cases {
            let line = (["peerlist"] + words).joined(separator: " ")
            let start = line.dropLast(words.last?.count ?? 0)
            let lead = words.last?.hasPrefix("--sort=") == true ? "--sort=" : ""
            // The letter after Tab shows that Tab has been handled.
            try await window.press(line, "Tab", "x")
            try await window.wait { screen in
                let shown = lastLine(screen)
                return shown.hasPrefix("READY \(start)\(lead)\(completion)") && shown.hasSuffix("x")
            }
            try await window.press("C-c")
            try await window.wait { lastLine($0) == "READY" }
        }
        try await window.press("peerlist announce --", "Tab")
        let screen = try await window.wait { $0.contains("--txt") }
        for long in CommandName.announce.command.rows.compactMap(\.long) {
            #expect(screen.contains(long))
        }
        #expect(!screen.contains("--once"))
        await window.close()
        await directory.remove()
    }

    @Test(
        .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"),
        arguments: Shell.allCases.filter { obstacle($0) == nil })
    func `a label is completed as one word, and nothing of it is run`(shell: Shell) async throws {
        let directory = try directory(shell)
        let window = try await ShellWindow(columns: 120)
        try await start(shell, in: window, directory)
        for (index, label) in Self.labels.enumerated() {
            let open = index == 2 ? "\"" : ""
            try await window.press("peerlist label \(open)\(label.prefix(3))", "Tab")
            // The space after a word that is complete shows that Tab has been handled.
            try await window.press("new\(index)", "Enter")
            try await window.wait { $0.contains("is now new\(index)") }
        }
        let ledger = try LedgerFile(environment: environment(directory)).read().ledger
        #expect(Set(ledger.devices.values.compactMap(\.label)) == ["new0", "new1", "new2"])
        #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/run"))
        await window.close()
        await directory.remove()
    }

    /// Returns the answer to a shell, without help.
    private func answer(_ words: String...) -> [Substring] {
        Completion(words).answer.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    }

    @Test func `a value is completed after a space, an equals sign and a comma`() {
        let orders: [Substring] = ["name", "address", "seen", "type", "kind"]
        #expect(answer("--sort", "ad") == ["words"] + orders)
        #expect(answer("--sort=ad") == ["words"] + orders.map { "--sort=\($0)" })
        #expect(answer("--sort", "=", "ad") == ["words"] + orders)
        #expect(answer("--bogus", "x", "--sort", "") == ["words"] + orders)
        #expect(answer("--kind=tv,n").contains("--kind=tv,nas"))
        #expect(answer("-a", "").count == 1)
        #expect(answer("--timeout", "") == ["words"])
    }

    @Test func `an operand is completed as what it is`() {
        #expect(answer("replay", "--at", "8", "") == ["files", "*.[jp][sc][oa][np]*"])
        #expect(answer("report", "a", "b", "") == ["files", "*.[jp][sc][oa][np]*"])
        #expect(answer("-o", "") == ["files", "*"])
        #expect(answer("diff", "a", "b", "") == ["words"])
        #expect(answer("completions", "") == ["words", "bash", "zsh", "fish"])
        #expect(answer("help", "").dropFirst() == CommandName.named.map { $0.rawValue[...] }[...])
        #expect(answer("help", "pick", "") == ["words"])
        #expect(answer("label", "57c66a50", "") == ["words"])
        NetworkInterfaces.$current.withValue(.two) {
            #expect(answer("-i", "") == ["words", "lo", "eth0"])
        }
        #expect(Completion([]).answer == Completion([""]).answer)
    }

    @Test func `devices are proposed by label, without names that hide something`() async throws {
        let directory = try TemporaryDirectory()
        let labels = ["Living room", "a\u{202e}b", "-rf"]
        try LedgerFile(environment: environment(directory)).change { ledger in
            for (item, label) in zip(House.devices().flatMap(\.items), labels) {
                ledger.note(item.id, LedgerDevice(item.peer, until: House.time(300)))
                _ = ledger.setLabel(label, of: item.id)
            }
        }
        for words in [["label", ""], ["devices", "--forget", ""], ["pick", ""]] {
            let proposed = try await FinishedProcess(
                [BuiltProducts.peerlist, "__complete"] + words, environment: environment(directory)
            ).output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
            #expect(proposed.contains("Living room"))
            // The others by their identifiers, which are not searched for.
            let ids = proposed.filter { UUID(uuidString: String($0)) != nil }
            #expect(ids.count == (words == ["pick", ""] ? 0 : 2))
            #expect(proposed.count == 2 + ids.count)
            #expect(proposed.allSatisfy { !$0.hasPrefix("-") && !$0.contains("\u{202e}") })
        }
        // Without a ledger, or with one that is damaged, there are no devices, no message and no new file.
        try directory.write("{", to: "peerlist/devices.json")
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        let damaged = try await FinishedProcess(
            [BuiltProducts.peerlist, "__complete", "label", ""],
            environment: environment(directory))
        #expect(damaged.status == 0 && damaged.output == "words" && damaged.errors.isEmpty)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: directory.path) == files)
        await directory.remove()
    }

    private func lastLine(_ screen: String) -> Substring {
        let line = screen.split(separator: "\n").last ?? ""
        return line.prefix(
            1
                + (line.lastIndex { $0 != " " }.map { line.distance(from: line.startIndex, to: $0) }
                    ?? -1))
    }

    private func words(of name: CommandName) -> [String] { name == .list ? [] : [name.rawValue] }

    /// Returns the completions of the last of the words after `peerlist`.
    private func proposals(in shell: Shell, _ words: [String]) async throws -> [String] {
        let directory = try directory(shell)
        let script: String
        if shell == .bash {
            // Readline splits words at an equals sign.
            let parts = (["peerlist"] + words).flatMap { word -> [String] in
                guard let sign = word.firstIndex(of: "=") else { return [word] }
                let value = String(word[sign...].dropFirst())
                return [String(word[..<sign]), "="] + (value.isEmpty ? [] : [value])
            }
            let array = parts.map { "'\($0)'" }.joined(separator: " ")
            script = """
                source ./_peerlist; COMP_WORDS=(\(array)); COMP_CWORD=\(parts.count - 1); _peerlist
                ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
                """
        } else {
            let line = (["peerlist"] + words).joined(separator: " ")
            script = "source ./_peerlist; complete -C '\(line)' | string replace -r '\\t.*' ''"
        }
        let flags = shell == .fish ? ["--no-config"] : ["--norc"]
        let finished = try await FinishedProcess(
            ["sh", "-c", "cd \"$0\" && exec \"$@\"", directory.path, shell.rawValue] + flags
                + ["-c", script],
            environment: environment(directory).merging(["TERM": "dumb"]) { $1 })
        await directory.remove()
        #expect(finished.errors.isEmpty)
        return finished.output.split(separator: "\n").map(String.init)
    }
}
