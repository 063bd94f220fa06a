// Laws of evidence and profiles that hold for any services, and their bounds.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import TestSupport
import Testing

@Suite struct DeviceRecordLawTests {
    private static let types = [
        "_ipp._tcp", "_uscan._tcp", "_airplay._tcp", "_raop._tcp", "_hap._tcp", "_hap._udp",
        "_googlecast._tcp", "_http._tcp", "_workstation._tcp", "_adisk._tcp", "_device-info._tcp",
        "_peerlist._tcp", "_kdeconnect._udp", "_sonos._tcp", "_meshcop._udp", "_ssh._tcp",
        "_unknown._tcp",
    ]
    private static let keys = [
        "UUID", "deviceid", "serialNumber", "pi", "id", "md", "model", "am", "ty", "fn", "name",
        "manufacturer", "vendor", "serial", "mac_address", "ci", "type", "features", "rp", "sys",
    ]
    private static let values = [
        "", "0", "2", "phone", "Synology", "printers/A", "54:2A:1B:00:C3:D4", "542a1b00c3d4",
        "e3248000-80ce-11db-8000-30055c00a1f7", "3e23308b-e56b-57dc-98da-41dbc537312d", "Mac14,2",
        "Google Cast Group", "waMA=54:2A:1B:00:C3:D4,", "0x80", "\u{1b}[2J", "Xserve", "Den",
    ]
    private static let names = [
        "Den", "den", "542A1B00C3D4@Den", "den [54:2a:1b:00:c3:d4]", "Google-Cast-Group-12345678",
        "shelly1-542a1b00c3d4", "e3248000", "🖨", "",
    ]

    /// Returns up to 12 services with different names.
    private func randomServices(_ generator: inout SeededGenerator) -> [Service] {
        var services: [UUID: Service] = [:]
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            let txt = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                let key = Self.keys.randomElement(using: &generator) ?? ""
                return key + "=" + (Self.values.randomElement(using: &generator) ?? "")
            }
            let service = Service(
                Self.types.randomElement(using: &generator) ?? "",
                Self.names.randomElement(using: &generator) ?? "", txt)
            services[service.id] = service
        }
        return services.values.sorted { $0.id < $1.id }
    }

    @Test(arguments: seeds(300))
    func `the order of the services changes nothing`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let services = randomServices(&generator)
        let evidence = Identity.all(of: services, host: "Sonos-542A1B00C3D4.local")
        let profile = DeviceProfile(services: services, host: "Sonos-542A1B00C3D4.local")
        for _ in 0..<4 {
            let shuffled = services.shuffled(using: &generator)
            #expect(Identity.all(of: shuffled, host: "Sonos-542A1B00C3D4.local") == evidence)
            #expect(
                DeviceProfile(services: shuffled, host: "Sonos-542A1B00C3D4.local") == profile)
        }
    }

    @Test(arguments: seeds(300))
    func `evidence is ordered by strength, without duplicates, and ends with the host`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let evidence = Identity.all(of: randomServices(&generator), host: "den.local")
        #expect(evidence.map(\.rank) == evidence.map(\.rank).sorted(by: >))
        #expect(Set(evidence.map(\.value)).count == evidence.count)
        #expect(Set(evidence.map(\.id)).count == evidence.count)
        #expect(evidence.last == Identity(host: "den.local"))
    }

    @Test(arguments: seeds(300))
    func `claims name each value once and its place in the records`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let services = randomServices(&generator)
        let profile = DeviceProfile(services: services, host: "den.local")
        let types = Set(services.map(\.type))
        for claim in [profile.name, profile.model, profile.maker].compactMap({ $0 }) {
            let all = [claim.best] + claim.others
            #expect(Set(all.map(\.value)).count == all.count && all.count <= 8)
            #expect(all.allSatisfy { 1...255 ~= $0.value.utf8.count })
            #expect(all.allSatisfy { $0.source.type.map(types.contains) ?? true })
        }
    }

    @Test(arguments: Scene.devices.indices)
    func `devices of a household are the same in any order`(index: Int) {
        var generator = SeededGenerator(seed: UInt64(index))
        let device = Scene.devices[index]
        let services = device.services.map(\.service)
        for _ in 0..<8 {
            let shuffled = services.shuffled(using: &generator)
            #expect(
                Identity.all(of: shuffled, host: device.host)
                    == Identity.all(of: services, host: device.host))
            #expect(
                DeviceProfile(services: shuffled, host: device.host)
                    == DeviceProfile(services: services, host: device.host))
        }
    }

    // MARK: Bounds

    @Test(.timeLimit(.minutes(10)))
    func `4096 services are read in bounded time and give bounded results`() {
        var generator = SeededGenerator(seed: 1)
        // Of every fifth service, more attributes come before the last ones than are read.
        let services = (0..<4_096).map { index in
            Service(
                Self.types[index % Self.types.count], "Service \(index)",
                (0..<(index % 5 == 0 ? 80 : 10)).map { "key\($0)=\(index)" }
                    + ["id=\(index)", "fn=Name \(index)"])
        }
        let profile = DeviceProfile(services: services, host: "x.local")
        #expect(profile.name?.others.count == 7)
        let shuffled = services.shuffled(using: &generator)
        #expect(DeviceProfile(services: shuffled, host: "x.local") == profile)
        #expect(
            Identity.all(of: shuffled, host: "x.local")
                == Identity.all(of: services, host: "x.local"))
    }

    @Test(.timeLimit(.minutes(10)))
    func `a TXT record of 100 KiB is read in part`() throws {
        let long = String(repeating: "xy", count: 50 * 1024)
        let keys = ["fn", "id", "md", "UUID", "deviceid", "serialNumber", "manufacturer", "model"]
        let txt = TXTRecord(keys.map { .init(key: $0, value: .text(long)) })
        let services = ["_googlecast._tcp", "_airplay._tcp", "_ipp._tcp"].map {
            Service(id: UUID(), name: long, type: $0, domain: "local", txt: txt)
        }
        #expect(Identity.all(of: services, host: "x.local").count == 1)
        let profile = DeviceProfile(services: services, host: long)
        for claim in [profile.name, profile.model, profile.maker] {
            let claim = try #require(claim)
            #expect(([claim.best] + claim.others).allSatisfy { $0.value.utf8.count <= 255 })
        }
        let many = TXTRecord((0..<20_000).map { .init(key: "k\($0)", value: .text("v")) })
        let service = Service(id: UUID(), name: "x", type: "_ipp._tcp", domain: "local", txt: many)
        #expect(Identity.all(of: [service], host: "x.local").count == 1)
    }

    @Test func `4096 services with equal values are one device`() {
        let services = (0..<4_096).map {
            Service("_wled._tcp", "Lamp \($0)", ["mac=3494540e8bc6"])
        }
        #expect(
            Identity.all(of: services, host: "lamp.local").map(\.value)
                == ["mac:3494540e8bc6", "lamp.local"])
        #expect(
            DeviceProfile(services: services, host: "lamp.local").kind
                == Claim(best: .init(.light, from: RecordSource(type: "_wled._tcp"))))
    }
}
