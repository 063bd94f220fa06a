// Measures DiffCore and the standard library in one process.
import FoundationEssentials
import Glibc

@main struct DiffBench {
    static func main() throws {
        let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
        let report = try Report(arguments.purpose)
        measure(identifiers: "UUID", arguments, report, make: UUID.init(number:))
        measure(identifiers: "Int", arguments, report) { $0 }
        measure(identifiers: "String", arguments, report) { "peer-\($0)._ssh._tcp.local" }
        guard try report.finish() else { exit(1) }
    }

    /// Measures every workload with one kind of identifiers.
    private static func measure<Identifier: Hashable & Sendable>(
        identifiers: String, _ arguments: Arguments, _ report: Report,
        make: @escaping (Int) -> Identifier
    ) {
        let maker = WorkloadMaker(identifier: make)
        for workload in maker.all {
            let title = "\(identifiers) \(workload.name)"
            guard report.wants(title), arguments.filter.isEmpty || title.contains(arguments.filter)
            else { continue }
            let events = Events(lists: workload.make(), sectionCount: workload.sectionCount)
            let reference = workload.isSingleChange ? events.equality : events.makingSet
            var contestants = [events.byIdentifier, events.asBatch, reference]
            if report.isComplete, !events.hasManyChanges, workload.sectionCount == 1 {
                contestants.append(events.standard)
            }
            report.report {
                let times = medians(of: contestants)
                return Row(
                    identifiers: identifiers, name: workload.name, byIdentifier: times[0],
                    asBatch: times[1], reference: times[2], referenceName: reference.name,
                    standard: times.count > 3 ? times[3] : nil)
            }
        }
        for (name, make) in EditMaker(identifier: make).all {
            let title = "\(identifiers) \(name)"
            guard report.wants(title), arguments.filter.isEmpty || title.contains(arguments.filter)
            else { continue }
            let edit = make()
            report.report {
                let times = medians(of: [edit.ours, edit.reference])
                return Row(
                    identifiers: identifiers, name: name, byIdentifier: times[0], asBatch: nil,
                    reference: times[1], referenceName: edit.reference.name, standard: nil)
            }
        }
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
