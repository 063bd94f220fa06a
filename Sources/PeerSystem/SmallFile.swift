// Reads whole files of a bounded size.
import Glibc

/// The reason why a file could not be read as a whole.
package enum SmallFileError: Error, Equatable {
    /// A system call failed with this error number.
    case system(Int32)
    case notRegular
    case tooLarge
}

/// Reads a whole regular file of at most a size in bytes; files of proc(5) are regular. A pipe or a
/// device in its place does not block.
package func readFile(_ path: String, limit: Int = 64 << 10) throws(SmallFileError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }
    return try readAll(of: descriptor, limit: limit)
}

extension FileEntry {
    /// Reads the whole file, if it is a regular file of at most a size in bytes; returns `nil` if the name
    /// is free.
    package func read(limit: Int) throws(FileRefusal) -> Result<[UInt8], SmallFileError>? {
        guard status != nil else { return nil }
        let descriptor = try open(O_RDONLY)
        do throws(SmallFileError) {
            return .success(try readAll(of: descriptor, limit: limit))
        } catch {
            return .failure(error)
        }
    }
}

/// Reads a whole regular file, and closes its descriptor.
private func readAll(of descriptor: Int32, limit: Int) throws(SmallFileError) -> [UInt8] {
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .system(errno) }
        if count == 0 { return all }
        all += buffer.prefix(count)
        guard all.count <= limit else { throw .tooLarge }
    }
}

/// Reads a whole text file, replacing invalid UTF-8; returns `nil` if it cannot be read.
package func readText(_ path: String, limit: Int = 64 << 10) -> String? {
    (try? readFile(path, limit: limit)).map { String(decoding: $0, as: UTF8.self) }
}
