// Shell completions, computed by bash, zsh and fish themselves.
import Foundation
import LabSupport
import Testing

@testable import PeerListCommand

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
        (["config", "--ch"], "--check"), (["completions", "z"], "zsh"),
        (["-i", "l"], "lo"),
    ]

    /// Writes the completions and a file to complete into a new directory.
    private func directory(_ shell: Shell) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try directory.write(shell.completions, to: "_peerlist")
        try directory.write("", to: "lines.jsonl")
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
        let commands = Set(CommandName.named.map(\.rawValue))
        #expect(try await Set(proposals(in: .bash, [""])) == commands)
        #expect(try await Set(proposals(in: .bash, ["--sort="])) == ["name", "address", "seen"])
        #expect(try await proposals(in: .bash, ["--timeout", ""]).isEmpty)
    }

    @Test(.enabled(if: fish == nil, "\(fish ?? "")"))
    func `fish proposes commands and the values of an enumeration`() async throws {
        let commands = Set(CommandName.named.map(\.rawValue))
        #expect(try await Set(proposals(in: .fish, [""])) == commands)
        #expect(
            try await Set(proposals(in: .fish, ["--sort", ""])) == ["name", "address", "seen"])
    }

    @Test(.enabled(if: zsh == nil, "\(zsh ?? "")"))
    func `zsh completes options, values and operands`() async throws {
        let directory = try directory(.zsh)
        let window = try await ShellWindow(columns: 100, rows: 50)
        try await window.run("cd \(directory.path); exec zsh -f -i")
        try await window.run(
            "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; PS1='READY '; clear")
        try await window.wait { lastLine($0) == "READY" }
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
                + ["-c", script], environment: ["TERM": "dumb", "LC_ALL": "C.UTF-8"])
        await directory.remove()
        #expect(finished.errors.isEmpty)
        return finished.output.split(separator: "\n").map(String.init)
    }
}
