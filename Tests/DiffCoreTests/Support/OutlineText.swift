// Outlines written as text.
import DiffCore
import Testing

extension DiffableDataSourceSectionSnapshot<String> {
    /// Creates the outline described by a text such as `a+(b c) d`; `+` means expanded.
    init(_ text: String) {
        self.init()
        var above: [String] = []
        var last = ""
        for word in words(of: text) {
            switch word {
            case "(": above.append(last)
            case ")": above.removeLast()
            default:
                last = word.last == "+" ? String(word.dropLast()) : word
                append([last], to: above.last)
                if word.last == "+" { expand([last]) }
            }
        }
    }

    /// The text that describes the outline.
    var text: String { text(of: rootItems) }

    private func text(of siblings: [String]) -> String {
        siblings.map { item in
            let beneath = snapshot(of: item).rootItems
            let name = item + (isExpanded(item) ? "+" : "")
            return beneath.isEmpty ? name : "\(name)(\(text(of: beneath)))"
        }.joined(separator: " ")
    }

    /// Performs an operation written as text.
    mutating func perform(_ operation: String) {
        let name = String(operation.prefix { $0 != " " })
        var rest = operation.dropFirst(name.count + 1)
        var payload = TextOutline()
        if rest.first == "[" {
            payload = TextOutline(String(rest.dropFirst().prefix { $0 != "]" }))
            rest = rest.drop { $0 != "]" }.dropFirst()
        }
        let words = rest.split(separator: " ").map(String.init)
        let given = Array(words.prefix { !["<", ">", "in"].contains($0) })
        let relation = words.dropFirst(given.count).first ?? ""
        let other = words.last ?? ""
        switch (name, relation) {
        case ("append", "in"): append(given, to: other)
        case ("append", _): append(given)
        case ("insert", "<"): insert(given, before: other)
        case ("insert", ">"): insert(given, after: other)
        case ("insertOutline", "<"): insert(payload, before: other)
        case ("insertOutline", ">"): insert(payload, after: other)
        case ("replace", "in"): replace(childrenOf: other, using: payload)
        case ("delete", _): delete(given)
        case ("expand", _): expand(given)
        case ("collapse", _): collapse(given)
        default: Issue.record("no such operation: \(operation)")
        }
    }
}

/// Splits a text into names and brackets.
private func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    for character in text {
        if " ()".contains(character) {
            if !word.isEmpty { words.append(word) }
            word = ""
            if character != " " { words.append(String(character)) }
        } else {
            word.append(character)
        }
    }
    return word.isEmpty ? words : words + [word]
}
