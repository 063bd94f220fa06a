// A service and its TXT record as members of a JSON object.
import FoundationEssentials
package import PeerList

/// The fields of a service in the lines, in the order in which they are written.
enum ServiceField: String, CaseIterable {
    case id, name, type, subtypes, domain, port, txt

    /// Whether the field differs between two states of a service.
    func differs(_ was: Service, _ now: Service) -> Bool {
        switch self {
        case .id: was.id != now.id
        case .name: !was.name.isExactly(now.name)
        case .type: !was.type.isExactly(now.type)
        case .subtypes: !was.subtypes.areExactly(now.subtypes)
        case .domain: !was.domain.isExactly(now.domain)
        case .port: was.port != now.port
        case .txt: !was.txt.isExactly(now.txt)
        }
    }

    /// Writes the field of `service`.
    func write(_ service: Service, to members: inout JSONObjectWriter) {
        switch self {
        case .id: members.member(rawValue, service.id)
        case .name: members.member(rawValue, service.name)
        case .type: members.member(rawValue, service.type)
        case .subtypes: members.member(rawValue, service.subtypes)
        case .domain: members.member(rawValue, service.domain)
        case .port: members.member(rawValue, service.port.map { Int($0) })
        case .txt: members.object(rawValue) { service.txt.write(to: &$0) }
        }
    }
}

extension Service {
    /// The service as a JSON object, the very one that the lines have in its peer.
    package var json: String {
        var text = JSONWriter()
        text.object { write(to: &$0) }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Writes every field.
    func write(to members: inout JSONObjectWriter) {
        for field in ServiceField.allCases { field.write(self, to: &members) }
    }
}

extension TXTRecord {
    /// Writes each attribute as a member: text as a string, other bytes in base 64, a lone key as `null`.
    func write(to members: inout JSONObjectWriter) {
        for pair in pairs {
            switch pair.value {
            case .none: members.member(pair.key, nil as String?)
            case .text(let text): members.member(pair.key, text)
            case .bytes(let bytes):
                members.object(pair.key) { $0.member("base64", Data(bytes).base64EncodedString()) }
            }
        }
    }
}
