// Where the helper process's program is.
import Glibc

/// Where `peerlist-mdns` is: beside the program that runs, or where `make install` puts it.
enum HelperPath {
    static let name = "peerlist-mdns"

    /// The places to look in, best first.
    static func candidates(beside program: String) -> [String] {
        let directory = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
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

    /// The path of the program that runs; empty without /proc, where Swift knows no arguments either.
    private static func runningProgram() -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        return String(
            decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
