// What is in the files that a run has written: the current one and those that were put away.
import LabSupport

/// The files of `--output FILE --rotate`, as somebody finds them who reads them later.
struct KeptLines {
    /// The files, oldest first and the one that is written last.
    let paths: [String]

    /// Looks at what is there now.
    init(of path: String) async throws {
        let found = try await FinishedProcess(["sh", "-c", "ls -d \"$1\"-*; ls \"$1\"", "sh", path])
        paths = found.output.split(separator: "\n").map(String.init)
    }

    /// The files that were put away; one may be there twice while it is being compressed.
    var old: [String] { paths.filter { $0.contains("-20") } }

    /// The moments at which files were put away.
    var stamps: Set<Substring> { Set(old.map { $0.prefix { $0 != "Z" } }) }

    /// The lines of a file, compressed or not.
    func lines(of path: String) async throws -> [String] {
        let read = try await FinishedProcess(["gzip", "-dcf", path])
        guard read.status == 0 else { throw Broken(description: "\(path): \(read.errors)") }
        return read.output.split(separator: "\n").map(String.init)
    }

    /// Folds every file by itself.
    ///
    /// - Throws: At a line that does not fit, a file that gzip(1) does not take,
    ///   and one that does not begin with a list.
    /// - Returns: The list with which each one begins, and with which it ends.
    func folded() async throws -> [(begin: FoldedList, end: FoldedList)] {
        var all: [(begin: FoldedList, end: FoldedList)] = []
        for path in paths {
            var (begin, end) = (FoldedList(), FoldedList())
            let lines = try await lines(of: path)
            for line in lines.prefix(1) { try begin.fold(line) }
            for line in lines { try end.fold(line) }
            all.append((begin, end))
        }
        return all
    }

    /// Holds every file against the schema; says what is wrong.
    func faults() async throws -> String {
        let script = "gzip -dcf \"$@\" | '\(BuiltProducts.package)/Tests/Schema/validate'"
        let checked = try await FinishedProcess(["sh", "-c", script, "sh"] + paths)
        return checked.status == 0 ? "" : checked.output + checked.errors
    }

    /// What the differences of a run say, in order; runs are counted from the oldest.
    ///
    /// The files may be in the midst of being compressed, and the last line torn.
    func differences(inRun number: Int) async throws -> [Substring] {
        var runs: [(id: Substring, said: [Substring])] = []
        for path in paths where !path.hasSuffix(".tmp") && !paths.contains(path + ".gz") {
            for line in try await lines(of: path) {
                if line.contains(#""type":"begin""#),
                    let id = line.split(separator: #""run":""#).last?.prefix(36),
                    id != runs.last?.id
                {
                    runs.append((id, []))
                }
                if let said = Self.difference(line) { runs[runs.count - 1].said.append(said) }
            }
        }
        return runs.indices.contains(number) ? runs[number].said : []
    }

    /// What a line says, without its number, which every output counts for itself.
    static func difference(_ line: String) -> Substring? {
        guard line.contains(#""type":"diff""#) else { return nil }
        return line.split(separator: ",", maxSplits: 2).last
    }

    /// A file that cannot be read.
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }
}
