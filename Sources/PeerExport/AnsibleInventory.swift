// Writes devices as an inventory of Ansible: a file, or the answers of an inventory script.
import FoundationEssentials
import PeerModel
import PeerRecording
import PeerText

/// The hosts, by their host names, and groups of them by kind (`kind_nas`) and service type (`type_ssh`).
package struct AnsibleInventory {
    /// The question of Ansible to an inventory script.
    package enum Query: Equatable, Sendable {
        /// All groups and the variables of all hosts.
        case list
        /// The variables of a host.
        case host(String)
    }

    private let hosts: [ExportedHost]
    private let groups: [(name: String, hosts: [String])]

    init(_ hosts: [ExportedHost], _ omissions: inout Omissions) {
        self.hosts = hosts
        for host in hosts where host.hasEvaluatedKeys { omissions.add(host.name, .evaluatedKey) }
        var groups: [String: [String]] = [:]
        for host in hosts {
            for group in host.groups { groups[group, default: []].append(host.name) }
        }
        self.groups = groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the answer to a question, or without one the inventory as a file.
    func text(for query: Query?) -> String {
        switch query {
        case nil: file
        case .list: list
        case .host(let name):
            jsonLine { variables in
                hosts.first { $0.name == name }?.writeVariables(to: &variables)
            }
        }
    }

    /// The inventory as the plugin `yaml` reads it.
    private var file: String {
        jsonLine { file in
            file.object("all") { all in
                writeVariables(to: &all, as: "hosts")
                all.object("children") { children in
                    for (name, members) in groups {
                        children.object(name) { group in
                            group.object("hosts") { hosts in
                                for member in members { hosts.object(member) { _ in } }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The inventory as the plugin `script` reads it.
    private var list: String {
        jsonLine { list in
            list.object("_meta") { writeVariables(to: &$0, as: "hostvars") }
            list.object("all") { $0.member("hosts", hosts.map(\.name)) }
            for (name, members) in groups {
                list.object(name) { $0.member("hosts", members) }
            }
        }
    }

    private func writeVariables(to writer: inout JSONWriter, as key: String) {
        writer.object(key) { all in
            for host in hosts { all.object(host.name) { host.writeVariables(to: &$0) } }
        }
    }
}

extension ExportedHost {
    /// The groups of the host, each once.
    fileprivate var groups: Set<String> {
        let types = peer.services.map { service in
            let type = service.type.drop { $0 == "_" }
            let name = type.hasSuffix("._tcp") ? type.dropLast(5) : type
            return "type_" + identifier(name.replacing("._", with: "_"))
        }
        return Set(types + (peer.kind.map { ["kind_" + identifier($0.rawValue)] } ?? []))
    }

    /// Whether an attribute of the host is left out.
    fileprivate var hasEvaluatedKeys: Bool {
        peer.services.contains { service in
            service.txt.pairs.contains { pair in
                if case .text = pair.value { isEvaluated(key: pair.key) } else { false }
            }
        }
    }

    fileprivate func writeVariables(to variables: inout JSONWriter) {
        variables.member("ansible_host", addresses[0])
        if let port = peer.shells.first?.port { variables.member("ansible_port", Int(port)) }
        // The host name is the key of the variables.
        for fact in DeviceFact.all(in: .ansible) where fact.key != "host" {
            guard let text = fact.text(of: peer) else { continue }
            if fact.isChosen {
                variables.untrusted("peerlist_" + fact.key, text)
            } else {
                variables.member("peerlist_" + fact.key, text)
            }
        }
        variables.member("peerlist_addresses", addresses)
        variables.array("peerlist_services") { array in
            for service in peer.services {
                array.object { member in
                    member.untrusted("name", service.name)
                    member.untrusted("type", service.type)
                    member.member("port", service.port.map(Int.init))
                    member.object("txt") { txt in
                        for pair in service.txt.pairs where !isEvaluated(key: pair.key) {
                            if case .text(let text) = pair.value { txt.untrusted(pair.key, text) }
                        }
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    /// Writes a text from the network, which Ansible would otherwise evaluate as a template, and so run
    /// commands of a stranger.
    fileprivate mutating func untrusted(_ key: String, _ text: String) {
        object(key) { $0.member("__ansible_unsafe", text) }
    }
}

/// Whether Ansible may evaluate a key, or the object that has it, as with `__ansible_vault`.
private func isEvaluated(key: String) -> Bool {
    // By scalar: an accent belongs to the same character.
    key.unicodeScalars.starts(with: "__ansible".unicodeScalars)
        || key.unicodeScalars.starts(with: "#jinja2:".unicodeScalars)
        || key.unicodeScalars.contains("{")
}
