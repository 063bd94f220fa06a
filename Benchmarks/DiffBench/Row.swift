// One line of the table of measurements.

/// A measured case, and what it is held against.
struct Row {
    let identifiers: String
    let name: String
    /// Nanoseconds.
    let ours: Double
    let reference: Double
    let referenceName: String
    var standard: Double?
    /// The greatest ratio to the reference that is aimed at.
    var limit: Double?

    /// By what the case is known.
    var title: String { "\(identifiers) \(name)" }

    var ratio: Double { ours / reference }

    /// The head of the table.
    static let header = """
        | ids | case | DiffCore | difference(from:) | × | held against | ratio | aim |
        |---|---|--:|--:|--:|--:|--:|--:|
        """

    /// Prints the line.
    func print() {
        let faster = standard.map { "\(Int(($0 / ours).rounded()))" } ?? "–"
        let aim = limit.map { "≤ \($0)" + (ratio <= $0 ? "" : ", missed") } ?? "–"
        let cells = [
            identifiers, name, time(ours), standard.map(time) ?? "–", faster,
            "\(referenceName) \(time(reference))", "\(rounded(ratio))", aim,
        ]
        Swift.print("| " + cells.joined(separator: " | ") + " |")
    }

    private func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1_000: "\(Int(nanoseconds.rounded())) ns"
        case ..<100_000: "\((nanoseconds / 100).rounded() / 10) µs"
        case ..<1_000_000: "\(Int((nanoseconds / 1_000).rounded())) µs"
        default: "\((nanoseconds / 100_000).rounded() / 10) ms"
        }
    }
}
