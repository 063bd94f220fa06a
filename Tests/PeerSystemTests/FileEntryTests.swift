// Files that are found, opened, created and replaced without following what other users planted.
import Glibc
import LabSupport
import PeerSystem
import Testing

@Suite(.timeLimit(.minutes(10))) struct FileEntryTests {
    /// Runs a test with a directory of this user's; symbolic links in the path of temporary files are resolved.
    private func withDirectory(_ test: (String) throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let path = unsafe realpath(directory.path, nil)
        try test(unsafe path.map { unsafe String(cString: $0) } ?? directory.path)
        unsafe free(path)
        await directory.remove()
    }

    private func write(_ text: String, to path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        #expect(writeAll(Array(text.utf8), to: descriptor) == nil)
        close(descriptor)
    }

    private func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    private func code(_ path: String) -> Int32? {
        let error = #expect(throws: FileRefusal.self) { _ = try FileEntry(path) }
        return error?.code
    }

    @Test func `a file and a free name are found, also behind links of this user`() async throws {
        try await withDirectory { place in
            try write("text", to: place + "/file")
            unsafe mkdir(place + "/folder", 0o755)
            unsafe symlink("../file", place + "/folder/inner")
            unsafe symlink(place + "/folder/inner", place + "/outer")
            unsafe symlink("folder/new", place + "/dangling")
            for path in ["/file", "/folder/../file", "//outer", "/folder/inner"] {
                let entry = try FileEntry(place + path)
                #expect(entry.name == "file" && entry.status?.st_size == 4, "\(path)")
            }
            let free = try FileEntry(place + "/dangling")
            #expect(free.name == "new" && free.status == nil && free.isRegularOrFree)
            close(try free.create(O_WRONLY))
            #expect(status(place + "/folder/new")?.st_mode == S_IFREG | 0o600)
            let folder = try FileEntry(place + "/folder/")
            #expect(folder.status?.kind == S_IFDIR && !folder.isRegularOrFree)
        }
    }

    @Test func `every error but a missing file is a refusal`() async throws {
        try await withDirectory { place in
            try write("", to: place + "/file")
            unsafe symlink("b", place + "/a")
            unsafe symlink("a", place + "/b")
            #expect(code(place + "/none/file") == ENOENT)
            #expect(code(place + "/none/") == ENOENT)
            #expect(code(place + "/file/x") == ENOTDIR)
            #expect(code(place + "/a") == ELOOP)
            #expect(code(place + "/" + String(repeating: "x", count: 300)) == ENAMETOOLONG)
            #expect(code("") == ENOENT)
            unsafe symlink("/", place + "/root")
            #expect(code(place + "/root") == EISDIR)
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "giving files away needs root"),
        arguments: [0o1777, 0o777, 0o775, 0o755], ["file", "pipe", "link", "way"])
    func `what another user made is refused where others may create files`(
        mode: mode_t, kind: String
    ) async throws {
        try await withDirectory { place in
            let shared = place + "/shared"
            unsafe mkdir(shared, 0o755)
            unsafe chmod(shared, mode)
            try write("precious", to: place + "/mine")
            var path = shared + "/entry"
            switch kind {
            case "file": try write("", to: path)
            case "pipe": unsafe mkfifo(path, 0o666)
            case "link": unsafe symlink("../mine", path)
            default:
                // A link on the way to a file.
                unsafe symlink("..", path)
                path += "/mine"
            }
            for owner: uid_t in [4343, 0] {
                unsafe lchown(shared + "/entry", owner, owner)
                if owner == 0 || mode == 0o755 {
                    _ = try FileEntry(path)
                } else {
                    let error = #expect(throws: FileRefusal.self) { _ = try FileEntry(path) }
                    #expect(error?.reason.hasPrefix("belongs to another user") == true)
                }
            }
            // The home directory of another user is one where others may create files.
            unsafe chown(shared, 4343, 4343)
            unsafe lchown(shared + "/entry", 4343, 4343)
            #expect(throws: FileRefusal.self) { _ = try FileEntry(path) }
        }
    }

    @Test func `an entry that was exchanged for a link is not opened`() async throws {
        try await withDirectory { place in
            try write("", to: place + "/file")
            try write("precious", to: place + "/mine")
            let entry = try FileEntry(place + "/file")
            unsafe unlink(place + "/file")
            unsafe symlink("mine", place + "/file")
            let error = #expect(throws: FileRefusal.self) { _ = try entry.open(O_WRONLY) }
            #expect(error?.code == ELOOP)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
    func `an entry that was exchanged for another user's file is not opened`() async throws {
        try await withDirectory { place in
            unsafe chmod(place, 0o1777)
            try write("", to: place + "/file")
            let entry = try FileEntry(place + "/file")
            unsafe lchown(place + "/file", 4343, 4343)
            #expect(throws: FileRefusal.self) { _ = try entry.open(O_WRONLY) }
        }
    }

    @Test func `a pipe that nobody reads is not waited for`() async throws {
        try await withDirectory { place in
            unsafe mkfifo(place + "/pipe", 0o600)
            let entry = try FileEntry(place + "/pipe")
            let error = #expect(throws: FileRefusal.self) { _ = try entry.open(O_WRONLY) }
            #expect(error?.code == ENXIO)
            #expect(throws: FileRefusal.self) { try entry.replace(by: []) }
        }
    }

    @Test func `a new file is for its user alone, and an old one keeps its permissions`()
        async throws
    {
        try await withDirectory { place in
            let path = place + "/file"
            try FileEntry(path).replace(by: Array("new".utf8))
            #expect(status(path)?.st_mode == S_IFREG | 0o600)
            unsafe chmod(path, 0o644)
            unsafe symlink("file", place + "/link")
            try FileEntry(place + "/link").replace(by: Array("newer".utf8))
            #expect(status(path)?.st_mode == S_IFREG | 0o644)
            #expect(status(place + "/link")?.kind == S_IFLNK)
            #expect(try readFile(path) == Array("newer".utf8))
            try FileEntry(path).replace(by: [], keepsPermissions: false)
            #expect(status(path)?.st_mode == S_IFREG | 0o600)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
    func `directories are made for their user alone, but not below those of another user`()
        async throws
    {
        try await withDirectory { place in
            try makeDirectories(above: place + "/a/b/file")
            #expect(status(place + "/a/b")?.st_mode == S_IFDIR | 0o700)
            #expect(status(place + "/a/b/file") == nil)
            unsafe chown(place + "/a", 4343, 4343)
            unsafe chown(place + "/a/b", 4343, 4343)
            #expect(throws: FileRefusal.self) { try makeDirectories(above: place + "/a/b/c/file") }
            #expect(status(place + "/a/b/c") == nil)
        }
    }

    @Test func `the directory of states is below an absolute path or nowhere`() {
        func directory(_ home: String?, _ state: String?) -> String? {
            stateDirectory(
                environment: ["HOME": home, "XDG_STATE_HOME": state].compactMapValues { $0 })
        }
        #expect(directory("/h", "/s") == "/s/peerlist")
        #expect(directory("/h", "s") == "/h/.local/state/peerlist")
        #expect(directory(nil, "/s") == "/s/peerlist")
        #expect(directory("h", nil) == nil)
        #expect(directory("", "") == nil)
        #expect(directory(nil, nil) == nil)
    }
}
