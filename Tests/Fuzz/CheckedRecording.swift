// What holds of every recording, whatever its bytes are, and how a list is written.
import FoundationEssentials
import PeerModel
import PeerRecording

/// Bytes from memory, in pieces, so that lines are also cut where pieces end.
final class MemoryBytes: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let piece: Int

    init(_ bytes: [UInt8], piece: Int) {
        rest = bytes[...]
        self.piece = piece
    }

    func read() -> [UInt8] {
        defer { rest = rest.dropFirst(piece) }
        return Array(rest.prefix(piece))
    }
}

/// Reads and folds bytes as a recording, and traps where something does not hold.
///
/// - Parameters:
///   - bytes: The text.
///   - piece: How many of them are read at once.
func checkRecording(_ bytes: [UInt8], piece: Int) {
    let recording = Recording(MemoryBytes(bytes, piece: piece))
    var steps = 0
    do throws(RecordingError) {
        while try recording.next() != nil { steps += 1 }
    } catch {
        fatalError("memory can be read: \(error)")
    }
    precondition(!recording.isLost || recording.list.count == 0, "a list that is not known")
    let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    precondition(steps <= lines, "\(steps) steps in \(lines) lines")
    guard !recording.isLost, recording.list.header != nil else { return }

    let list = recording.list
    precondition(list.listSections.reduce(0) { $0 + $1.items.count } == list.count)
    // The list itself is written and read like any other.
    let text = beginning(with: list)
    var again = RecordedList()
    do {
        try again.apply(RecordedLine(text, grouping: .device))
    } catch {
        fatalError("what was written is not read: \(error)")
    }
    precondition(beginning(with: again) == text, "what was read is not what was written")
}

private func beginning(with list: RecordedList) -> [UInt8] {
    guard let header = list.header else { return [] }
    var encoder = LineEncoder()
    return encoder.begin(header, sections: list.listSections, at: Timestamp(microseconds: 0))
}

/// The line that a list begins with.
func beginning(with sections: [ListSection], _ grouping: Grouping) -> [UInt8] {
    var encoder = LineEncoder()
    let id = Identity.uuid(forName: "me.local")
    let header = LineHeader(
        run: id, observerHost: "me.local", observerID: id, backend: "daemon", grouping: grouping)
    return encoder.begin(header, sections: sections, at: Timestamp(microseconds: 0))
}
