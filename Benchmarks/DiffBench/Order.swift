// What the bench is asked for on its command line.

/// What is done with the measurements.
enum Purpose: Equatable {
    /// Print a table.
    case table
    /// Write the ratios to a file.
    case writeRatios(path: String)
    /// Hold the ratios against those in a file.
    case guardRatios(path: String)
}

/// What the bench is asked for.
struct Order {
    let purpose: Purpose
    /// Only cases whose identifiers and name contain this are measured.
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
