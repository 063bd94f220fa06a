// A file system of a few pages that only the calling thread sees.
import Foundation
import Glibc

/// A small file system in memory.
enum SmallDisk {
    /// Whether a process of ours may mount a file system that nobody else sees.
    static let canMount: Bool = {
        let probe = Process()
        probe.executableURL = URL(filePath: "/usr/bin/unshare")
        probe.arguments = ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    /// Mounts one over the directory of temporary files, for this thread and those that it starts.
    ///
    /// - Parameter size: As tmpfs(5) takes it: `64k`.
    /// - Returns: The directory.
    static func mount(size: String) -> String {
        let folder = FileManager.default.temporaryDirectory.path
        guard leavesMounts(),
            unsafe Glibc.mount(nil, "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0,
            unsafe Glibc.mount("tmpfs", folder, "tmpfs", 0, "size=\(size)") == 0
        else { fatalError("no file system of its own, errno \(errno)") }
        return folder
    }

    /// Gives this thread file systems of its own to mount; says whether it may.
    private static func leavesMounts() -> Bool {
        typealias Unshare = @convention(c) (Int32) -> Int32
        // The module does not name it; the C library has it.
        guard let symbol = unsafe dlsym(nil, "unshare") else { return false }
        let newMountNamespace: Int32 = 0x20000
        return unsafe unsafeBitCast(symbol, to: Unshare.self)(newMountNamespace) == 0
    }
}
