// Pasted text, told from keys by the signs that a terminal puts around it.

/// Pasted text, told from keys by the signs that a terminal puts around it.
///
/// Without it a pasted line end would be Enter, and a pasted `q` the end.
struct PasteReader {
    /// What curses is told to call the two signs: numbers beyond its own.
    static let (beginCode, endCode): (Int32, Int32) = (1024, 1025)
    /// Of a longer text the rest is left out.
    static let limit = 10_000

    private var scalars: [Unicode.Scalar] = []
    /// Whether the end of a text has not come yet.
    private(set) var isReading = false

    /// Begins a text.
    mutating func begin() {
        isReading = true
        scalars = []
    }

    /// Takes a character of the text in.
    mutating func take(_ value: UInt32) {
        guard scalars.count < Self.limit, let scalar = Unicode.Scalar(value) else { return }
        scalars.append(scalar == "\r" ? "\n" : scalar)
    }

    /// Ends the text, and gives it.
    mutating func end() -> String {
        isReading = false
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}

extension TerminalListView {
    /// Takes pasted text: into the prompt, or where keys are text; elsewhere nothing happens, so
    /// that no paste is taken for keys.
    ///
    /// Line ends become spaces.
    public func handle(pasted text: String) -> KeyResponse {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        if help != nil || choices != nil { return .unknown }
        if let old = prompt {
            prompt?.insert(line)
            if let text = prompt?.text, text != old.text { old.onChange(text) }
            return .handled
        }
        guard case .type(let type) = keys.typingAction else { return .unknown }
        setNeedsDisplay()
        for character in line { type(character) }
        return .handled
    }
}
