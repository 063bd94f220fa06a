// A text file read or written as a whole.
import Glibc

/// A text file read or written as a whole.
package enum TextFile {
    /// The file cannot be opened.
    package struct Failure: Error {
        let path: String
        let code: Int32
    }

    /// The text of a file; bytes that are no UTF-8 are replaced.
    package static func read(_ path: String) throws -> String {
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

    /// Makes the file, in the place of one that may be there.
    package static func write(_ text: String, to path: String) throws {
        guard let file = unsafe fopen(path, "w") else { throw Failure(path: path, code: errno) }
        defer { unsafe fclose(file) }
        let bytes = Array(text.utf8)
        unsafe fwrite(bytes, 1, bytes.count, file)
    }

    /// The blocks of code of a kind in a section of a page of `docs`, up to the next section.
    ///
    /// - Parameters:
    ///   - kind: The kind, such as `sh`.
    ///   - title: The heading of the section, such as `## Recipes`.
    ///   - page: The name of the page.
    /// - Returns: The texts of the blocks, in order; none if there is no such section.
    /// - Throws: ``Failure`` when there is no such page.
    package static func blocks(_ kind: String, under title: String, of page: String) throws
        -> [String]
    {
        let text = try read(BuiltProducts.package + "/docs/" + page)
        let level = title.prefix { $0 == "#" }
        let section =
            text.split(separator: "\n\(title)\n").dropFirst().first?
            .split(separator: "\n\(level) ", omittingEmptySubsequences: false).first ?? ""
        return section.split(separator: "```", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\(kind)\n") }
            .map { String($0.element.dropFirst(kind.count + 1)) }
    }
}
