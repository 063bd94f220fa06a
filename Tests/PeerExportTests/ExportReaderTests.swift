// Has the programs for which exports are written read them, with hostile names.
import Foundation
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import TestSupport
import Testing

@testable import PeerExport
@testable import PeerText

@Suite(.timeLimit(.minutes(10))) struct ExportReaderTests {
    /// Runs a test with a directory, and expects that no text of a stranger was run as a command in it.
    private func inDirectory(_ test: (TemporaryDirectory) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        try await test(directory)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/pwned"))
        await directory.remove()
    }

    /// Returns the export of devices without a filter.
    private func export(
        _ peers: HostilePeers, _ format: ExportFormat, _ query: AnsibleInventory.Query? = nil
    ) -> Export {
        Export(
            of: peers.sections, in: BrowsedDomain(), ListOptions(),
            ExportOptions(format: format, query: query))
    }

    /// Runs a script in the directory, with arguments; returns its output.
    private func run(
        _ script: String, _ words: [String] = [], in directory: TemporaryDirectory
    ) async throws -> String {
        let finished = try await FinishedProcess(
            ["sh", "-c", "cd \"$0\" && \(script)", directory.path] + words,
            environment: [
                "HOME": directory.path, "LC_ALL": "C.UTF-8", "ANSIBLE_NOCOLOR": "1",
                "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "1",
                "ANSIBLE_LOCAL_TEMP": directory.path + "/ansible",
            ], within: .seconds(180))
        #expect(finished.status == 0, "\(finished.errors)")
        return finished.output
    }

    /// Expects equal values that may be too large to be described.
    private func expectSame<Value: Equatable>(
        _ value: Value, _ wanted: Value, at location: SourceLocation = #_sourceLocation
    ) {
        let isSame = value == wanted
        #expect(isSame, sourceLocation: location)
    }

    private func json(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    // MARK: hosts

    private static let mounts = Lab.isRoot ? "unshare --mount" : "unshare --mount --map-root-user"

    @Test(
        .enabled("mount namespaces are not available here") {
            try await FinishedProcess(["sh", "-c", "\(mounts) true"]).status == 0
        }, arguments: seeds(3))
    func `getent finds exactly the exported names and addresses`(seed: UInt64) async throws {
        try await inDirectory { directory in
            let peers = HostilePeers(seed: seed, count: 100)
            try directory.write(export(peers, .hosts).text, to: "hosts")
            let wanted = peers.named.compactMap { name, peer in
                let unscoped = peers.addresses[peer.id]?.filter { !$0.contains("%") } ?? []
                return unscoped.isEmpty ? nil : (name: name, addresses: unscoped)
            }
            // The enumeration has IPv4 addresses only, and a look-up all.
            let output = try await run(
                """
                exec \(Self.mounts) sh -c 'mount --bind hosts /etc/hosts && getent -s files hosts
                for name; do echo "= $name"; getent -s files ahosts "$name"; done' sh "$@"
                """, wanted.map { $0.name.lowercased() }, in: directory)
            let parts = output.split(separator: "= ").map { $0.split(separator: "\n") }
            let listed = try #require(parts.first).map { $0.split(separator: " ").map(String.init) }
            let ipv4 = wanted.flatMap { host in
                host.addresses.filter { $0.contains(".") }.map { [$0, host.name] }
            }
            #expect(listed == ipv4)
            #expect(parts.count == wanted.count + 1 && wanted.count > 20)
            for (part, host) in zip(parts.dropFirst(), wanted) {
                let found = part.dropFirst().map { String($0.prefix { $0 != " " }) }
                #expect(Set(found) == Set(host.addresses), "\(host.name)")
            }
        }
    }

    // MARK: ssh-config

    @Test(.needs("ssh"), arguments: seeds(3))
    func `ssh gets the address, port and key name of a host, and no other setting`(
        seed: UInt64
    ) async throws {
        try await inDirectory { directory in
            let peers = HostilePeers(seed: seed, count: 60)
            try directory.write(export(peers, .sshConfig).text, to: "config")
            let short = peers.named.map { String($0.name.prefix { $0 != "." }) }
            let names =
                peers.named.map(\.name) + peers.named.map { $0.name.lowercased() } + short
                + ["bank.example", "localhost", "0x7f000001", "10", "all", "127.0.0.1"]
            func settings(_ file: String) async throws -> [[String: String]] {
                let script = """
                    for name; do echo "= $name"; ssh -G -F \(file) -- "$name"; done
                    """
                let output = try await run(script, names, in: directory)
                return output.split(separator: "= ", omittingEmptySubsequences: true).map { part in
                    let lines = part.split(separator: "\n").dropFirst()
                    return Dictionary(
                        lines.map { line in
                            let words = line.split(separator: " ", maxSplits: 1)
                            return (String(words[0]), words.last.map(String.init) ?? "")
                        }, uniquingKeysWith: { $0 + "\n" + $1 })
                }
            }
            let (given, usual) = (try await settings("config"), try await settings("/dev/null"))
            #expect(given.count == names.count && usual.count == names.count)
            let hosts = Dictionary(
                peers.named.map { ($0.name.lowercased(), $0.peer) }, uniquingKeysWith: { $1 })
            for (name, (given, usual)) in zip(names, zip(given, usual)) {
                let keys = Set(given.keys).union(usual.keys).filter { given[$0] != usual[$0] }
                #expect(keys.isSubset(of: ["hostname", "port", "hostkeyalias"]), "\(name)")
                guard let alias = given["hostkeyalias"] else {
                    // A short name, which may be that of another machine.
                    #expect(keys.isEmpty && hosts[name.lowercased()] == nil, "\(name)")
                    continue
                }
                let peer = try #require(hosts[alias])
                #expect(alias == name.lowercased())
                #expect(given["hostname"] == peers.addresses[peer.id]?.first)
                let port = peer.shells.first?.port ?? 22
                #expect(given["port"] == "\(port)")
            }
            #expect(given.last?["hostkeyalias"] == nil)
        }
    }

    // MARK: Ansible

    @Test(.needs("ansible-inventory"), arguments: seeds(3))
    func `ansible-inventory reads the hosts, groups and variables, from a file and a script`(
        seed: UInt64
    ) async throws {
        try await inDirectory { directory in
            let peers = HostilePeers(seed: seed, count: 60)
            let list = export(peers, .ansible, .list).text
            try directory.write(export(peers, .ansible).text, to: "peers.json")
            try directory.write(export(peers, .ansible).text, to: "peers")
            try directory.write(list, to: "list")
            try directory.write(
                "#!/bin/sh\nexec cat '\(directory.path)/list'\n", to: "script", mode: 0o755)
            let wanted = try #require(try json(list) as? [String: NSDictionary])
            let hosts = try #require(wanted["_meta"]?["hostvars"] as? [String: NSDictionary])
            #expect(Set(hosts.keys) == Set(peers.named.map(\.name)) && hosts.count > 10)
            for inventory in ["peers.json", "peers", "script"] {
                let output = try await run(
                    "exec ansible-inventory -i ./\(inventory) --list", in: directory)
                let read = try #require(try json(output) as? [String: NSDictionary])
                // Not an equation of the whole, whose order of hosts is that of a set.
                let variables = try #require(read["_meta"]?["hostvars"] as? [String: NSDictionary])
                expectSame(variables, hosts)
                for (name, group) in wanted where name != "_meta" && name != "all" {
                    #expect(
                        Set(read[name]?["hosts"] as? [String] ?? [])
                            == Set(group["hosts"] as? [String] ?? []), "\(name)")
                }
                let groups = read["all"]?["children"] as? [String] ?? []
                #expect(
                    Set(groups).subtracting(["ungrouped"])
                        == Set(wanted.keys).subtracting(["_meta", "all"]))
            }
        }
    }

    /// Evaluates all variables of all hosts, as plays do.
    private let evaluation = """
        exec ansible all -i ./inventory.json -c local -m debug -a 'var=hostvars[inventory_hostname]'
        """

    @Test(.needs("ansible"))
    func `Ansible runs no command of a variable`() async throws {
        try await inDirectory { directory in
            let peers = HostilePeers(seed: 4, count: 40)
            let export = export(peers, .ansible)
            #expect(export.notices.contains { $0.contains("keys that Ansible would evaluate") })
            try directory.write(export.text, to: "inventory.json")
            let output = try await run(evaluation, in: directory)
            #expect(output.split(separator: " | SUCCESS => ").count > 10)
        }
    }

    @Test(.needs("ansible"))
    func `the test above would notice a command`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(
            #"{"all":{"hosts":{"a.local":{"x":"{{ lookup('pipe', 'touch pwned') }}"}}}}"#,
            to: "inventory.json")
        _ = try await run(evaluation, in: directory)
        #expect(FileManager.default.fileExists(atPath: directory.path + "/pwned"))
        await directory.remove()
    }

    // MARK: Prometheus

    @Test(.needs("promtool"), arguments: seeds(3))
    func `Prometheus discovers the targets with their labels`(seed: UInt64) async throws {
        try await inDirectory { directory in
            let peers = HostilePeers(seed: seed, count: 60)
            let text = export(peers, .prometheus).text
            try directory.write(text, to: "peers.json")
            try directory.write(
                """
                scrape_configs:
                  - job_name: peers
                    file_sd_configs:
                      - files: ["\(directory.path)/peers.json"]
                """, to: "prometheus.yml")
            _ = try await run("exec promtool check config prometheus.yml", in: directory)
            let output = try await run(
                "exec promtool check service-discovery --timeout=5s prometheus.yml peers",
                in: directory)
            let found = try #require(try json(output) as? [[String: Any]])
            let discovered = found.map { target in
                let labels = target["discoveredLabels"] as? [String: String] ?? [:]
                return labels.filter {
                    $0.key.hasPrefix("__meta_peerlist_") || $0.key == "__address__"
                        || $0.key == "instance"
                }
            }
            let groups = try #require(try json(text) as? [[String: Any]])
            let wanted = groups.map { group in
                let labels = group["labels"] as? [String: String] ?? [:]
                // Empty labels are the same as none.
                return labels.filter { !$0.value.isEmpty }.merging([
                    "__address__": (group["targets"] as? [String])?.first ?? ""
                ]) { $1 }
            }
            expectSame(Set(discovered), Set(wanted))
            #expect(wanted.count > 20)
            let usable = Set(
                peers.addresses.values.compactMap(\.first).map {
                    endpoint(host: $0, port: 0).dropLast()
                })
            let targets = wanted.compactMap { target in
                target["__address__"].map {
                    $0.prefix(through: $0.lastIndex(of: ":") ?? $0.startIndex)
                }
            }
            #expect(targets.allSatisfy(usable.contains))
        }
    }

    // MARK: CSV and JSON

    private let readCSV = """
        exec python3 -c '
        import csv, json, sys
        csv.field_size_limit(1 << 30)
        with open("peers.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file, strict=True))
        for row in rows[1:]:
            assert ";" not in row[-1]
            row[-1] = row[-1] and json.loads(row[-1])
        json.dump(rows, sys.stdout)'
        """

    /// Whether a spreadsheet would take a cell for a formula, if it separates cells by commas or by semicolons.
    private func isFormula(_ cell: String) -> Bool {
        cell.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false).contains {
            part in
            let start = part.first { $0 != "\"" && !$0.properties.isWhitespace }
            return start.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false
        }
    }

    @Test(arguments: [
        "", " ", "\u{A0}", "\u{2003}\u{3000}", "\"\u{A0}", "x;\u{202F}",
    ])
    func `a formula after spaces of any kind is no formula in a cell`(start: String) {
        var peer = HostilePeers(seed: 1, count: 1).peers[0]
        (peer.name, peer.label) = (start + "=1+1", nil)
        let export = Export(
            of: [peer].sections(.device), in: BrowsedDomain(), ListOptions(),
            ExportOptions(format: .csv))
        let cell = export.text.split(separator: "\r\n")[1].split(separator: ",").first {
            $0.contains("=1+1")
        }
        let part = cell?.split(separator: ";").last?.drop { $0 == "\"" }
        #expect(part?.first == "'", "\(export.text)")
    }

    @Test(.needs("python3"), arguments: seeds(3))
    func `Python reads a row of CSV for each service, in which no cell is a formula`(
        seed: UInt64
    ) async throws {
        try await inDirectory { directory in
            let peers = HostilePeers(seed: seed, count: 100)
            let text = export(peers, .csv).text
            try directory.write(text, to: "peers.csv")
            let rows = try #require(
                try json(try await run(readCSV, in: directory)) as? [[Any]])
            #expect(rows.count == text.split(separator: "\r\n").count)
            #expect(rows.count == 1 + peers.peers.reduce(0) { $0 + max(1, $1.services.count) })
            let titles = try #require(rows[0] as? [String])
            var next = 1
            for peer in peers.peers {
                for service in peer.services.isEmpty ? [nil] : peer.services.map(Optional.init) {
                    let cells = Dictionary(uniqueKeysWithValues: zip(titles, rows[next]))
                    next += 1
                    #expect(cells["id"] as? String == peer.id.uuidString.lowercased())
                    // Foundation omits a byte order mark at the start of a string unless it is escaped.
                    let txt = try service.map {
                        try json($0.txt.json.replacing("\u{FEFF}", with: "\\ufeff"))
                            as? NSDictionary
                    }
                    expectSame(cells["txt"] as? NSDictionary, txt ?? nil)
                    for (title, value) in [
                        ("name", peer.name), ("label", peer.label ?? ""),
                        ("host", peer.localHost ?? ""), ("service", service?.name ?? ""),
                        ("addresses", peer.addressesByReach.joined(separator: " ")),
                    ] {
                        let cell = cells[title] as? String ?? ""
                        let shown = printable(value)
                        let added = cell.replacing("'", with: "") == shown.replacing("'", with: "")
                        #expect(isFormula(shown) ? added && !isFormula(cell) : cell == shown)
                    }
                }
            }
            let isDangerous = rows.joined().compactMap { $0 as? String }.contains { cell in
                isFormula(cell)
                    || cell.unicodeScalars.contains { $0.properties.generalCategory == .control }
            }
            #expect(!isDangerous)
        }
    }

    @Test(.needs("jq"), arguments: seeds(3))
    func `jq reads the devices of the JSON`(seed: UInt64) async throws {
        try await inDirectory { directory in
            let peers = HostilePeers(seed: seed, count: 100)
            try directory.write(export(peers, .json).text, to: "peers.json")
            let output = try await run("exec jq -c '.[]' peers.json", in: directory)
            let read = try output.split(separator: "\n").map {
                try json(String($0)) as? NSDictionary
            }
            let wanted = try peers.peers.map { peer in
                var peer = peer
                peer.host = peer.localHost
                let lastSeen = peer.presence == .unanswered ? peer.lastSeen : nil
                return try json(ListItem.peer(peer).json(firstSeen: nil, lastSeen: lastSeen))
                    as? NSDictionary
            }
            expectSame(read, wanted)
        }
    }
}

extension Peer {
    /// The host name if it is in `local`, with or without a final dot.
    fileprivate var localHost: String? {
        guard let host else { return nil }
        let isLocal = [".local", ".local."].contains { suffix in
            host.lowercased().utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        }
        return isLocal ? host : nil
    }
}
