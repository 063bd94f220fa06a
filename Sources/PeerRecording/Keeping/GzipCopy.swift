// A compressed copy of a file, which is there only when it is whole.
import CZlib
import Glibc

/// Compresses one old file in place: a copy is made and brought to the disk, then the plain one goes.
///
/// Whatever ends the program in between, either of the two is whole.
struct GzipCopy {
    /// The plain file.
    let source: String
    /// Where the copy is made.
    let unfinished: String
    /// Where it stands when it is whole.
    let target: String

    /// What is held in memory at once of the file.
    private static let blockSize = 64 << 10

    /// Makes the copy; the plain file is left.
    ///
    /// - Throws: `KeptFiles.Problem`; nothing of the copy is left then.
    /// - Complexity: O(length of the file), in constant memory.
    func make() throws(KeptFiles.Problem) {
        let input = unsafe open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else { throw problem(errno) }
        defer { close(input) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let output = unsafe open(unfinished, flags, 0o600)
        guard output >= 0 else { throw problem(errno) }
        defer { close(output) }

        let code = compress(input, output) ?? finish(input, output)
        guard let code else { return }
        unsafe unlink(unfinished)
        throw problem(code)
    }

    /// Whether the target is a whole copy of the source, as when only removing the source was left to do.
    ///
    /// The last eight bytes of a gzip file are the checksum and the length of what is in it (RFC 1952,
    /// section 2.3.1).
    var isMade: Bool {
        let made = unsafe open(target, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        let input = unsafe open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        defer {
            close(made)
            close(input)
        }
        let size = lseek(made, 0, SEEK_END)
        var trailer = [UInt8](repeating: 0, count: 8)
        guard size >= 18, unsafe pread(made, &trailer, 8, size - 8) == 8 else { return false }
        var (sum, length) = (UInt(0), UInt32(0))
        let failure = unsafe eachBlock(of: input) { block in
            sum = unsafe crc32(sum, block.baseAddress, UInt32(block.count))
            length &+= UInt32(block.count)
            return nil
        }
        return failure == nil && trailer == littleEndian(UInt32(sum)) + littleEndian(length)
    }

    /// Writes the source through zlib; returns the `errno` of what failed.
    private func compress(_ input: Int32, _ output: Int32) -> Int32? {
        // zlib closes what it is given, and the copy has yet to be brought to the disk.
        let given = dup(output)
        guard given >= 0 else { return errno }
        guard let stream = unsafe gzdopen(given, "wb") else {
            close(given)
            return ENOMEM
        }
        let failure = unsafe eachBlock(of: input) { block in
            let count = unsafe gzwrite(stream, block.baseAddress, UInt32(block.count))
            return count == block.count ? nil : errno
        }
        let closed = unsafe gzclose(stream)
        return failure ?? (closed == Z_OK ? nil : errno)
    }

    /// Gives the copy the file's rights, owner and time, brings it to the disk, and puts it in its place.
    private func finish(_ input: Int32, _ output: Int32) -> Int32? {
        var status = stat()
        guard unsafe fstat(input, &status) == 0 else { return errno }
        // Only root may give a file away; for anybody else it is his already.
        _ = fchown(output, status.st_uid, status.st_gid)
        guard fchmod(output, status.st_mode & 0o7777) == 0,
            unsafe futimens(output, [status.st_atim, status.st_mtim]) == 0,
            fsync(output) == 0, unsafe rename(unfinished, target) == 0
        else { return errno }
        return nil
    }

    /// Reads a file block by block; stops at the first `errno`, also one that `body` returns.
    private func eachBlock(
        of input: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Int32?
    ) -> Int32? {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        while true {
            let count = unsafe read(input, &block, block.count)
            guard count != 0 else { return nil }
            guard count > 0 else { return errno }
            let code = unsafe block.withUnsafeBufferPointer {
                unsafe body(UnsafeBufferPointer(rebasing: $0[..<count]))
            }
            if let code { return code }
        }
    }

    private func problem(_ code: Int32) -> KeptFiles.Problem {
        KeptFiles.Problem("'\(source)' could not be compressed", code: code)
    }
}

private func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
