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

    /// Whether two values are equal, and their texts and names in each byte, which `==` does not ask for.
    func isExactly(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.text(let text), .text(let otherText)): text.utf8.elementsEqual(otherText.utf8)
        case (.array(let values), .array(let others)): values.isExactly(others)
        case (.object(let members), .object(let others)):
            members.count == others.count
                && members.allSatisfy { name, value in
                    guard let index = others.index(forKey: name) else { return false }
                    let (otherName, other) = others[index]
                    return name.utf8.elementsEqual(otherName.utf8) && value.isExactly(other)
                }
        default: self == other
        }
    }
}

extension [JSONValue] {
    func isExactly(_ others: [JSONValue]) -> Bool {
        count == others.count && zip(self, others).allSatisfy { $0.isExactly($1) }
    }
}
