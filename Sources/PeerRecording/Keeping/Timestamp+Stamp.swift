// Moments in the names of files: ISO 8601 without punctuation, whole seconds.
import PeerList

extension Timestamp {
    /// How many bytes a stamp has.
    static let stampLength = 16

    /// The second of the moment, in UTC: `20261121T083000Z`.
    var stamp: String { description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z" }

    /// The moment of a stamp; `nil` if it is written in any other way.
    init?(stamp: String) {
        // Bytes, since a name that somebody else has given may hold any characters.
        let bytes = Array(stamp.utf8)
        guard bytes.count == Self.stampLength, bytes[8] == UInt8(ascii: "T"),
            bytes[15] == UInt8(ascii: "Z")
        else { return nil }
        let date = [bytes[0..<4], bytes[4..<6], bytes[6..<8]].joined(separator: "-".utf8)
        let time = [bytes[9..<11], bytes[11..<13], bytes[13..<15]].joined(separator: ":".utf8)
        let text = Array(date) + Array("T".utf8) + Array(time) + Array(".000000Z".utf8)
        self.init(text: text.span)
    }
}
