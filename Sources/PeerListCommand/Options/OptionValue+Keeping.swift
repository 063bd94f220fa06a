// Checks the values of what becomes of the output file.
import PeerList
import PeerRecording

extension OptionValue {
    /// The least size at which a file is put away, in bytes.
    static let leastSize = 1024

    /// `daily`, or a size in bytes, which K, M and G multiply by powers of 1024 as logrotate has them.
    static func rotation(_ text: String) throws(UsageError) -> Rotation {
        if text == "daily" { return .daily }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let factors = ["": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        guard !digits.isEmpty, let factor = factors[text.dropFirst(digits.count).uppercased()]
        else {
            throw UsageError(
                "--rotate: \(quoted(text)) is neither a size nor 'daily'; write one such as '100M'")
        }
        guard let number = Int(digits),
            case let (size, isTooLarge) = number.multipliedReportingOverflow(by: factor),
            !isTooLarge
        else {
            throw UsageError("--rotate: \(quoted(text)) is too large; write less")
        }
        guard size >= leastSize else {
            throw UsageError("--rotate: \(quoted(text)) is too small; '1K' is the least")
        }
        return .size(size)
    }

    /// How many old files are kept.
    static func count(_ text: String) throws(UsageError) -> Int {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }), text.count <= 9,
            let count = Int(text)
        else {
            throw UsageError(
                "--keep: \(quoted(text)) is not a number of files; write one such as '30'")
        }
        guard count > 0 else {
            throw UsageError(
                "--keep: '0' would delete each file when it is rotated; write at least '1'")
        }
        return count
    }
}
