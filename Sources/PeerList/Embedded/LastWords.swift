// The last of what a helper process said on standard error.

/// Keeps the last line of what comes, and little of it however much comes.
struct LastWords {
    /// How much of a line is kept, in bytes.
    static let limit = 400

    private var line: [UInt8] = []
    private var isComplete = false

    /// Takes what came next.
    mutating func append(_ bytes: some Collection<UInt8>) {
        for byte in bytes {
            if byte == 0x0a {
                isComplete = true
            } else {
                if isComplete { line = [] }
                isComplete = false
                if line.count < Self.limit { line.append(byte) }
            }
        }
    }

    /// The last line, or `nil` where nothing was said.
    var text: String? { line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
}
