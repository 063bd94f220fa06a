// An expectation of the devices on a network, and the devices that it is about.
package import FoundationEssentials
package import PeerModel
import PeerText

/// An expectation of one device or of a set of devices.
package struct Expectation: Equatable, Sendable {
    /// The default time for which an expectation must be broken to be a fault: a phone that misses a question is
    /// not away.
    package static let standardTime = Duration.seconds(180)

    /// The name that the user gave it.
    package let name: String
    /// The line of its section in the file.
    package let line: Int
    /// Whether it is about a set of devices.
    package let isSet: Bool
    /// The criteria that a device has to meet to be one of its devices.
    package var criteria: [Criterion] = []
    /// The number of its devices that have to be there.
    package var count = 1...Int.max
    /// The time for which it must be broken to be a fault.
    package var time = standardTime
    /// The types of the services that each of its devices has to offer.
    package var services: [String] = []
    /// The rules by which each of its devices has to be vouched for; empty: any.
    package var vouched: [VouchingRule] = []
    /// Whether each of its devices has to answer at an address.
    package var isReachable = false
    /// The announced TCP port on which each of its devices has to accept connections; `nil`: any or none.
    package var port: UInt16?

    package init(_ name: String, line: Int = 0, isSet: Bool = false) {
        (self.name, self.line, self.isSet) = (name, line, isSet)
    }

    /// Whether the expectation is about a device.
    package func concerns(_ device: ExpectedDevice) -> Bool {
        criteria.allSatisfy { $0.isMet(by: device) }
    }

    /// The types of the services that a device lacks.
    package func servicesMissing(on device: ExpectedDevice) -> [String] {
        services.filter { !device.types.contains($0) }
    }

    /// Whether its devices are asked whether they answer at their addresses.
    package var asks: Bool { isReachable || port != nil }

    /// Whether a device answers as it has to, given its answers; `nil` if that is not known.
    func isReached(_ device: ExpectedDevice, _ answers: [AddressAnswer]?) -> Bool? {
        guard asks else { return true }
        if let port, !device.ports.contains(port) { return false }
        guard let answers else { return nil }
        let isThere = AddressAnswer.isThere(answers)
        guard let port, isThere == true else { return isThere }
        if answers.contains(where: { $0.isOpen(port) }) { return true }
        // Of many ports, some are not asked.
        return answers.contains { $0.isOfDevice && $0.ports[port] != nil } ? false : nil
    }

    /// Whether the right machine vouches for a device; `nil` if nothing was heard about the device yet.
    func isVouched(_ device: ExpectedDevice) -> Bool? {
        guard !vouched.isEmpty else { return true }
        guard let rule = device.item.peer.vouchedBy?.rule, rule != .unheard else { return nil }
        return vouched.contains(rule)
    }
}

/// A criterion by which a device is chosen.
package enum Criterion: Equatable, Sendable {
    /// Its label, name, host name or identifier.
    case word(FoldedWord)
    case id(UUID)
    case name(FoldedWord)
    case label(FoldedWord)
    case host(FoldedWord)
    case kind(DeviceKind)
    /// The type of a service that it offers.
    case type(String)
    case address(AddressRange)

    package func isMet(by device: ExpectedDevice) -> Bool {
        let peer = device.item.peer
        return switch self {
        case .word(let word): device.names.contains(word.folded) || word.begins(peer.id)
        case .id(let id): peer.id == id
        case .name(let word): device.name == word.folded
        case .label(let word): device.label == word.folded
        case .host(let word): device.hosts.contains(word.folded)
        case .kind(let kind): peer.kind == kind
        case .type(let type): device.types.contains(type)
        case .address(let range): device.addresses.contains(where: range.contains)
        }
    }

    /// Whether the criterion is for one device, rather than for many alike.
    var isOfOne: Bool {
        switch self {
        case .kind, .type: false
        case .address(let range): range.isOne
        case .word, .id, .name, .label, .host: true
        }
    }

    /// The name of the property that it is about.
    var property: String {
        switch self {
        case .word, .name: "name"
        case .id: "identifier"
        case .label: "label"
        case .host: "host name"
        case .kind: "kind"
        case .type: "services"
        case .address: "address"
        }
    }
}

/// A word of the user, folded once to be compared with many devices.
package struct FoldedWord: Equatable, Sendable {
    package let text: String
    fileprivate let folded: [UInt8]
    /// The beginning of an identifier, if the word is at least eight digits of one.
    private let digits: String?

    package init(_ text: String) {
        self.text = text
        folded = FoldedText.folded(text)
        let start = text.uppercased()
        let isStart =
            (8...36).contains(start.utf8.count)
            && start.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 || $0 == 0x2D }
        digits = isStart ? start : nil
    }

    fileprivate func begins(_ id: UUID) -> Bool { digits.map(id.uuidString.hasPrefix) ?? false }
}

/// A device that is compared with expectations, with its texts folded once.
package struct ExpectedDevice: Sendable {
    package var item: ListItem
    fileprivate let names: Set<[UInt8]>
    fileprivate let name: [UInt8]
    fileprivate let label: [UInt8]?
    fileprivate let hosts: [[UInt8]]
    let types: Set<String>
    /// The announced TCP ports.
    var ports: Set<UInt16> {
        Set(item.peer.services.lazy.filter { $0.isOfTCP }.compactMap(\.port))
    }
    fileprivate let addresses: [[UInt8]]

    package init(_ item: ListItem) {
        let peer = item.peer
        self.item = item
        name = FoldedText.folded(peer.name)
        label = peer.label.map(FoldedText.folded)
        hosts =
            peer.host.map { host in
                [host, String(host.prefix { $0 != "." })].map(FoldedText.folded)
            } ?? []
        names = Set(hosts + [name] + [label].compactMap(\.self))
        types = Set(peer.services.lazy.map(\.type))
        addresses = peer.addresses.compactMap { AddressRange.bytes(of: $0) }
    }

    package var id: UUID { item.id }
    package var title: String { item.peer.displayName }

    /// Whether the same criteria choose both devices.
    func isChosen(as other: ExpectedDevice) -> Bool {
        id == other.id && name == other.name && label == other.label && hosts == other.hosts
            && types == other.types && addresses == other.addresses
            && item.peer.kind == other.item.peer.kind
    }

    /// The name, and its host name and first address, to find it by.
    var description: String {
        let details = [item.peer.host, item.peer.addresses.first].compactMap(\.self)
        return quoted(title)
            + (details.isEmpty ? "" : " (\(printable(details.joined(separator: ", "))))")
    }

    /// Whether a name of the device is a word with a number after it, as a stack adds it if a name is taken.
    func isRenamed(from word: FoldedWord) -> Bool {
        names.contains { name in
            guard name.count > word.folded.count, name.starts(with: word.folded) else {
                return false
            }
            let rest = name.dropFirst(word.folded.count)
            return rest.count <= 8 && rest.contains { 0x30...0x39 ~= $0 }
                && rest.allSatisfy { 0x30...0x39 ~= $0 || Array(" -#()".utf8).contains($0) }
        }
    }
}
