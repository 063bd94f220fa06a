// A text file read or written as a whole.
import Glibc

/// A text file read or written as a whole.
enum TextFile {
    /// The file cannot be opened.
    struct Failure: Error {
        let path: String
        let code: Int32
    }

    static func read(_ path: String) throws -> String {
        guard let file = unsafe fopen(path, "r") else { throw Failure(path: path, code: errno) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    static func write(_ text: String, to path: String) throws {
        guard let file = unsafe fopen(path, "w") else { throw Failure(path: path, code: errno) }
        defer { unsafe fclose(file) }
        let bytes = Array(text.utf8)
        unsafe fwrite(bytes, 1, bytes.count, file)
    }
}
