// The bytes of a file that is still being written, across rotation.
import Glibc
import PeerCapture

/// The bytes of a growing file; waits for more at its end.
///
/// After rotation the old file is read to its end, then the new file at the path. A truncated file
/// is read from its start again. Used by one thread at a time.
final class FollowedBytes: ByteSource {
    private let path: String
    private var file: InputFile
    private let watch: Int32
    private var watched: Int32 = -1
    private var endsInLineFeed = true

    init(path: String) throws(RecordingError) {
        self.path = path
        file = try InputFile(path: path)
        watch = inotify_init1(Int32(IN_CLOEXEC))
        guard watch >= 0 else { throw file.failure("cannot be followed") }
        watchFile()
        var start = [UInt8](repeating: 0, count: CapturedList.startSize)
        unsafe _ = pread(file.descriptor, &start, start.count, 0)
        if start.starts(with: [0x1F, 0x8B]) {
            throw RecordingError(
                "\(path) is compressed, so nothing will be added to it; read it as it is")
        }
        if CapturedList.isCapture(start) {
            throw RecordingError(
                "\(path) is a capture, which is not followed; pipe it: tail -c +1 -f \(path) | peerlist replay -"
            )
        }
    }

    deinit { close(watch) }

    func read() throws(RecordingError) -> [UInt8] {
        while true {
            let bytes = try file.read()
            if let last = bytes.last {
                endsInLineFeed = last == newline
                return bytes
            }
            guard continuesElsewhere() else {
                waitForChange()
                continue
            }
            // A line torn at the end of the old file is not joined to the next one.
            if !endsInLineFeed {
                endsInLineFeed = true
                return [newline]
            }
        }
    }

    /// Continues at the start of a truncated file, or with the new file at the path; returns whether it
    /// did.
    private func continuesElsewhere() -> Bool {
        // -1 for a pipe, which is never truncated.
        let offset = lseek(file.descriptor, 0, SEEK_CUR)
        let status = file.status
        if status.st_size < offset {
            lseek(file.descriptor, 0, SEEK_SET)
            return true
        }
        // While the new file is empty, the old file may still be written.
        guard let next = try? InputFile(path: path), case let nextStatus = next.status,
            (nextStatus.st_dev, nextStatus.st_ino) != (status.st_dev, status.st_ino),
            nextStatus.st_size > 0, file.status.st_size <= offset
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

    /// Waits until the file changes, for at most a second: no event reports a new file at the path.
    private func waitForChange() {
        var request = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 1000) > 0 else { return }
        var events = [UInt8](repeating: 0, count: 4096)
        unsafe _ = Glibc.read(watch, &events, events.count)
    }
}
