// Locates the command under test and the files of the package.
import Glibc

/// The products that were built together with the running tests.
package enum BuiltProducts {
    /// The `peerlist` that lies beside the running tests, so of the same build.
    package static let peerlist = path("peerlist")

    /// A program that was built with the tests.
    package static func path(_ name: String) -> String { directory + "/" + name }

    /// The root of the package.
    package static let package = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")

    /// Whether all of it was built with a sanitizer, which takes memory for itself.
    package static let areSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in
        unsafe dlsym(nil, name) != nil
    }

    private static let directory: String = {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        let path = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast().joined(separator: "/")
    }()
}
