// A second, independent description of how items are written in the lines.
import Foundation
import PeerModel
import PeerRecording

extension ListItem {
    /// The item as JSON, field by field.
    var expected: JSONValue {
        guard let service else { return peer.expected }
        var members = service.expected
        members["peer"] = .object([
            "id": peer.isResolved ? .uuid(peer.id) : .null,
            "name": peer.isResolved ? .text(peer.name) : .null,
            "host": .orNull(peer.host), "addresses": .array(peer.addresses.map(JSONValue.text)),
        ])
        members["self"] = .bool(peer.isSelf)
        members["presence"] = .text(peer.presence.rawValue)
        if peer.isHeard { members["heard"] = .bool(true) }
        members["firstSeen"] = .text(peer.firstSeen.description)
        members["lastSeen"] = .text(peer.lastSeen.description)
        return .object(members)
    }
}

extension Peer {
    fileprivate var expected: JSONValue {
        var members: [String: JSONValue] = [
            "id": .uuid(id), "name": .text(name), "host": .orNull(host), "self": .bool(isSelf),
            "presence": .text(presence.rawValue),
            "identity": .object(identity.expected),
            "addresses": .array(addresses.map(JSONValue.text)),
            "interfaces": .array(interfaces.map(JSONValue.text)),
            "services": .array(services.map { .object($0.expected) }),
            "firstSeen": .text(firstSeen.description), "lastSeen": .text(lastSeen.description),
        ]
        if isHeard { members["heard"] = .bool(true) }
        members["kind"] = (kind?.rawValue).map(JSONValue.text)
        members["model"] = model.map(JSONValue.text)
        members["maker"] = maker.map(JSONValue.text)
        if !macs.isEmpty { members["macs"] = .array(macs.map(JSONValue.text)) }
        members["deviceInfo"] = deviceInfo?.expected
        members["vouchedBy"] = vouchedBy?.expected
        members["label"] = label.map(JSONValue.text)
        if isNew { members["known"] = .bool(false) }
        if !views.isEmpty { members["views"] = .array(views.map(\.expected)) }
        return .object(members)
    }
}

extension PeerView {
    fileprivate var expected: JSONValue {
        var members: [String: JSONValue] = [
            "observer": .text(name.observer), "site": .text(name.site), "host": .text(host),
            "presence": .text(presence.rawValue), "since": .text(since.description),
            "interfaces": .array(interfaces.map(JSONValue.text)),
        ]
        members["vouchedBy"] = vouchedBy?.expected
        if let claim {
            var claims: [String: JSONValue] = [:]
            claims["name"] = claim.name.map(JSONValue.text)
            claims["host"] = claim.host.map(JSONValue.text)
            claims["kind"] = (claim.kind?.rawValue).map(JSONValue.text)
            members["claims"] = .object(claims)
        }
        return .object(members)
    }
}

extension Vouching {
    fileprivate var expected: JSONValue {
        var members = ["by": JSONValue.text(rule.rawValue)]
        members["sender"] = sender.map(JSONValue.text)
        members["name"] = name.map(JSONValue.text)
        members["mac"] = mac.map(JSONValue.text)
        members["since"] = (since?.description).map(JSONValue.text)
        return .object(members)
    }
}

extension Identity {
    fileprivate var expected: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "source": .text(source.rawValue), "value": .text(value),
        ]
        members["type"] = type.map(JSONValue.text)
        members["key"] = key.map(JSONValue.text)
        return members
    }
}

extension Service {
    fileprivate var expected: [String: JSONValue] {
        [
            "id": .uuid(id), "name": .text(name), "type": .text(type),
            "subtypes": .array(subtypes.map(JSONValue.text)), "domain": .text(domain),
            "port": port.map { .number(Int($0)) } ?? .null, "txt": txt.expected,
        ]
    }
}

extension TXTRecord {
    fileprivate var expected: JSONValue {
        .object(
            Dictionary(
                uniqueKeysWithValues: pairs.map { pair in
                    switch pair.value {
                    case .none: (pair.key, .null)
                    case .text(let text): (pair.key, .text(text))
                    case .bytes(let bytes):
                        (pair.key, .object(["base64": .text(Data(bytes).base64EncodedString())]))
                    }
                }))
    }
}

extension JSONValue {
    fileprivate static func uuid(_ id: UUID) -> JSONValue { .text(id.uuidString.lowercased()) }

    fileprivate static func orNull(_ text: String?) -> JSONValue {
        text.map(JSONValue.text) ?? .null
    }
}
