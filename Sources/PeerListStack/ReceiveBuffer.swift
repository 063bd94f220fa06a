// Reads packets from sockets, and bytes with descriptors from the pipe of the list.
import DNSMessages
import Glibc
import StackProtocol

/// A packet that was read from a socket.
struct ReceivedPacket {
    let bytes: [UInt8]
    /// The source address, of 4 or 16 bytes.
    let source: [UInt8]
    let port: UInt16
    /// The address to which it was sent, of as many bytes, or `nil` if the kernel does not tell it.
    let destination: [UInt8]?
    /// The hop limit, or `nil` if the kernel does not tell it.
    let hopLimit: Int32?
    /// The index of the interface, or `nil` if the kernel does not tell it.
    let interface: Int32?
}

/// The memory into which packets and requests are read.
struct ReceiveBuffer {
    private var bytes = [UInt8](repeating: 0, count: 65_536)
    private var control = [UInt8](repeating: 0, count: 512)
    private var source = [UInt8](repeating: 0, count: 128)

    /// Returns the next packet, or `nil` if none waits; a packet that is too long is empty.
    mutating func receive(from descriptor: Int32) -> ReceivedPacket? {
        guard let (count, used, flags) = receive(descriptor, MSG_DONTWAIT) else { return nil }
        // The family is the first of the two bytes that are in the order of this machine.
        let isIPv4 = source[0] == UInt8(AF_INET)
        let details = ControlMessages(control.prefix(used))
        let isWhole = flags & Int32(MSG_TRUNC) == 0 && count <= DNSMessage.sizeLimit
        return ReceivedPacket(
            bytes: isWhole ? Array(bytes.prefix(count)) : [],
            source: Array(isIPv4 ? source[4..<8] : source[8..<24]),
            port: UInt16(source[2]) << 8 | UInt16(source[3]), destination: details.destination,
            hopLimit: details.hopLimit, interface: details.interface)
    }

    /// Waits for bytes of a pipe, and returns them with the descriptors passed; `nil` at its end.
    mutating func receive(fromPipe descriptor: Int32) -> ([UInt8], [Int32])? {
        guard let (count, used, _) = receive(descriptor, MSG_CMSG_CLOEXEC), count > 0 else {
            return nil
        }
        return (Array(bytes.prefix(count)), ControlMessages(control.prefix(used)).descriptors)
    }

    private mutating func receive(
        _ descriptor: Int32, _ flags: Int
    ) -> (count: Int, control: Int, flags: Int32)? {
        while true {
            let result = unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe control.withUnsafeMutableBytes { control in
                    unsafe source.withUnsafeMutableBytes { source in
                        var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                        return unsafe withUnsafeMutablePointer(to: &part) { part in
                            var message = unsafe msghdr(
                                msg_name: source.baseAddress, msg_namelen: socklen_t(source.count),
                                msg_iov: part, msg_iovlen: 1, msg_control: control.baseAddress,
                                msg_controllen: control.count, msg_flags: 0)
                            let count = unsafe recvmsg(
                                descriptor, &message, Int32(flags))
                            return unsafe (count, message.msg_controllen, message.msg_flags)
                        }
                    }
                }
            }
            if result.0 >= 0 { return (result.0, result.1, result.2) }
            guard errno == EINTR else { return nil }
        }
    }
}
