// What a one-shot command reports when it finds nothing.
import PeerList
import PeerRecording

/// The message of a one-shot command that finds nothing, and what to try.
struct NothingFound: Equatable {
    /// The thing that was not found.
    let message: String
    /// Advice, for the most likely cause first.
    let advice: [String]

    /// The message for a list that is limited by a filter.
    init(_ filter: LineHeader.Filter) {
        let types = filter.types.joined(separator: ", ")
        message = types.isEmpty ? "no devices found" : "no device offers \(types)"
        var advice: [String] = []
        if !types.isEmpty { advice.append("leave out --type to list devices with other services") }
        if let interface = filter.interface {
            advice.append("leave out --interface \(interface) to browse on all interfaces")
        }
        if let family = filter.family {
            let option = family == .ipv4 ? "-4" : "-6"
            advice.append("leave out \(option) to browse over IPv4 and IPv6")
        }
        if let domain = filter.domain {
            advice.append("leave out --domain \(domain) to browse the default domain")
        }
        self.advice =
            advice + [
                "wait longer: --timeout 15",
                "let UDP port 5353 pass the firewalls, here and on the other machines",
                "on Wi-Fi, check whether the access point blocks multicast between its clients",
                "find the cause: peerlist doctor",
            ]
    }

    /// Writes the message and the advice to standard error.
    func report() {
        let lines = advice.map { "\n  - \(printable($0))" }.joined()
        writeError("\(printable(message)); try this:\(lines)")
    }
}
