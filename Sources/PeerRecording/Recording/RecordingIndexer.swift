// Reads a recording once from front to back, so that there is going to and fro in it.
import PeerList

/// Reads a recording, and tells how far it is.
///
/// A plain file is read where it lies. Of what cannot be read twice in any
/// order, a pipe, a compressed file or one that is followed, a copy is made.
public final class RecordingIndexer: @unchecked Sendable {
    // @unchecked: only `run` touches the recording, and it is called once; the rest never changes.
    private let recording: Recording
    private let copy: SpooledBytes?
    private let path: String

    /// Opens a recording.
    ///
    /// - Parameters:
    ///   - path: A file, or `-` for standard input.
    ///   - follows: Whether to wait at its end for more.
    /// - Throws: `RecordingError` where it cannot be opened, or no copy be made.
    public init(path: String, follows: Bool = false) throws(RecordingError) {
        self.path = path
        let bytes = try Recording.bytes(path, follows: follows)
        let isPlain = try (bytes as? GzipBytes)?.isPlainFile() ?? false
        copy = isPlain && path != "-" ? nil : try SpooledBytes(bytes)
        recording = Recording(copy ?? bytes)
    }

    /// Somewhere to read in what was read here, from any place.
    ///
    /// - Throws: `RecordingError` where it cannot be opened.
    public func playback() throws(RecordingError) -> Playback {
        try Playback(FileBytes(path: copy?.path ?? path, name: path))
    }

    /// Reads to the end on a thread of its own, and tells what is known by then; to be called once.
    ///
    /// - Parameter tell: Called on that thread, as ``run(every:_:)`` has it.
    /// - Returns: Whether there is a thread.
    public func start(_ tell: @escaping @Sendable (RecordingIndex) -> Bool) -> Bool {
        startThread { self.run(tell) } == 0
    }

    /// Reads to the end, and tells as often as wanted what is known by then; to be called once.
    ///
    /// It takes as long as the recording is, and may wait for more of it. Where the recording cannot
    /// be read on, that is damage, behind which nothing comes.
    ///
    /// - Parameters:
    ///   - lines: After how many lines it is told.
    ///   - tell: Called with what is known; `false` ends the reading.
    public func run(every lines: Int = 2000, _ tell: (RecordingIndex) -> Bool) {
        var index = RecordingIndex()
        var untold = 0
        do throws(RecordingError) {
            while let step = try recording.next() {
                index.take(step, of: recording)
                untold += 1
                // Of what comes through a pipe nobody shall wait for what is there.
                guard untold >= lines || (copy != nil && !recording.hasLineAtHand) else { continue }
                untold = 0
                if !tell(index) { return }
            }
        } catch {
            index.end(with: error, at: recording)
        }
        index.isComplete = true
        _ = tell(index)
    }
}
