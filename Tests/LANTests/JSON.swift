// A JSON value as the tests read it, whatever it holds.
import FoundationEssentials

/// Any JSON value.
enum JSON: Hashable, Sendable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Reads one line.
    init(line: String) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(line.utf8))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }
}

extension JSON {
    /// The value under a key of an object; a key that is not there has null.
    subscript(key: String) -> JSON {
        get { if case .object(let members) = self { members[key] ?? .null } else { .null } }
        set {
            guard case .object(var members) = self else { return }
            members[key] = newValue
            self = .object(members)
        }
    }

    /// The text, or nothing if it is none.
    var string: String { if case .string(let text) = self { text } else { "" } }

    /// The whole number, or -1 if it is none.
    var integer: Int { if case .number(let number) = self { Int(number) } else { -1 } }

    /// The elements, none if it is no array.
    var array: [JSON] { if case .array(let elements) = self { elements } else { [] } }

    /// The members, none if it is no object.
    var members: [String: JSON] { if case .object(let members) = self { members } else { [:] } }
}
