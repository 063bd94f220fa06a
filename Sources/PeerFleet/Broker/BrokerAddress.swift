// Finds out over which versions of IP a broker can be reached.
import Glibc

/// The local addresses from which connections to a broker are tried.
enum BrokerAddress {
    /// Returns the unspecified address of each version of IP that the broker's name resolves to, in the
    /// system's order; nil if there is no choice.
    ///
    /// libmosquitto tries one address only unless it may block, for minutes. The local address selects
    /// the version of IP.
    static func localAddresses(for url: BrokerURL) throws(BrokerLoss) -> [String?] {
        if url.port == 0 { return [nil] }  // a Unix socket
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(url.host, nil, &hints, &list)
        guard code == 0 else {
            throw .lost("\(url.host) cannot be resolved: \(BrokerReason.resolver(code))")
        }
        defer { unsafe freeaddrinfo(list) }
        var found: [String?] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            let address = unsafe entry.ai_family == AF_INET6 ? "::" : "0.0.0.0"
            if !found.contains(address) { found.append(address) }
            unsafe next = entry.ai_next
        }
        return found.count > 1 ? found : [nil]
    }
}
