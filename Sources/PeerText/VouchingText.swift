// Texts for the machine on whose word a device is listed.
package import PeerModel

extension Vouching {
    /// The short text for a list: `via fritz.box`; `nil` for a device that sends its records itself, or that was not
    /// heard.
    package var mark: String? { other.map { "via \($0)" } }

    /// The sender: `itself, from 10.0.0.5`, or `fritz.box (10.0.0.1)`.
    package var senderText: String {
        switch rule {
        case .own: sender.map { "itself, from \($0)" } ?? "itself"
        case .unheard: "not heard yet"
        case .sleepProxy, .registrar, .reflector, .proxy:
            name.map { name in sender.map { "\(name) (\($0))" } ?? name } ?? sender
                ?? "another host"
        }
    }

    /// The meaning of the rule; `nil` for a device that sends its records itself.
    package var explanation: String? {
        switch rule {
        case .own: nil
        case .sleepProxy:
            "a sleep proxy, while it sleeps" + (mac.map { " (MAC address \($0))" } ?? "")
        case .registrar: "a registrar, with which it is registered"
        case .reflector: "a reflector, which repeats another network"
        case .proxy: "another host, such as a router from its table"
        case .unheard: "known from the cache of the daemon alone"
        }
    }
}
