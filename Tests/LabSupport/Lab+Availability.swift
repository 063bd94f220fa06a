// Whether this machine can hold a lab; where it cannot, tests say so and are skipped.
import Glibc
package import Testing

extension Lab {
    /// Whether the tests run as root.
    package static let isRoot = geteuid() == 0

    /// Why there can be no lab here, or nil if there can.
    package static let obstacle: String? = {
        guard isRoot else { return "no LAN lab here: making namespaces needs root" }
        for tool in tools where shell("command -v \(tool)") != 0 {
            return "no LAN lab here: there is no \(tool); `make test` installs it"
        }
        guard shell("unshare --net --mount --uts -- ip link add br0 type bridge") == 0 else {
            return "no LAN lab here: the kernel refuses network namespaces or bridges"
        }
        return nil
    }()

    private static let tools = [
        "avahi-daemon", "avahi-publish", "dbus-daemon", "ip", "nsenter", "tmux", "unshare",
        "uuidgen",
    ]

    /// The status of a command, quietly.
    private static func shell(_ command: String) -> Int32 {
        let words = ["sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; { \(command); } >/dev/null 2>&1"]
        guard let child = try? ChildProcess(words, environment: [:]) else { return -1 }
        return ChildProcess.reap(child.pid)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips where no lab can be, and says why.
    package static var needsLab: Self {
        .enabled(if: Lab.obstacle == nil, "\(Lab.obstacle ?? "")")
    }
}
