// A directory that belongs to one test.
import Glibc

/// A new, empty directory for the files of a test.
package struct TemporaryDirectory: Sendable {
    /// The path of the directory.
    package let path: String

    /// Makes the directory.
    ///
    /// - Throws: ``LabError`` when there is no place for it.
    package init() throws {
        let place = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(place)/peerlist-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw LabError("cannot make a directory in \(place): error \(errno)")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Makes a file in it, and the directories on the way; returns its path.
    ///
    /// A file that replaces another one is newer by whole seconds, because avahi-daemon reads a
    /// service file again only if its time in whole seconds has changed.
    @discardableResult
    package func write(_ text: String, to name: String, mode: UInt32 = 0o644) throws -> String {
        var directory = path
        for part in name.split(separator: "/").dropLast() {
            directory += "/\(part)"
            unsafe mkdir(directory, 0o755)
        }
        let file = "\(path)/\(name)"
        var former = stat()
        let isReplaced = unsafe stat(file, &former) == 0
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        let bytes = Array(text.utf8)
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw LabError("cannot write \(file): error \(errno)")
        }
        var present = stat()
        if isReplaced, unsafe fstat(descriptor, &present) == 0,
            present.st_mtim.tv_sec <= former.st_mtim.tv_sec
        {
            let later = timespec(tv_sec: former.st_mtim.tv_sec + 1, tv_nsec: 0)
            unsafe futimens(descriptor, [later, later])
        }
        close(descriptor)
        return file
    }

    /// Makes a program of this shell script in it; returns its path.
    ///
    /// Another process writes the file: a descriptor of ours could be open in a program that another
    /// test starts in that moment, and a file open for writing cannot be executed (ETXTBSY).
    @discardableResult
    package func writeProgram(_ script: String, to name: String) async throws -> String {
        let file = "\(path)/\(name)"
        let write =
            "mkdir -p \"${2%/*}\" && printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$2\" && chmod 755 \"$2\""
        let writer = try await FinishedProcess(["sh", "-c", write, "sh", script, file])
        guard writer.status == 0 else { throw LabError("cannot write \(file): \(writer.errors)") }
        return file
    }

    /// Removes the directory with all that is in it.
    package func remove() async { _ = try? await FinishedProcess(["rm", "-rf", path]) }
}
