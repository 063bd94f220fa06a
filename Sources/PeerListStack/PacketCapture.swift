// Appends the packets that are heard to a capture.
import DNSMessages
import Glibc

/// A capture that the list has opened for appending; it is closed with this value.
///
/// The witness and the reader of SSDP write to the same file. An interface has its number in a section, so each write is
/// a section.
struct PacketCapture: ~Copyable {
    /// The maximum size of a capture in bytes.
    static let limit: UInt = 1 << 30

    private let descriptor: Int32
    private var encoder: CaptureEncoder? = CaptureEncoder()

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = close(descriptor) }

    /// Adds a packet, unless the kernel does not tell all of it.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - port: The port of the protocol, which counts as the one to which the packet was sent.
    ///   - interface: The index of the interface.
    ///   - name: The name of the interface.
    mutating func add(
        _ packet: ReceivedPacket, to port: UInt16, on interface: Int32, named name: String
    ) {
        guard !packet.bytes.isEmpty, let hopLimit = packet.hopLimit,
            let destination = packet.destination, destination.count == packet.source.count
        else { return }
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        var section = encoder ?? CaptureEncoder()
        section.add(
            CaptureEncoder.Message(
                packet.bytes, from: packet.source, port: packet.port, to: (destination, port),
                hopLimit: UInt8(clamping: hopLimit), interface: interface,
                time: UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000),
            onInterface: name)
        encoder = section
    }

    /// Writes what was added, all of it or nothing, as a part of a block would hide what is appended after it.
    ///
    /// - Returns: The error after which nothing more can be written, or `nil`.
    mutating func write() -> Int32? {
        guard var section = encoder.take() else { return nil }
        let bytes = section.removeBytes()
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count < 0, errno != EINTR {
                let code = errno
                // The position in the file is that of the last write, and there may have been none.
                if done > 0 {
                    _ = ftruncate(descriptor, lseek(descriptor, 0, SEEK_END) - off_t(done))
                }
                return code
            }
            done += max(count, 0)
        }
        return nil
    }
}
