// A whole file at once, unpacked, where it is of a sensible size.

/// The bytes of a file, unpacked where gzip has packed them.
///
/// - Parameters:
///   - path: The name of the file.
///   - limit: How many bytes are read at the most; the rest is left.
/// - Returns: The bytes, or `nil` where it cannot be read.
package func unpackedFile(at path: String, limit: Int = 4 << 20) -> [UInt8]? {
    var all: [UInt8] = []
    do throws(RecordingError) {
        let file = try GzipBytes(path: path)
        while all.count < limit, case let more = try file.read(), !more.isEmpty { all += more }
        return all
    } catch {
        return nil
    }
}
