// What is wrong in the file of settings, and where.

/// What is wrong in the file of settings, and where.
struct ConfigError: Error, Equatable {
    /// The line, from 1.
    let line: Int
    /// The character of the line, from 1.
    let column: Int
    /// What is wrong and what to write, without a final full stop; safe to show.
    let message: String

    /// An error at a place.
    init(_ message: String, line: Int, column: Int) {
        self.message = message
        self.line = line
        self.column = column
    }

    /// The error as it is told: `PATH:3:9: …`.
    func description(in path: String) -> String {
        "\(path):\(line):\(column): \(message); see 'peerlist config --print'"
    }
}
