// Asks the system's resolver for the addresses of hosts, within a time limit.
import Dispatch
import Glibc

/// Asks the system's resolver for host names.
package enum HostLookup {
    /// The time after which a name counts as unknown: without a module for multicast DNS, the
    /// resolver may wait long for servers that do not know it.
    package static let limit = Duration.seconds(2)

    /// Returns the addresses of a host, without scopes; none if the name is unknown here.
    package static func addresses(
        of host: String, within limit: Duration = limit
    ) async -> Set<String> {
        await withTimeout(limit) {
            await withCheckedContinuation { found in
                DispatchQueue.global().async { found.resume(returning: lookUp(host)) }
            }
        } ?? []
    }

    /// Returns an address without its scope.
    package static func number(_ address: String) -> String {
        String(address.prefix { $0 != "%" })
    }

    private static func lookUp(_ host: String) -> Set<String> {
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, nil, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var found: Set<String> = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let status = unsafe getnameinfo(
                entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0,
                NI_NUMERICHOST)
            let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            if status == 0 { found.insert(number(String(decoding: bytes, as: UTF8.self))) }
            unsafe next = entry.ai_next
        }
        return found
    }
}
