// The committed ratios: a line for each case, its ratio and its name.
import FoundationEssentials

/// Ratios to the toolchain's own, by the name of the case.
struct RatioFile {
    private(set) var ratios: [String: Double] = [:]
    private var names: [String] = []

    init() {}

    /// Reads a file; what is no ratio and a name is passed over, as comments are.
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
            # What DiffCore takes, as a multiple of what the toolchain's own takes: see docs/performance.md.
            # Written by DiffBench --write-ratios; `make bench-guard` fails where it is 1.5 times as much.

            """
        let lines = names.map { "\(rounded(ratios[$0] ?? 0)) \($0)\n" }
        try (head + lines.joined()).write(toFile: path, atomically: true, encoding: .utf8)
    }
}
