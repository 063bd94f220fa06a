// Checks that this process has what Swift's concurrency cannot do without.
import Glibc

/// The resources without which concurrent work ends in a trap or waits for ever, instead of failing.
package enum ProcessResource: CaseIterable, Sendable {
    /// The file system /proc. Swift's concurrency reads the states of its threads there.
    case threadStates
    /// Threads for the work of this process, and the processes that it starts.
    case threads
    /// Address space for the stacks of the threads.
    case memory
    /// File descriptors.
    case descriptors

    /// The number of threads and started processes of a list with all its outputs; a machine with more processors runs
    /// more at a time.
    package static let threadCount = 10 + Int(min(8, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    /// The number of file descriptors of a list on a few interfaces.
    package static let descriptorCount = 40

    /// The first resource that is missing, or `nil` if there are enough of all.
    ///
    /// - Complexity: Takes less than a millisecond, mostly to start threads that end at once.
    package static var missing: Self? { allCases.first { !$0.isThere } }

    private var isThere: Bool {
        switch self {
        case .threadStates: unsafe access("/proc/self/stat", R_OK) == 0
        case .threads: Self.canStartThreads()
        case .memory: Self.canReserveStacks()
        case .descriptors: Self.canOpenDescriptors()
        }
    }

    /// The size of the stack of a thread.
    private static var stackSize: Int {
        var (attributes, size) = (pthread_attr_t(), 0)
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_getstacksize(&attributes, &size)
        return size
    }

    private static func canReserveStacks() -> Bool {
        // And for the blocks of their allocations.
        let size = threadCount * stackSize + 64 << 20
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let block = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let block = unsafe block, unsafe block != MAP_FAILED else { return false }
        unsafe munmap(block, size)
        return true
    }

    /// Whether all threads can run at once, with small stacks.
    private static func canStartThreads() -> Bool {
        var ends: [Int32] = [-1, -1]
        // Descriptors are counted by the check of their own.
        guard unsafe pipe(&ends) == 0 else { return true }
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, 64 << 10)
        var threads: [pthread_t] = []
        var code: Int32 = 0
        while threads.count < threadCount, code == 0 {
            var thread = pthread_t()
            code = unsafe pthread_create(
                &thread, &attributes,
                { end in
                    // Until the other end is closed.
                    var byte: UInt8 = 0
                    _ = unsafe read(Int32(Int(bitPattern: end)), &byte, 1)
                    return nil
                }, UnsafeMutableRawPointer(bitPattern: Int(ends[0])))
            if code == 0 { threads.append(thread) }
        }
        close(ends[1])
        for thread in threads { pthread_join(thread, nil) }
        close(ends[0])
        return code != EAGAIN
    }

    private static func canOpenDescriptors() -> Bool {
        var open: [Int32] = []
        defer { for descriptor in open { close(descriptor) } }
        while open.count < descriptorCount {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { return false }
            open += ends
        }
        return true
    }
}
