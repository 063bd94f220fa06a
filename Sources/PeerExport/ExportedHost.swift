// Selects the devices to export, and checks their names and addresses for the files of other programs.
import FoundationEssentials
package import PeerModel
import PeerRecording
import PeerText

extension [ListSection] {
    /// Returns the devices of a list with the services and of the kinds that the options select; the
    /// services of a list that is grouped by type become devices again.
    package func peers(_ options: ListOptions) -> [Peer] {
        var peers: [Peer] = []
        var indices: [UUID: Int] = [:]
        for item in flatMap(\.items) {
            if let index = indices[item.peer.id] {
                peers[index].merge(item.peer)
            } else {
                indices[item.peer.id] = peers.count
                peers.append(item.peer)
            }
        }
        return peers.compactMap(options.listed)
    }
}

extension Peer {
    /// The addresses of another machine to which programs can connect, the best first.
    ///
    /// With an address such as 127.0.0.1, a stranger could direct programs to this machine itself; with
    /// 169.254.169.254, to the service from which a cloud's virtual machine gets credentials.
    var usableAddresses: [String] {
        let refused: Set = [
            "loopback", "multicast", "this network", "unspecified", "IPv4-mapped", "reserved",
        ]
        return workingAddresses.filter { address in
            SafeHost(address: address) != nil && address.prefix { $0 != "%" } != "169.254.169.254"
                && !(ParsedAddress(address)?.kind.map(refused.contains) ?? false)
        }
    }

    /// The reason why the device has no usable address.
    var reasonWithoutAddress: Omissions.Reason {
        host == nil ? .unresolved : isUnreachable ? .noWorkingAddress : .noAddress
    }

    /// Returns the host name, if every program reads it as a host name, in the domain that was browsed.
    ///
    /// Anyone on the link can announce `www.example.org` as a host name, and services in any domain.
    func safeHostName(in domain: BrowsedDomain) -> Result<String, Omissions.Reason> {
        guard let host else { return .failure(.unresolved) }
        guard let name = SafeHost(name: host)?.text,
            name.split(separator: ".", omittingEmptySubsequences: false)
                .allSatisfy({ 1...63 ~= $0.utf8.count })
        else { return .failure(.unsafeName) }
        return domain.contains(host: name) ? .success(name) : .failure(.foreignName)
    }

    /// Returns the device without a host name that is outside of the domain that was browsed.
    func withoutForeignName(_ domain: BrowsedDomain, _ omissions: inout Omissions) -> Peer {
        guard let host, !domain.contains(host: host) else { return self }
        omissions.add(displayName, .foreignNameAlone)
        var peer = self
        peer.host = nil
        return peer
    }
}

/// A device under a host name that no other exported device has.
struct ExportedHost {
    let peer: Peer
    /// The host name, as announced.
    let name: String
    /// The usable addresses, at least one.
    let addresses: [String]

    /// Returns the hosts of devices in a domain; of several with one name, the first one.
    static func all(
        of peers: [Peer], in domain: BrowsedDomain, _ omissions: inout Omissions
    ) -> [ExportedHost] {
        var names: Set<String> = []
        var hosts: [ExportedHost] = []
        for peer in peers {
            switch peer.safeHostName(in: domain) {
            case .failure(let reason): omissions.add(peer.displayName, reason)
            case .success(let name):
                let addresses = peer.usableAddresses
                if addresses.isEmpty {
                    omissions.add(peer.displayName, peer.reasonWithoutAddress)
                } else if !names.insert(name.lowercased()).inserted {
                    omissions.add(peer.displayName, .sameName)
                } else {
                    hosts.append(ExportedHost(peer: peer, name: name, addresses: addresses))
                }
            }
        }
        return hosts
    }
}

/// The names of what an export leaves out, by reason.
struct Omissions {
    enum Reason: String, Error, CaseIterable {
        case unresolved = "without a host name yet"
        case noAddress = "without a usable address"
        case noWorkingAddress = "with no address that can work from here"
        case unsafeName = "with a host name that is not safe to write"
        case foreignName = "with a host name outside of the domain that was browsed"
        case foreignNameAlone = "the host name, which is outside of the domain that was browsed"
        case sameName = "with the host name of another device before it"
        case noPort = "without a port"
        case otherPort = "on another port of the same host"
        case evaluatedKey = "with keys that Ansible would evaluate"
    }

    private static let shown = 3

    private var names: [Reason: (first: [String], count: Int)] = [:]

    mutating func add(_ name: String, _ reason: Reason) {
        names[reason, default: ([], 0)].count += 1
        if names[reason]?.first.count ?? 0 < Self.shown { names[reason]?.first.append(name) }
    }

    /// A message for each reason.
    var notices: [String] {
        Reason.allCases.compactMap { reason in
            guard let (first, count) = names[reason] else { return nil }
            let more = count > first.count ? " and \(count - first.count) more" : ""
            return
                "left out, \(reason.rawValue): \(first.map(quoted).joined(separator: ", "))\(more)"
        }
    }
}

/// Returns a text in lower case, with `_` for all but ASCII letters and digits.
func identifier(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar)
        return isPlain ? scalar : "_"
    }
    return String(String.UnicodeScalarView(scalars)).lowercased()
}
