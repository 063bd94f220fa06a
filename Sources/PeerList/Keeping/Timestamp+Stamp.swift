// Moments in the names of files: ISO 8601 without punctuation, whole seconds.

extension Timestamp {
    /// How many characters a stamp has.
    static let stampLength = 16

    /// The second of the moment, in UTC: `20261121T083000Z`.
    var stamp: String { description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z" }

    /// The moment of a stamp; `nil` if it is written in any other way.
    init?(stamp: String) {
        guard stamp.utf8.count == Self.stampLength, stamp.hasSuffix("Z") else { return nil }
        let digits = Array(stamp)
        let date = [digits[0..<4], digits[4..<6], digits[6..<8]].map { String($0) }
        let time = [digits[9..<11], digits[11..<13], digits[13..<15]].map { String($0) }
        guard digits[8] == "T" else { return nil }
        self.init(
            date.joined(separator: "-") + "T" + time.joined(separator: ":") + ".000000Z")
    }
}
