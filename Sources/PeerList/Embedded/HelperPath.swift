// Where the helper process's program is.
import Glibc

/// Where `peerlist-mdns` is: beside the program that runs, or where `make install` puts it.
enum HelperPath {
    static let name = "peerlist-mdns"

    /// The places to look in, best first.
    static func candidates(beside program: String) -> [String] {
        let parts = program.split(separator: "/", omittingEmptySubsequences: false)
        let directory = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
        return ["\(directory)/\(name)", "\(directory)/../libexec/peerlist/\(name)"]
    }

    /// The program, or an error that says where it should be.
    static func find() throws(BackendError) -> String {
        let candidates = candidates(beside: runningProgram())
        if let path = candidates.first(where: { unsafe access($0, X_OK) == 0 }) { return path }
        throw BackendError(
            "the embedded stack is not installed: there is no \(candidates.joined(separator: ", nor "))"
        )
    }

    /// The path of the program that runs: from /proc, else as the kernel was told when it was started.
    private static func runningProgram() -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0 else { return startedProgram() }
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The path by which the program was started (getauxval(3), `AT_EXECFN`), from where that was.
    private static func startedProgram() -> String {
        typealias AuxiliaryValue = @convention(c) (UInt) -> UInt
        // Swift's Glibc leaves the function out; it is the C library's, and of this type.
        guard let symbol = unsafe dlsym(nil, "getauxval") else { return "" }
        let value = unsafe unsafeBitCast(symbol, to: AuxiliaryValue.self)(31)
        guard let path = unsafe UnsafePointer<CChar>(bitPattern: value) else { return "" }
        return unsafe String(cString: path)
    }
}
