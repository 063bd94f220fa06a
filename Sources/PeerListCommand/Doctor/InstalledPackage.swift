// What Debian's package manager knows of avahi-daemon.
import Glibc
import PeerList
import PeerRecording

extension WeaknessesCheck.Package {
    /// The package that is installed; `nil` where there is none, or no such package manager.
    static func installed(
        status: String = "/var/lib/dpkg/status",
        changes: String = "/usr/share/doc/avahi-daemon/changelog.Debian.gz"
    ) -> Self? {
        guard let status = bytes(of: status), let version = version(in: status) else { return nil }
        return Self(
            version: version,
            changes: unpackedFile(at: changes).map { String(decoding: $0, as: UTF8.self) })
    }

    /// The package whose program the daemon of this machine runs; `nil` where the daemon is not seen here,
    /// as in a container that shares the bus of its host, or runs another program, as after an upgrade.
    static func running() -> Self? {
        let places = ["/usr/sbin/avahi-daemon", "/usr/bin/avahi-daemon"]
        guard let program = places.first(where: { unsafe access($0, F_OK) == 0 }),
            DaemonProcess.all().contains(where: { $0.runs(program) })
        else { return nil }
        return installed()
    }

    /// The version of avahi-daemon in the package manager's list; `nil` where it is not installed.
    static func version(in status: [UInt8]) -> String? {
        let marks = Array("PSV".utf8)  // the lines of interest begin with one of these
        var (isWanted, isInstalled) = (false, false)
        for line in status.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty { (isWanted, isInstalled) = (false, false) }
            guard let first = line.first, marks.contains(first), line.count < 200 else { continue }
            let text = String(decoding: line, as: UTF8.self)
            if text == "Package: avahi-daemon" { isWanted = true }
            if text == "Status: install ok installed" || text == "Status: hold ok installed" {
                isInstalled = true
            }
            if isWanted, isInstalled, text.hasPrefix("Version: ") {
                return String(text.dropFirst(9))
            }
        }
        return nil
    }
}
