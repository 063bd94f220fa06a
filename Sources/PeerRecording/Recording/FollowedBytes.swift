// The bytes of a file that somebody still writes to, also when it is rotated.
import Glibc

/// The bytes of a growing file; at its end it waits for more.
///
/// Where another file takes the place of this one, as with rotation, it reads
/// this one to its end and goes on with the other. A file that has become
/// shorter than what was read of it is read from its beginning again. Used by
/// one thread at a time.
final class FollowedBytes: ByteSource {
    private let path: String
    private var file: OpenFile
    private let watch: Int32
    private var watched: Int32 = -1
    private var endsInLineFeed = true

    /// The bytes of a file.
    ///
    /// - Throws: `RecordingError` where it cannot be opened, watched, or is compressed.
    init(path: String) throws(RecordingError) {
        self.path = path
        guard let file = OpenFile(path) else {
            throw RecordingError(refusing: path, "cannot be opened")
        }
        self.file = file
        watch = inotify_init1(Int32(IN_CLOEXEC))
        guard watch >= 0 else { throw RecordingError(refusing: path, "cannot be followed") }
        watchFile()
        var start: [UInt8] = [0, 0]
        if unsafe pread(file.descriptor, &start, 2, 0) == 2, start == [0x1F, 0x8B] {
            throw RecordingError(
                "\(path) is compressed, so nothing will be added to it; read it as it is")
        }
    }

    deinit { close(watch) }

    func read() throws(RecordingError) -> [UInt8] {
        while true {
            let bytes = try file.read(path)
            if let last = bytes.last {
                endsInLineFeed = last == newline
                return bytes
            }
            guard goesOnElsewhere() else {
                waitForChange()
                continue
            }
            // A line that was torn there is not joined to what comes here.
            if !endsInLineFeed {
                endsInLineFeed = true
                return [newline]
            }
        }
    }

    /// Goes to the beginning of a file that was cut, or to the file that has taken its place.
    private func goesOnElsewhere() -> Bool {
        if file.isCut {
            file.rewind()
            return true
        }
        // As long as the other one is empty, somebody may still write to this one.
        guard let next = OpenFile(path), next.id != file.id, next.size > 0, file.isReadToEnd()
        else { return false }
        file = next
        watchFile()
        return true
    }

    private func watchFile() {
        let events = IN_MODIFY | IN_MOVE_SELF | IN_DELETE_SELF | IN_ATTRIB
        if watched >= 0 { inotify_rm_watch(watch, watched) }
        watched = unsafe inotify_add_watch(watch, path, UInt32(events))
    }

    /// Waits for the file to change; looks again after a second, as nothing tells of a file that is yet to come.
    private func waitForChange() {
        var request = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 1000) > 0 else { return }
        var events = [UInt8](repeating: 0, count: 4096)
        unsafe _ = Glibc.read(watch, &events, events.count)
    }
}

/// A file that is open for reading.
private final class OpenFile {
    let descriptor: Int32
    /// Tells it from the file that has its name later on.
    let id: [UInt64]

    init?(_ path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else { return nil }
        id = [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// How long it is, in bytes.
    var size: off_t {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status.st_size : 0
    }

    /// Whether it is shorter than what was read of it; never so of a pipe.
    var isCut: Bool { size < lseek(descriptor, 0, SEEK_CUR) }

    /// Whether nothing is left to be read.
    func isReadToEnd() -> Bool { size <= lseek(descriptor, 0, SEEK_CUR) }

    func rewind() { lseek(descriptor, 0, SEEK_SET) }

    func read(_ path: String) throws(RecordingError) -> [UInt8] {
        var isRead = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
            let got = unsafe Glibc.read(descriptor, space.baseAddress, space.count)
            isRead = got >= 0 || errno == EINTR
            count = max(0, got)
        }
        guard isRead else { throw RecordingError(refusing: path, "cannot be read") }
        return bytes
    }
}

private let newline = UInt8(ascii: "\n")
