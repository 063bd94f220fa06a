// Tells what this machine says about itself to everyone on the link, and what stops it.
import FoundationEssentials
import PeerList
import PeerSystem
import PeerText

/// The announcements of this machine, and where each is set.
struct SelfDisclosure: Sendable {
    /// The host name of this machine.
    let host: String
    /// The addresses with which it answers for its name, by the interfaces on which it does.
    let addresses: [String: Set<HostAddress>]
    /// The row of this machine, or `nil` if it announces no service.
    let device: Peer?
    /// The types in the files of avahi-daemon's services, by the paths of the files.
    let files: [String: Set<String>]

    /// The folder with a file for each service that avahi-daemon announces by itself (avahi.service(5)).
    static let folder = "/etc/avahi/services"
    private static let fileLimit = 64

    var findings: [Finding] {
        let services = (device?.services ?? []).sorted { ($0.type, $0.name) < ($1.type, $1.name) }
        guard !addresses.isEmpty || !services.isEmpty else {
            return .one(.ok, "This machine announces nothing, and does not answer for \(host).")
        }
        return [name] + (device.map(recognition) ?? []) + services.map(finding)
    }

    private static func setting(_ line: String, _ section: String) -> String {
        "'\(line)' under [\(section)] in \(DaemonSettings.usualPath)"
    }

    private var name: Finding {
        let told = addresses.sorted { $0.key < $1.key }.map { interface, addresses in
            "\(listed(addresses.sorted().map(\.description))) on \(interface)"
        }
        let answers = told.isEmpty ? "It is \(host)." : "It is \(host): \(listed(told))."
        return Finding(
            .ok, answers,
            advice:
                "in \(DaemonSettings.usualPath), 'publish-addresses=no' under [publish] hides the "
                + "addresses, and under [server] 'host-name=NAME' sets another name and "
                + "'deny-interfaces=IF' keeps the name off an interface",
            facts: [
                ("host", .text(host)),
                (
                    "addresses",
                    .texts(Set(addresses.values.joined()).sorted().map(\.description))
                ), ("interfaces", .texts(addresses.keys.sorted())),
            ])
    }

    /// The values by which strangers recognize the machine wherever it goes.
    private func recognition(of device: Peer) -> [Finding] {
        let values = Set((device.evidence ?? []).filter { $0.rank > .hostName }.map(\.value))
            .sorted()
        let model = device.model.map { [Finding(.ok, "Its model is \($0).")] } ?? []
        guard !values.isEmpty else { return model }
        return model + [
            Finding(
                .ok, "Whoever has seen it recognizes it by \(listed(values)).",
                advice: "these values are in the services below",
                facts: [("identifiers", .texts(values))])
        ]
    }

    private func finding(_ service: Service) -> Finding {
        let keys = service.txt.pairs.map(\.key)
        let port = service.port.map { " on port \($0)" } ?? ""
        let text = keys.isEmpty ? "" : ", with the values of \(listed(keys))"
        return Finding(
            .ok, "\(quoted(service.name)) is \(service.type)\(port)\(text).",
            advice: advice(service.type),
            facts: [
                ("service", .text(service.name)), ("type", .text(service.type)),
                ("keys", .texts(keys)),
            ])
    }

    /// Returns what stops a service.
    private func advice(_ type: String) -> String {
        if type == "_workstation._tcp" { return Self.setting("publish-workstation=no", "publish") }
        if type == Identity.serviceType { return "end the 'peerlist --announce' that announces it" }
        let paths = files.filter { $0.value.contains(type) }.keys.sorted()
        guard paths.isEmpty else { return "remove \(listed(paths))" }
        return "end the program that announces it, or let none announce through avahi-daemon: "
            + Self.setting("disable-user-service-publishing=yes", "publish")
    }
}

extension SelfDisclosure {
    /// Reads the files of avahi-daemon's services.
    static func read(_ folder: String = folder) -> [String: Set<String>] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let names = entries.filter { $0.hasSuffix(".service") }.sorted()
        let pairs = names.prefix(fileLimit).compactMap { name in
            readText("\(folder)/\(name)").map { ("\(folder)/\(name)", types(in: $0)) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns the types in the text of a file: `<type>_http._tcp</type>`.
    static func types(in text: String) -> Set<String> {
        Set(text.matches(of: /<type>\s*([^<\s]+)\s*<\/type>/).map { String($0.1) })
    }
}
