// Reads a file of the system's, as far as it is of a sensible size.
import Glibc

/// More than this is not read of any file.
private let sizeLimit = 32 << 20

/// The bytes of a file, or `nil` where it cannot be read.
func bytes(of path: String) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return readAll(from: file)
}

/// The text of a file, invalid bytes replaced, or `nil` where it cannot be read.
func text(of path: String) -> String? {
    bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
}

/// What can be read from a descriptor before its end, or before there is more than is sensible.
func readAll(from descriptor: Int32) -> [UInt8]? {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while all.count < sizeLimit {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { break }
        all += buffer.prefix(count)
    }
    return all
}
