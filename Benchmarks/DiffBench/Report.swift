// What becomes of each measured case: a line of a table, of a file, or a complaint.

/// Takes measurements and does with them what was asked for.
final class Report {
    /// A case is complained about when its ratio is so many times the committed one.
    static let tolerance = 1.5
    /// How often a case is measured before it is: the machine may have been busy elsewhere.
    private static let attempts = 5

    private let purpose: Purpose
    private var file: RatioFile
    private var complaints = 0
    private var count = 0

    /// A report, and with it the committed ratios if they are needed.
    init(_ purpose: Purpose) throws {
        self.purpose = purpose
        file =
            if case .guardRatios(let path) = purpose { try RatioFile(path: path) } else { .init() }
        if purpose == .table { print(Row.header) }
    }

    /// Whether the standard library's difference is measured as well, which takes seconds.
    var isComplete: Bool { purpose == .table }

    /// Whether a case is measured. Lists of 100,000 items do not fit the cache, and what else the
    /// machine does decides their ratios.
    func wants(_ name: String) -> Bool { purpose == .table || !name.contains("100000") }

    /// Takes a case, which it may measure several times.
    func take(_ measure: () -> Row) {
        count += 1
        let row = measure()
        switch purpose {
        case .table: row.print()
        case .writeRatios: file.add(row.ratio, for: row.title)
        case .guardRatios: hold(row, measure)
        }
    }

    private func hold(_ row: Row, _ measure: () -> Row) {
        guard let committed = file.ratios[row.title] else {
            complaints += 1
            print("\(row.title): has no committed ratio; write them anew")
            return
        }
        var ratio = row.ratio
        for _ in 1..<Self.attempts where ratio > Self.tolerance * committed {
            ratio = min(ratio, measure().ratio)
        }
        guard ratio > Self.tolerance * committed else { return }
        complaints += 1
        print("\(row.title): \(rounded(ratio)), committed \(rounded(committed))")
    }

    /// Finishes the report, and says whether all is well.
    func finish() throws -> Bool {
        switch purpose {
        case .table: break
        case .writeRatios(let path): try file.write(to: path)
        case .guardRatios:
            print("\(count) cases, \(complaints) worse than \(Self.tolerance) times their ratios")
        }
        return complaints == 0 && count > 0
    }
}

/// A ratio to three places.
func rounded(_ ratio: Double) -> Double { (ratio * 1_000).rounded() / 1_000 }
