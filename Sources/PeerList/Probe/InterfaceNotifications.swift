// Receives the kernel's notifications of changes of network interfaces and routes.
import Glibc

/// The kernel's notifications that interfaces, their addresses or routes have changed (rtnetlink(7)).
///
/// The content of a notification does not matter: the reader reads the interfaces and routes again, so notifications may be
/// lost.
package final class InterfaceNotifications: Sendable {
    /// `sockaddr_nl` of netlink(7), which Glibc's headers lack.
    private struct Address {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var port: UInt32 = 0
        var groups: UInt32
    }

    /// The groups of links, and of the addresses and routes of both families: RTMGRP_LINK, RTMGRP_IPV4_IFADDR,
    /// RTMGRP_IPV6_IFADDR, RTMGRP_IPV4_ROUTE and RTMGRP_IPV6_ROUTE.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x100 | 0x40 | 0x400
    /// The maximum number of notifications that are read at once; the rest is read the next time.
    private static let readLimit = 4_096

    /// The descriptor, which can be read when there are notifications.
    package let descriptor: Int32

    /// Takes over a descriptor that does not block.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Subscribes to the notifications; returns `nil` if the system refuses that.
    package static func subscribe() -> InterfaceNotifications? {
        let type =
            Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, type, 0)
        guard descriptor >= 0 else { return nil }
        let notifications = InterfaceNotifications(descriptor: descriptor)
        var address = Address(groups: groups)
        let status = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bind(
                descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                socklen_t(bytes.count))
        }
        return status == 0 ? notifications : nil
    }

    /// Reads all notifications that have come.
    ///
    /// - Returns: Whether there were any, including lost ones.
    package func drain() -> Bool {
        var buffer: UInt64 = 0
        var hasRead = false
        for _ in 0..<Self.readLimit {
            // The rest of a notification is dropped.
            let count = unsafe read(descriptor, &buffer, MemoryLayout.size(ofValue: buffer))
            // ENOBUFS: there was no room for notifications.
            guard count > 0 || count < 0 && [ENOBUFS, EINTR].contains(errno) else { break }
            hasRead = true
        }
        return hasRead
    }
}
