// A JSON value as an independent reader parses it.
import Foundation

/// A JSON value; objects have no order, as the format says.
enum JSONValue: Hashable, Decodable {
    case null
    case bool(Bool)
    case number(Int)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The most frequent first: a refusal costs more than an answer.
        if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .number(try container.decode(Int.self))
        }
    }

    /// The value of one line, with its line feed.
    init(line: [UInt8]) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(line))
    }

    subscript(key: String) -> JSONValue {
        guard case .object(let members) = self else { return .null }
        return members[key] ?? .null
    }

    var array: [JSONValue] {
        if case .array(let values) = self { values } else { [] }
    }

    var text: String {
        if case .text(let value) = self { value } else { "" }
    }

    var number: Int {
        if case .number(let value) = self { value } else { -1 }
    }

    var members: [String: JSONValue] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// Two texts are equal here only if their bytes are, which `String` does not ask for.
    var exact: [[UInt8]] {
        switch self {
        case .null, .bool, .number: [Array("\(self)".utf8)]
        case .text(let text): [Array(text.utf8)]
        case .array(let values): [[0x5B]] + values.flatMap(\.exact) + [[0x5D]]
        case .object(let members):
            members.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
                .flatMap { [Array($0.key.utf8)] + $0.value.exact }
        }
    }
}
