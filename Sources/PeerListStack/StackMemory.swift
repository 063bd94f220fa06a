// The memory that the stack may take, and the end of the process where there is no more.
import CAvahiCore
import CSeccomp
import Glibc

/// How much memory strangers can have the stack take, since what they announce is kept.
///
/// libavahi counts the records that it keeps, not their bytes: 20,000 ordinary
/// ones on several interfaces take a third of this, and one TXT record of
/// thousands of short strings takes 200 KB. A process that has taken all of it
/// ends and says why, and the next one begins with nothing.
enum StackMemory {
    private static let limit: UInt = 80 << 20

    /// Has libavahi ask us for memory, so that the lack of it is told in words.
    static func watch() {
        // libavahi keeps the pointer for as long as the process lives.
        let allocator = UnsafeMutablePointer<AvahiAllocator>.allocate(capacity: 1)
        unsafe allocator.initialize(
            to: AvahiAllocator(
                malloc: { unsafe StackMemory.orEnd(malloc($0)) },
                free: { unsafe free($0) },
                realloc: { unsafe StackMemory.orEnd(realloc($0, $1)) },
                calloc: { unsafe StackMemory.orEnd(calloc($0, $1)) }))
        unsafe avahi_set_allocator(allocator)
    }

    /// Limits what the process may have, from now on.
    static func close() {
        // Fails where so much is reserved already, as by a sanitizer.
        _ = pl_limit_data(limit)
    }

    private static func orEnd(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let memory = unsafe memory { return unsafe memory }
        // Nothing here takes memory.
        let words: StaticString = "peerlist-mdns: what others announce takes more than 80 MiB\n"
        unsafe _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
        _exit(EXIT_FAILURE)
    }
}
