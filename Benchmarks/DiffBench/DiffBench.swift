// Measures DiffCore and the standard library in one process.
public import DiffCore
public import FoundationEssentials
import Glibc

extension UUID: BitwiseIdentifier {}

@main struct DiffBench {
    static func main() throws {
        let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
        let report = try Report(arguments.purpose)
        measure(identifiers: "UUID", arguments, report) { number in
            // Pseudorandom bytes, the same in every run.
            var generator = Generator(state: UInt64(number))
            let bytes = (generator.next(), generator.next())
            return unsafe unsafeBitCast(bytes, to: UUID.self)
        }
        measure(identifiers: "Int", arguments, report) { $0 }
        measure(identifiers: "String", arguments, report) { "peer-\($0)._ssh._tcp.local" }
        guard try report.finish() else { exit(1) }
    }

    /// Measures every workload with one kind of identifiers.
    static func measure<Identifier: Hashable & Sendable>(
        identifiers: String, _ arguments: Arguments, _ report: Report,
        make: @escaping (Int) -> Identifier
    ) {
        let maker = WorkloadMaker(identifier: make)
        // The aims are set for UUIDs: see docs/performance.md.
        func aim(_ ratio: Double) -> Double? { identifiers == "UUID" ? ratio : nil }
        let bench = Bench<Identifier>(
            identifiers: identifiers, filter: arguments.filter, report: report)
        bench.compareToSet(maker.readme(5_000, edits: 1_000, shuffled: 200), limit: aim(0.10))
        bench.compareToSet(maker.readme(100_000, edits: 10_000, shuffled: 2_000), limit: aim(0.05))
        bench.compareToSet(maker.readmeScattered(5_000, edits: 1_000, shuffled: 200))
        bench.compareToSet(maker.readmeScattered(100_000, edits: 10_000, shuffled: 2_000))
        for count in [10, 100, 1_000, 10_000, 100_000] {
            let hasAim = count == 10_000
            bench.compareToEquality(maker.arrival(count), limit: hasAim ? aim(0.45) : nil)
            bench.compareToEquality(maker.departure(count), limit: hasAim ? aim(0.45) : nil)
            bench.compareToEquality(maker.move(count), limit: hasAim ? aim(0.6) : nil)
        }
        bench.compareToSet(maker.scattered(100_000))
        bench.compareToSet(maker.reversed(10_000))
        bench.compareToSet(maker.shuffled(10_000))
        bench.compareToSet(maker.shuffled(100_000))
        bench.compareToSet(maker.replaced(10_000))
        bench.compareToSet(maker.replaced(100_000))
        bench.compareToEquality(maker.unchanged(10_000))
        bench.compareToEquality(maker.arrival(10_000), sections: 10)
        for count in [10, 100, 1_000, 10_000, 100_000] {
            bench.rebuild(maker.arrival(count), limit: count < 1_000 ? nil : aim(0.05))
        }
        bench.rebuild(maker.arrival(10_000), sections: 10)
    }
}

/// The use of the measurements.
enum Purpose: Equatable {
    /// Print a table.
    case table
    /// Write the ratios to a file.
    case writeRatios(path: String)
    /// Compare the ratios with those in a file.
    case guardRatios(path: String)
}

/// The arguments of the benchmark.
struct Arguments {
    let purpose: Purpose
    /// A text that the measured cases contain in their identifiers or name.
    let filter: String

    /// Reads `[--write-ratios FILE | --guard FILE] [FILTER …]`.
    init(_ arguments: [String]) {
        switch (arguments.first, arguments.dropFirst().first) {
        case ("--write-ratios", let path?): purpose = .writeRatios(path: path)
        case ("--guard", let path?): purpose = .guardRatios(path: path)
        default: purpose = .table
        }
        filter = arguments.dropFirst(purpose == .table ? 0 : 2).joined(separator: " ")
    }
}
