// Names the maker of a network interface, from the registries of the IEEE.
import Glibc
import Synchronization

/// The makers of MAC addresses, according to the files of Debian's package `ieee-data`, if they are installed.
///
/// A block of addresses is assigned by its first 24, 28 or 36 bits; the longest prefix counts. The first lookup reads
/// the files once, and keeps an index with 8 bytes for each assignment, 0.4 MB in all. Names stay in the files. A
/// bounded number of answers is remembered, because strangers may announce any number of MAC addresses.
package struct MakerRegistry: Sendable {
    /// The maximum number of answers that are remembered.
    static let answerLimit = 1_024

    package static let usualDirectory = "/usr/share/ieee-data"

    private var files: [AssignmentFile]
    private var isIndexed = false
    /// The names for the first 36 bits of addresses, or `nil` for an address of no known maker.
    private var answers: [UInt64: String?] = [:]

    /// Creates a registry of the files in a directory; the files are not read before the first lookup.
    package init(directory: String = usualDirectory) {
        files = [("oui36.txt", 36), ("mam.txt", 28), ("oui.txt", 24)].map { name, bits in
            AssignmentFile(path: "\(directory)/\(name)", bits: bits)
        }
    }

    /// Returns the name of the maker of an address, or `nil` if none is known.
    ///
    /// - Complexity: O(log *n*) in the assignments after the first call.
    package mutating func maker(of mac: MACAddress) -> String? {
        guard mac.isUniversal else { return nil }
        let key = mac.number >> 12
        if let answer = answers[key] { return answer }
        if !isIndexed {
            for index in files.indices { files[index].readIndex() }
            isIndexed = true
        }
        let name = files.lazy.compactMap { $0.holder(of: mac) }.first
        // The authority holds the prefixes that it divides; private holders have no name in the
        // file.
        let answer = ["IEEE Registration Authority", "Private"].contains(name) ? nil : name
        if answers.count >= Self.answerLimit { answers = [:] }
        answers[key] = .some(answer)
        return answer
    }
}

extension MakerRegistry {
    /// Returns a function that names makers; its first call reads the files of the registry.
    package static func lookup(directory: String = usualDirectory)
        -> @Sendable (MACAddress) -> String?
    {
        let registry = Mutex(MakerRegistry(directory: directory))
        return { mac in registry.withLock { $0.maker(of: mac) } }
    }
}

/// A file of assignments of one length, with an index of the assignments.
///
/// An assignment is two lines and the holder's postal address:
///
///     74-1A-E0   (hex)                      Example Lighting Ltd.
///     900000-9FFFFF     (base 16)           Example Lighting Ltd.
private struct AssignmentFile {
    /// The maximum number of assignments in the index.
    static let limit = 131_072
    /// The maximum length of a line, and so of a name, in bytes.
    static let lineLimit = 4_096

    let path: String
    /// The length of the assigned prefixes.
    let bits: Int
    /// The number of bits of an offset in the index; longer files are read up to there.
    private static let offsetBits = 28
    /// The assigned prefixes, in order, each followed by the offset of its first line.
    private var index: [UInt64] = []

    init(path: String, bits: Int) {
        self.path = path
        self.bits = bits
    }

    mutating func readIndex() {
        var index: [UInt64] = []
        forEachAssignment(from: 0) { prefix, offset, _ in
            guard offset >> Self.offsetBits == 0 else { return false }
            index.append(prefix << Self.offsetBits | UInt64(offset))
            return index.count < Self.limit
        }
        self.index = index.sorted()
    }

    /// Returns the holder of an address's prefix by its first assignment, or `nil` if the file has no such assignment.
    func holder(of mac: MACAddress) -> String? {
        let wanted = mac.number >> (48 - bits)
        let first = index.partitionIndex { $0 >> Self.offsetBits >= wanted }
        guard first < index.count, index[first] >> Self.offsetBits == wanted else { return nil }
        let offset = index[first] & (1 << Self.offsetBits - 1)
        var name: String?
        forEachAssignment(from: Int(offset)) { prefix, _, holder in
            if prefix == wanted { name = String(decoding: holder, as: UTF8.self) }
            return false
        }
        return name?.isEmpty == true ? nil : name
    }

    /// Calls a closure with the prefix, the offset and the holder of each assignment, until it returns `false`.
    private func forEachAssignment(
        from start: Int, _ body: (UInt64, Int, ArraySlice<UInt8>) -> Bool
    ) {
        var first: (offset: Int, oui: UInt64)?
        forEachLine(from: start) { line, offset in
            guard line.first.flatMap(digit) != nil,
                let open = position(of: UInt8(ascii: "("), in: line),
                let close = position(of: UInt8(ascii: ")"), in: line[open...])
            else { return true }
            // The end of a range is not needed.
            let digits = line[..<open].lazy.filter { $0 != UInt8(ascii: "-") }.prefix(6)
            let number = digits.reduce(0) { $0 << 4 | (digit($1) ?? 0) }
            if line[open...].starts(with: "(hex)".utf8) {
                first = (offset, number)
                return true
            }
            guard let (offset, oui) = first else { return true }
            first = nil
            let name = line[(close + 1)...].drop { $0 <= 0x20 }
            let end = name.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? name.startIndex
            return body((oui << 24 | number) >> UInt64(48 - bits), offset, name[..<end])
        }
    }

    /// Calls a closure with each line from an offset on, and its offset, until it returns `false`.
    private func forEachLine(from start: Int, _ body: (ArraySlice<UInt8>, Int) -> Bool) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var offset = start
        var unread: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe pread(descriptor, &buffer, buffer.count, offset + unread.count)
            guard count > 0 else { return }
            unread += buffer.prefix(count)
            var rest = unread[...]
            while let end = position(of: 0x0a, in: rest) {
                guard body(rest[..<end], offset) else { return }
                offset += end + 1 - rest.startIndex
                rest = rest[(end + 1)...]
            }
            guard rest.count < Self.lineLimit else { return }
            unread = Array(rest)
        }
    }
}

/// Returns the index of the first byte of a value, or `nil` if there is none.
private func position(of byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
    unsafe bytes.withUnsafeBytes { memory in
        guard let start = memory.baseAddress,
            let found = unsafe memchr(start, Int32(byte), memory.count)
        else { return nil }
        return unsafe bytes.startIndex + (UnsafeRawPointer(found) - start)
    }
}

/// The value of a hexadecimal digit, or `nil` for any other byte.
private func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A")) + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
    default: nil
    }
}
