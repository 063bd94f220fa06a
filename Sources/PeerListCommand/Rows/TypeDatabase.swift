// Avahi's own database of service types, where it is installed: what it calls them in English.
import FoundationEssentials
import Glibc

/// Reads what Avahi calls the service types.
///
/// The database comes as lines, `_ipp._tcp:Internet Printer`, or as a file of
/// GNU dbm with the same keys and values. Of the latter nothing is wanted but
/// every pair once, so it is read here and needs no library. Whatever is
/// damaged gives fewer names, or none.
enum TypeDatabase {
    /// More than this is not read.
    private static let limit = 1 << 20

    /// The names of the types in the first database that has some.
    ///
    /// - Parameter folders: Where the system keeps its data and its libraries.
    /// - Returns: The names by type; none where there is no database.
    static func titles(folders: [String] = ["/usr/share", "/usr/lib", "/usr/lib64"]) -> [String:
        String]
    {
        for path in paths(folders) {
            let titles = titles(in: bytes(of: path))
            if !titles.isEmpty { return titles }
        }
        return [:]
    }

    /// The names of the types in a database; those in another language than English are passed over.
    static func titles(in bytes: [UInt8]) -> [String: String] {
        let pairs = HashFile(bytes)?.pairs ?? lines(bytes)
        var titles: [String: String] = [:]
        for (key, value) in pairs where key.hasPrefix("_") && !key.contains("[") {
            if !value.isEmpty, value.utf8.count <= 100 { titles[key.lowercased()] = value }
        }
        return titles
    }

    private static func paths(_ folders: [String]) -> [String] {
        folders.flatMap { folder in
            // Debian has a folder for each kind of machine.
            let inside = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let machines = inside.filter { $0.contains("-linux-") }.sorted()
            return ["\(folder)/avahi/service-types"]
                + ([""] + machines.map { "/\($0)" }).map {
                    "\(folder)\($0)/avahi/service-types.db"
                }
        }
    }

    private static func bytes(of path: String) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return [] }
        defer { close(file) }
        return unsafe [UInt8](unsafeUninitializedCapacity: limit) { room, count in
            while count < limit {
                let start = unsafe room.baseAddress.map { unsafe $0 + count }
                let got = unsafe read(file, start, limit - count)
                guard got > 0 else { return }
                count += got
            }
        }
    }

    private static func lines(_ bytes: [UInt8]) -> [(String, String)] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return (
                String(decoding: line[..<colon], as: UTF8.self),
                String(decoding: line[(colon + 1)...], as: UTF8.self)
            )
        }
    }
}

/// A file of GNU dbm, as little-endian machines with 64-bit offsets write it.
private struct HashFile {
    private let bytes: [UInt8]
    private var directory = 0..<0
    private var elementCount = 0

    /// Avahi's has a directory of 512 buckets with 166 elements each; far larger ones are refused.
    private static let most = 4_096

    /// The file; `nil` where these bytes are none.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard let magic = number(at: 0, 4), [0x1357_9ACF, 0x1357_9AD1].contains(magic),
            let start = number(at: 8, 8), let size = number(at: 16, 4),
            let count = number(at: 28, 4), start < bytes.count, size <= bytes.count - start,
            size <= 8 * Self.most, count <= Self.most
        else { return nil }
        directory = start..<start + size
        elementCount = count
    }

    /// All keys with their values.
    var pairs: [(String, String)] {
        var seen: Set<Int> = []
        return stride(from: directory.lowerBound, to: directory.upperBound, by: 8).flatMap {
            place in
            guard let bucket = number(at: place, 8), seen.insert(bucket).inserted else {
                return [(String, String)]()
            }
            return pairs(inBucket: bucket)
        }
    }

    /// A bucket: how much of it is free and where, two numbers, and its elements of 24 bytes each.
    private func pairs(inBucket bucket: Int) -> [(String, String)] {
        (0..<elementCount).compactMap { place in
            let element = bucket + 8 + 6 * 16 + 8 + 24 * place
            guard number(at: element, 4) != 0xFFFF_FFFF, let start = number(at: element + 8, 8),
                let keySize = number(at: element + 16, 4), let size = number(at: element + 20, 4),
                let key = text(at: start, keySize), let value = text(at: start + keySize, size)
            else { return nil }
            return (key, value)
        }
    }

    /// A little-endian number below 2^40; `nil` where there is none.
    private func number(at place: Int, _ size: Int) -> Int? {
        guard place >= 0, place <= bytes.count - size else { return nil }
        var number: UInt64 = 0
        for byte in bytes[place..<place + size].reversed() { number = number << 8 | UInt64(byte) }
        return number < 1 << 40 ? Int(number) : nil
    }

    private func text(at place: Int, _ size: Int) -> String? {
        guard place < bytes.count, size <= bytes.count - place else { return nil }
        return String(validating: bytes[place..<place + size], as: UTF8.self)
    }
}
