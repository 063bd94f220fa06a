// Reports measured cases as a table, as a file of ratios, or by comparing their ratios with a file.
import FoundationEssentials

/// Prints, writes or compares measurements.
final class Report {
    /// The factor by which a ratio may exceed the committed one.
    static let tolerance = 1.5
    /// The number of measurements of a case: their median is written, and their minimum compared.
    private static let attempts = 5

    private let purpose: Purpose
    private var file: RatioFile
    private var failureCount = 0
    private var count = 0

    /// Creates a report, and reads the committed ratios if they are needed.
    init(_ purpose: Purpose) throws {
        self.purpose = purpose
        file =
            if case .guardRatios(let path) = purpose { try RatioFile(path: path) } else { .init() }
        if purpose == .table { print(Row.header(toolchain: Self.toolchain)) }
    }

    /// The version of the compiler, with which the standard library comes.
    private static var toolchain: String {
        #if compiler(>=6.5)
            "Swift 6.5 or later"
        #elseif compiler(>=6.4)
            "Swift 6.4"
        #else
            "Swift 6.3"
        #endif
    }

    /// Whether the standard library's difference is measured too, which takes seconds.
    var isComplete: Bool { purpose == .table }

    /// Whether a case is measured: the ratios of lists of 100,000 items, which do not fit into the
    /// cache, depend on other programs and are only printed.
    func wants(_ name: String) -> Bool { purpose == .table || !name.contains("100000") }

    /// Measures a case once or several times, and reports it.
    func report(_ measure: () -> Row) {
        let row = measure()
        count += row.ratios.count
        switch purpose {
        case .table: row.print()
        case .writeRatios:
            let rows = [row] + (1..<Self.attempts).map { _ in measure() }
            for (number, ratio) in row.ratios.enumerated() {
                let ratios = rows.map { $0.ratios[number].ratio }.sorted()
                file.add(ratios[Self.attempts / 2], for: ratio.title)
            }
        case .guardRatios:
            for number in row.ratios.indices { compare(row, number, measure) }
        }
    }

    /// Compares the ratio at an index of a row with the committed ratio.
    private func compare(_ row: Row, _ number: Int, _ measure: () -> Row) {
        let title = row.ratios[number].title
        guard let committed = file.ratios[title] else {
            failureCount += 1
            print("\(title): has no committed ratio; write the ratios again")
            return
        }
        var least = row.ratios[number].ratio
        for _ in 1..<Self.attempts where least > Self.tolerance * committed {
            least = min(least, measure().ratios[number].ratio)
        }
        guard least > Self.tolerance * committed else { return }
        failureCount += 1
        print("\(title): \(rounded(least)), committed \(rounded(committed))")
    }

    /// Finishes the report, and returns whether no ratio exceeds its limit.
    func finish() throws -> Bool {
        switch purpose {
        case .table: break
        case .writeRatios(let path): try file.write(to: path)
        case .guardRatios:
            print("\(count) cases, \(failureCount) worse than \(Self.tolerance) times their ratios")
        }
        return failureCount == 0 && count > 0
    }
}

/// A ratio to three places.
func rounded(_ ratio: Double) -> Double { (ratio * 1_000).rounded() / 1_000 }

/// A measured case and its reference.
struct Row {
    let identifiers: String
    let name: String
    /// The time in nanoseconds of edits, or of an event whose changes are read by identifier.
    let byIdentifier: Double
    /// The time of an event whose changes are read as a batch update.
    let asBatch: Double?
    let reference: Double
    let referenceName: String
    let standard: Double?

    /// The name of the case with its identifiers.
    var title: String { "\(identifiers) \(name)" }

    /// The ratios to the reference that are compared, with their names.
    var ratios: [(title: String, ratio: Double)] {
        let batch = asBatch.map { ("\(title), batch", $0 / reference) }
        return [(title, byIdentifier / reference)] + (batch.map { [$0] } ?? [])
    }

    /// Returns the header of the table, with the version whose `difference(from:)` is measured.
    static func header(toolchain: String) -> String {
        """
        | ids | case | by identifier | batch | difference(from:), \(toolchain) | × | reference | ratio |
        |---|---|--:|--:|--:|--:|--:|--:|
        """
    }

    /// Prints the line.
    func print() {
        let faster = standard.map { "\(Int(($0 / byIdentifier).rounded()))" } ?? "–"
        let cells = [
            identifiers, name, time(byIdentifier), asBatch.map(time) ?? "–",
            standard.map(time) ?? "–", faster, "\(referenceName) \(time(reference))",
            "\(rounded(byIdentifier / reference))",
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

/// The committed ratios to the standard library's times, by the names of the cases.
struct RatioFile {
    private(set) var ratios: [String: Double] = [:]
    private var names: [String] = []

    init() {}

    /// Reads a file; lines that are not a ratio and a name are ignored.
    init(path: String) throws {
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let ratio = Double(parts[0]) else { continue }
            add(ratio, for: String(parts[1]))
        }
    }

    mutating func add(_ ratio: Double, for name: String) {
        if ratios.updateValue(ratio, forKey: name) == nil { names.append(name) }
    }

    func write(to path: String) throws {
        let head = """
            # The times of DiffCore as multiples of the standard library's: see README.md.
            # Written by DiffBench --write-ratios; `make bench-guard` fails at more than 1.5 times the ratio.

            """
        let lines = names.map { "\(rounded(ratios[$0] ?? 0)) \($0)\n" }
        try (head + lines.joined()).write(toFile: path, atomically: true, encoding: .utf8)
    }
}
