// Services and TXT records in as few words as a column holds.
import PeerList
import TerminalList

extension [Service] {
    /// Returns the types without their underscores, each once, with a count where there are several:
    /// `http ipp ×2`.
    ///
    /// - Complexity: O(*n*): services of a type stand together.
    func inShort(_ charset: Charset, separator: String = " ") -> String {
        let times = charset == .unicode ? "×" : "x"
        var types: [(name: Substring, count: Int)] = []
        for service in self {
            let name = service.type.drop { $0 == "_" }.prefix { $0 != "." }
            if types.last?.name == name {
                types[types.count - 1].count += 1
            } else {
                types.append((name, 1))
            }
        }
        return types.map { $0.count == 1 ? String($0.name) : "\($0.name) \(times)\($0.count)" }
            .joined(separator: separator)
    }
}

extension TXTRecord {
    /// As many attributes as a column can hold: `txtvers=1 note=2nd floor`.
    var inShort: String {
        var text = ""
        for pair in pairs where text.utf8.count < 200 {
            if !text.isEmpty { text += " " }
            text += pair.key
            if case .text(let value) = pair.value { text += "=" + value.prefix(100) }
            if case .bytes(let bytes) = pair.value { text += "=(\(bytes.count) bytes)" }
        }
        return text
    }
}
