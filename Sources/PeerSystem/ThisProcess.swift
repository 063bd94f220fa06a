// The environment of this process, and the name of its machine.
import Glibc

/// Returns the value of a variable of the environment.
package func environmentVariable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// Returns the first label of the name of this machine.
package func hostLabel() -> String {
    var host = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    unsafe gethostname(&host, host.count - 1)
    let bytes = host.prefix { $0 != 0 && $0 != 0x2e }.prefix(63).map(UInt8.init(bitPattern:))
    return String(decoding: bytes, as: UTF8.self)
}
