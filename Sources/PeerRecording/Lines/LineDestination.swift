// Where the writing thread's lines go: a descriptor, or a file and those that take its place.
import Glibc
import PeerList

/// Where lines go; used by one thread alone.
struct LineDestination {
    private var lines: LineDescriptor?
    private var file: OutputFile?
    private var schedule: SyncSchedule
    private var sizeAtOpening: Int?
    private let tidier: Tidier?
    private let reportProblem: @Sendable (String) -> Void

    /// A descriptor that stays open.
    init(descriptor: Int32) {
        lines = LineDescriptor(descriptor, isTorn: false)
        schedule = SyncSchedule(.none)
        tidier = nil
        reportProblem = { _ in }
    }

    /// A file, which is closed with the lines.
    ///
    /// - Parameters:
    ///   - file: The file to begin with.
    ///   - sync: How soon lines are on the disk.
    ///   - reportProblem: Told of an old file that could not be put away, compressed or deleted.
    init(
        file: OutputFile, sync: SyncPolicy, reportProblem: @escaping @Sendable (String) -> Void
    ) {
        self.file = file
        self.reportProblem = reportProblem
        lines = LineDescriptor(file.descriptor, isTorn: file.isTorn)
        schedule = SyncSchedule(file.isRegular ? sync : .none)
        tidier = file.keeping.map { keeping in
            Tidier(file.keptFiles, count: keeping.count, report: reportProblem)
        }
        tidyUp()
    }

    /// When ``sync()`` is to be called even if nothing more is written.
    var syncDue: ContinuousClock.Instant? { schedule.due }

    /// Writes lines, however long it takes; a file that could not be opened is tried again.
    ///
    /// - Returns: Why it failed, or `nil`.
    mutating func write(_ block: [UInt8]) -> LineFailure? {
        if lines == nil, let failure = open() { return failure }
        if let failure = lines?.write(block) { return failure }
        return schedule.wrote(at: .now) ? sync() : nil
    }

    /// Brings what is written to the disk.
    ///
    /// - Returns: Why it failed, or `nil`.
    mutating func sync() -> LineFailure? {
        schedule.synced()
        return lines?.sync()
    }

    /// Goes on in another file.
    ///
    /// If the file cannot be put away, it is written on. If the next one cannot
    /// be opened, the lines fail, for the old one is no longer theirs.
    ///
    /// - Returns: Why the lines cannot go on, or `nil`.
    mutating func turn(_ turn: FileTurn) -> LineFailure? {
        guard let file else { return nil }
        if turn == .rotate, file.isInPlace {
            do throws(KeptFiles.Problem) {
                try file.keptFiles.putAway(at: .now())
            } catch {
                reportProblem(error.description)
                return nil
            }
        }
        if let failure = closeFile() { return failure }
        defer { if turn == .rotate { tidyUp() } }
        return open()
    }

    /// The bytes that were in the file when it was opened, if that was since this was called last.
    mutating func takeSizeAtOpening() -> Int? {
        defer { sizeAtOpening = nil }
        return sizeAtOpening
    }

    /// Has the old files put in order, beside the lines; to be called again when there is room for it.
    func tidyUp() { tidier?.wake() }

    /// Closes what is ours to close, and waits for the work on old files.
    ///
    /// - Returns: Why lines may be lost, or `nil`.
    mutating func close() -> LineFailure? {
        let failure = closeFile()
        tidier?.finish()
        return failure
    }

    private mutating func closeFile() -> LineFailure? {
        guard file != nil, lines != nil else { return nil }
        let failure = schedule.policy == .none ? nil : sync()
        lines = nil
        // Some file systems say only here that the disk was full.
        return file?.close() ?? failure
    }

    private mutating func open() -> LineFailure? {
        guard let former = file else { return nil }
        do throws(OutputFile.Refusal) {
            let next = try former.reopened()
            file = next
            lines = LineDescriptor(next.descriptor, isTorn: next.isTorn)
            sizeAtOpening = next.size
            return nil
        } catch {
            return error.isDiskFull ? .diskFull : .notOpened(error)
        }
    }
}
