// A point-to-point interface counts for the doctor if avahi-daemon uses it.
import Glibc
import LabSupport
import Testing

/// Whether tunnels can be created, which not every container allows.
private let hasTunnels = unsafe access("/dev/net/tun", R_OK | W_OK) == 0

@Suite(.needsLab, .enabled(if: hasTunnels), .serialized, .timeLimit(.minutes(10)))
struct DoctorTunnelTests {
    /// Creates tun0, and keeps it connected while it runs.
    private static let tunnel = """
        import fcntl, os, signal, struct, subprocess
        tunnel = os.open("/dev/net/tun", os.O_RDWR)
        # TUNSETIFF with IFF_TUN and IFF_NO_PI, of linux/if_tun.h
        fcntl.ioctl(tunnel, 0x400454ca, struct.pack("16sH22x", b"tun0", 0x1001))
        subprocess.check_call("ip address add 10.98.0.1/24 dev tun0", shell=True)
        subprocess.check_call("ip link set tun0 up", shell=True)
        print("up", flush=True)
        signal.pause()
        """

    @Test func `a tunnel counts only if the daemon uses it`() async throws {
        try await Lab.with(hosts: 1) { lab in
            let tunnel = try lab.start("h1", ["python3", "-c", Self.tunnel])
            try await tunnel.line(within: .seconds(60)) { $0 == "up" }
            let without = try await lab.doctor(on: "h1", seconds: "1")
            #expect(
                without.texts("interfaces").last == "not used: tun0 (point-to-point)")
            #expect(without.texts("echo") == ["eth0: over IPv4 and IPv6"])
            #expect(try await !lab.perform("logs", "h1").contains("interface tun0"))

            try await lab.perform("conf", "h1", "server.allow-point-to-point=yes")
            let with = try await lab.doctor(on: "h1", seconds: "1")
            #expect(with.texts("interfaces").last?.hasPrefix("tun0: 10.98.0.1") == true)
            #expect(with.texts("echo").contains { $0.hasPrefix("tun0: over IPv4") })
            #expect(try await lab.perform("logs", "h1").contains("interface tun0"))

            // Listing it by name has no effect.
            try await lab.perform(
                "conf", "h1", "server.allow-point-to-point=no",
                "server.allow-interfaces=eth0,tun0")
            let named = try await lab.doctor(on: "h1", seconds: "1")
            #expect(named.outcome("settings") == "warning")
            #expect(named.texts("settings")[0].hasPrefix("allow-point-to-point=no: "))

            try await lab.perform("conf", "h1", "server.allow-point-to-point=yes")
            try await lab.perform("daemon", "h1", "stop")
            let away = try await lab.doctor(on: "h1", seconds: "1")
            #expect(
                away["daemon"]["findings"].array.last?["leftAlone"] == .array([.string("tun0")]))
            #expect(away.texts("echo") == ["eth0: over IPv4 and IPv6"])
            await tunnel.send(15)
        }
    }
}
