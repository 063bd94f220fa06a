// Standard output of `peerlist types`: the types that are announced, counted, at the end.
import PeerList
import TerminalList

/// Gives the types of the list out once, when the session ends.
final class TypesOutput: ListOutput {
    private let writer: LineWriter
    private let isJSON: Bool
    private let charset: Charset
    private let columns: Int?
    private var notices: [Notice] = []

    /// A table, or lines of JSON, on a descriptor that stays open; on a terminal it fits the width.
    init(
        descriptor: Int32, isJSON: Bool, charset: Charset,
        onEvent: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        writer = LineWriter(descriptor: descriptor, onEvent: onEvent)
        self.isJSON = isJSON
        self.charset = charset
        columns = FrameSize(ofWindow: descriptor)?.columns
    }

    func begin(_ header: LineHeader, at time: Timestamp) {}

    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {}

    func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) { notices.append(notice) }

    func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {
        for notice in notices { complain(notice.message) }
        guard reason == .finished else { return }
        let counts = TypeCount.all(in: list())
        let text = isJSON ? TypeCount.json(counts) : Self.table(counts, charset, columns)
        writer.write(Array(text.utf8))
    }

    func close(within limit: Duration) async -> LineFailure? { await writer.close(within: limit) }

    /// The table with its last line feed; where nothing is announced, it says so and what to try.
    static func table(_ counts: [TypeCount], _ charset: Charset, _ columns: Int?) -> String {
        guard !counts.isEmpty else {
            return """
                No service is announced here.
                What to try:
                  - wait longer: --timeout 15
                  - see what stands in the way: peerlist doctor

                """
        }
        var table = TextTable(heading: ["TYPE", "NAME", "SERVICES", "DEVICES"], charset: charset)
        for count in counts {
            table.add([count.type, count.title ?? "-", "\(count.services)", "\(count.devices)"])
        }
        return table.lines(fitting: columns).map { "\($0)\n" }.joined()
    }
}
