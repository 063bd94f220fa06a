// A host or an address that may be handed to a program, because nothing in it can be taken for anything else.
import Glibc
import PeerList

/// A host name or an address that is nothing but that.
///
/// A host name has letters, digits, hyphens, dots and underscores, and begins
/// with none of the signs; an address is read as one and its scope is an
/// interface's name. Nothing that passes can be taken for an option, for two
/// arguments, for another part of a URL, or for what a shell acts on.
struct SafeHost: Equatable {
    /// The name or address: `nas.local`, `fe80::1%eth0`.
    let text: String
    private let isIPv6: Bool

    /// A host name; `nil` where something else is in it.
    init?(name: String) {
        let bytes = Array(name.utf8)
        guard (1...253).contains(bytes.count), let first = bytes.first, isLetterOrDigit(first),
            bytes.allSatisfy({ isLetterOrDigit($0) || "-._".utf8.contains($0) })
        else { return nil }
        (text, isIPv6) = (name, false)
    }

    /// An address, link-local ones with their scope; `nil` where it is none.
    init?(address: String) {
        guard let words = AddressInWords(address), isPlain(scope: words.scope ?? "") else {
            return nil
        }
        // A link-local address holds on an interface, and one without is of no use.
        guard words.reach != "link-local" || !words.isIPv6 || words.scope != nil else { return nil }
        (text, isIPv6) = (address, words.isIPv6)
    }

    /// How a peer is best reached: by its host name, else by an address, link-local ones last.
    init?(of peer: Peer) {
        if let host = peer.host.flatMap(SafeHost.init(name:)) {
            self = host
            return
        }
        let hosts = peer.addresses.compactMap(SafeHost.init(address:))
        guard let host = hosts.first(where: { !$0.text.contains("%") }) ?? hosts.first else {
            return nil
        }
        self = host
    }

    /// As it stands in a URL: IPv6 addresses in brackets, the `%` of a scope escaped (RFC 6874).
    var inURL: String {
        guard isIPv6 else { return text }
        let parts = text.split(separator: "%", maxSplits: 1)
        return "[" + parts.joined(separator: "%25") + "]"
    }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
}

private func isPlain(scope: String) -> Bool {
    scope.utf8.count < 16
        && scope.utf8.allSatisfy { isLetterOrDigit($0) || "-._@".utf8.contains($0) }
        && !scope.utf8.starts(with: "-".utf8)
}
