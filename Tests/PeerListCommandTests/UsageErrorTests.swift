// Errors of the command line say what is wrong and what to write instead.
import Testing

@testable import PeerListCommand

@Suite struct UsageErrorTests {
    /// Returns the error of a command line.
    private func message(_ words: [String]) -> String? {
        do {
            _ = try Invocation(words, interfaces: .two)
            return nil
        } catch {
            return error.description
        }
    }

    /// Each case is a command line and what is printed, in `Screens/errors.txt`.
    @Test func `each wrong command line has an error that says what to do`() throws {
        let errors = wrongLines.map { words in
            let shown = words.map { $0.isEmpty || $0.contains(" ") ? "'\($0)'" : $0 }
            return
                "$ peerlist \(shown.joined(separator: " "))\npeerlist: \(message(words) ?? "fine")\n"
        }
        try expectCommitted(errors.joined(separator: "\n"), "errors.txt")
    }

    @Test func `errors contain no control characters`() {
        for hostile in ["\u{1b}[2J", "a\nb", "\u{9b}31m", "\u{202e}txt", "\u{2028}", "\u{7f}"] {
            for words in [
                [hostile], ["-t", hostile], ["-t", "a.\(hostile)"], ["-i", hostile],
                ["--\(hostile)"], ["-d", hostile],
                ["--sort", hostile], ["announce", "-n", hostile],
                announcing("--txt", hostile + "="), announcing("--subtype", hostile),
                ["-1", "--timeout", hostile], ["-\(hostile)"],
            ] {
                let text = message(words)
                #expect(text != nil, "\(words)")
                #expect(
                    text?.unicodeScalars.contains {
                        $0.properties.generalCategory == .control
                            || $0.properties.generalCategory == .format || $0.value == 0x2028
                    } == false, "\(words)")
            }
        }
    }

    @Test func `an error cuts a long value`() {
        let text = message(["--sort", String(repeating: "x", count: 100_000)])
        #expect((text?.count ?? .max) < 300)
    }
}

private let wrongLines: [[String]] = [
    ["-t", "bogus"], ["-t", "htp"], ["-t", ""], ["-t", "ssh,"], ["-t", "_ssh"], ["-t", "ssh._tcp"],
    ["-t", "ssh.tcp"],
    ["-t", "_ssh._tcp.local"], ["-t", "_a._tcp"], ["-t", "_._tcp"],
    ["-t", "_sixteen-letters-._tcp"], ["-t", "_-a._tcp"], ["-t", "_a b._tcp"],
    ["-t", "_42._udp"], ["-t", "_ssh._sctp"], ["-t", "_x._y._ssh._tcp"], ["-t"], ["-t", "-j"],
    ["--jsn"], ["--bogus"], ["-x"], ["--json=yes"], ["-j=1"], ["ssh"], ["help"], ["-a", "bob"],
    ["--", "x"], ["-"],
    ["--group-by", "devices"], ["--sort", "age"], ["-i", "eth9"], ["-i", "eth0", "-i", "lo"],
    ["-4", "-6"],
    ["-d", "a..b"], ["-d", "."], ["-p", "-j"], ["-o", ""], ["-o", "-"], ["-o", "a", "-o", "b"],
    ["--rotate", "daily"], ["--keep=3"], ["--sync", "line"],
    ["-o", "a", "--sync", "lines"], ["-o", "a", "--sync", "always"],
    ["--timeout", "5"], ["--no-header"], ["-1j", "--no-header"], ["types", "-j", "--no-header"],
    ["-1", "--timeout", "0"], ["-1", "--timeout", "-5"], ["-1", "--timeout", "5s"],
    ["-1", "--timeout", "86401"], ["-1", "--timeout", "1e3"],
    ["-1", "--timeout"], ["--announce="], ["--announce=\(String(repeating: "é", count: 32))"],
    ["dif", "a", "b"], ["-j", "diff", "a", "b"], ["diff"], ["diff", "a"], ["diff", "a", "b", "c"],
    ["diff", "-", "-"],
    ["diff", "--bogus", "a", "b"], ["diff", "--plain", "a", "b"],
    ["diff", "--at", "noon", "a", "b"], ["diff", "--at", "2026-11-21T8:30", "a", "b"],
    ["diff", "a", "b", "--at"],
    ["reply", "a"], ["-j", "replay", "a"], ["replay"], ["replay", "a", "b"], ["replay", "-x", "a"],
    ["replay", "--speed", "fast", "a"], ["replay", "--speed", "-1", "a"],
    ["replay", "--speed", "1.2.3", "a"], ["replay", "--speed", "1e9", "a"],
    ["replay", "--speed", "1000001", "a"], ["replay", "--speed", "0.0000000000001", "a"],
    ["replay", "--speed"], ["replay", "-p", "-j", "a"],
    ["replay", "-f", "--at", "2026-11-21", "a"], ["replay", "--at", "noon", "a"],
    ["announce"], ["announce", "-n", "Web", "-t", "http"], ["announce", "--port", "80"],
    announcing("--name", ""), announcing("-n", "Other"),
    announcing("-n", String(repeating: "é", count: 32)), announcing("-t", "bogus"),
    announcing("-t", "_printer._sub._http._tcp"), announcing("--port", "0"),
    announcing("--port", "65536"), announcing("--port", "+80"), announcing("--txt", "=1"),
    announcing("--txt", "é=1"), announcing("--txt", "a=" + String(repeating: "x", count: 254)),
    announcing("--txt", "a=1", "--txt", "A"), announcing("--subtype", "a.b"),
    announcing("--subtype", ""), announcing("--subtype", "_x._sub._ipp._tcp"),
    announcing("-4", "-6"), announcing("-i", "eth9"), announcing("--once"), announcing("Web"),
    announcing(
        (0..<40).flatMap { ["--txt", "k\($0)=" + String(repeating: "x", count: 250)] }),
    announcing((0..<32).flatMap { ["--subtype", "kind\($0)"] }),
    ["types", "--once"], ["types", "ssh"], ["types", "-4", "-6"], ["types", "--timeout", "0"],
    ["-j", "types"], ["doctor", "h2"], ["doctor", "--timeout", "0"], ["doctor", "--config", ""],
    ["doctor", "--config"], ["docter"], ["doctor", "--bogus"],
    ["config"], ["config", "--print", "a"], ["config", "--print", "--check"],
    ["completions"], ["completions", "csh"], ["completions", "bahs"],
    ["completions", "bash", "zsh"],
]

/// Returns a complete announcement, followed by the words.
private func announcing(_ words: String...) -> [String] { announcing(words) }

private func announcing(_ words: [String]) -> [String] {
    let isNamed = words.contains("-n") || words.contains("--name")
    let right = (isNamed && words != ["-n", "Other"] ? [] : ["-n", "Web"])
    let typed = words.contains("-t") ? [] : ["-t", "http"]
    return ["announce"] + right + typed + (words.contains("--port") ? [] : ["--port", "80"]) + words
}
