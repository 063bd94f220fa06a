// Parses any JSON value.
import FoundationEssentials

/// Any JSON value.
enum JSON: Hashable, Sendable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Parses one line.
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

extension JSON: CustomStringConvertible {
    var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): text.debugDescription
        case .array(let elements): "\(elements)"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
                .joined(separator: ", ") + "}"
        }
    }
}

extension JSON {
    /// The value of a key of an object; null if the key is missing.
    subscript(key: String) -> JSON {
        get { if case .object(let members) = self { members[key] ?? .null } else { .null } }
        set {
            guard case .object(var members) = self else { return }
            members[key] = newValue
            self = .object(members)
        }
    }

    /// The string, or an empty one if it is not a string.
    var string: String { if case .string(let text) = self { text } else { "" } }

    /// The integer, or -1 if it is not an integer.
    var integer: Int { if case .number(let number) = self { Int(number) } else { -1 } }

    /// The elements; empty if it is not an array.
    var array: [JSON] { if case .array(let elements) = self { elements } else { [] } }

    /// The members; empty if it is not an object.
    var members: [String: JSON] { if case .object(let members) = self { members } else { [:] } }
}
