// Tests that a program, or a thing that is plugged in, is not the machine.
import PeerListTestSupport
import PeerModel
import Testing

@Suite struct ProgramTests {
    /// The services of a computer called tower.
    private let computer = [
        Service("_ssh._tcp", "tower"), Service("_smb._tcp", "TOWER"),
        Service("_workstation._tcp", "tower [00:25:90:12:34:56]"),
    ]

    @Test(arguments: [
        Service("_hap._tcp", "Scrypted 3A", ["ci=17", "md=Scrypted", "id=3E:A1:11:0C:7D:52"]),
        Service("_raop._tcp", "002590123456@tower", ["am=ShairportSync"]),
        Service("_hap._tcp", "Hyperion", ["ci=5", "md=Hyperion", "id=3E:A1:11:0C:7D:53"]),
        Service("_moonraker._tcp", "Moonraker @ tower", ["uuid=9c4e70b1d5284f3a86e01b7d5a92c0f4"]),
        Service(
            "_googlecast._tcp", "go-chromecast", ["id=77", "fn=Cast", "md=go-chromecast", "ca=5"]),
        Service(
            "_home-assistant._tcp", "Home",
            ["uuid=3b8f0d6ca5174e92b0c1d7e8f6a94250", "location_name=Home"]),
        Service("_sonarr._tcp", "Sonarr", ["uuid=9c4e70b1d5284f3a86e01b7d5a92c0f5"]),
    ])
    func `a computer on which a program runs is that computer`(program: Service) {
        let profile = DeviceProfile(services: computer + [program], host: "tower.local")
        #expect(profile.name?.value.lowercased() == "tower")
        #expect(profile.kind?.value == .computer)
        #expect(profile.model == nil)
        #expect(profile.maker == nil)
        let evidence = Identity.all(of: computer + [program], host: "tower.local")
        #expect(evidence.first?.value == "mac:002590123456")
        #expect(!evidence.contains { $0.value.contains("uuid") || $0.value.contains("pairing") })
    }

    @Test func `a program on a device with one service of a computer is read as before`() {
        let services = [
            Service("_ssh._tcp", "pi"),
            Service("_home-assistant._tcp", "Home", ["location_name=Home"]),
        ]
        #expect(DeviceProfile(services: services, host: "pi.local").name?.value == "Home")
    }

    @Test func `a NAS with shares is the NAS that its hardware says`() {
        let nas = Service("_qdiscover._tcp", "tower", ["accessType=https,model=TS-X64"])
        let profile = DeviceProfile(services: computer + [nas], host: "tower.local")
        #expect(profile.kind?.value == .nas)
        #expect(profile.model?.value == "TS-X64")
    }

    @Test(arguments: [
        ["rp=printers/HP", "UUID=564e4333-4e30-3436-3036-deadbeef0001", "ty=HP M578"],
        [
            "rp=ipp/print", "UUID=564e4333-4e30-3436-3036-deadbeef0001",
            "adminurl=http://localhost:60001/",
        ],
    ])
    func `a printer that a computer shares is not the computer`(txt: [String]) {
        let printer = Service("_ipp._tcp", "HP M578", txt)
        let services = [Service("_ssh._tcp", "vostro"), printer]
        let profile = DeviceProfile(services: services, host: "vostro.local")
        #expect(profile.name?.value == "vostro")
        #expect(profile.kind?.value == .computer)
        #expect(profile.model == nil)
        #expect(Identity.all(of: services, host: "vostro.local").map(\.value) == ["vostro.local"])
    }

    @Test(arguments: [
        ("_sftp-ssh._tcp", "SFTP on box"), ("_moonraker._tcp", "Moonraker @ box"),
        ("_dhnap._tcp", "D-Link HNAP Service"), ("_iio._tcp", "iio"), ("_http._tcp", "HTTP Server"),
        ("_snapcast-ctrl._tcp", "Snapcast"), ("_musicd._tcp", "Music Player"),
        ("_http._tcp", "hyperion:19444"),
        ("_rtsp._tcp", " [74:da:38:80:7a:08]"), ("_http._tcp", "(192.168.1.20)"),
        ("_http._tcp", "[10.0.0.5]"),
        ("_acme._tcp", "box.local"),
    ])
    func `the name of a program is no name of a device`(type: String, instance: String) {
        var service = Service(type, instance)
        service.port = 19_444
        let profile = DeviceProfile(services: [service], host: "box.local")
        #expect(profile.name?.value == "box")
    }

    @Test(arguments: [
        ("_acme._tcp", "Stromleser One - box", "Stromleser One"),
        ("_acme._tcp", "Cellar", "Cellar"), ("_acme._tcp", "Facade 2024", "Facade 2024"),
        ("_acme._tcp", "Cinema 16:9", "Cinema 16:9"),
    ])
    func `a name is of the device, without its host`(
        type: String, instance: String, name: String
    ) {
        let profile = DeviceProfile(services: [Service(type, instance)], host: "box.local")
        #expect(profile.name?.value == name)
    }

    @Test(arguments: [
        ("Some Zigbee Gateway", DeviceKind.bridge), ("DESKTOP-4F2A1C", .computer),
        ("TV light", .light),
        ("lamp-2", .light), ("Cellar", nil), ("Lockheed", nil),
    ])
    func `a word in a name tells a kind`(name: String, kind: DeviceKind?) {
        let service = Service("_acme._tcp", name)
        #expect(DeviceProfile(services: [service], host: "box.local").kind?.value == kind)
    }

    @Test func `a Cast receiver without a screen is a speaker`() {
        for (capabilities, kind) in [("4101", DeviceKind.mediaPlayer), ("2052", .speaker)] {
            let service = Service(
                "_googlecast._tcp", "x", ["fn=Den", "md=JBL 4329P", "ca=\(capabilities)"])
            #expect(DeviceProfile(services: [service], host: "x.local").kind?.value == kind)
        }
    }

    @Test func `one maker has one name, and a maker of modules makes no devices`() {
        for name in ["Apple, Inc.", "Apple Inc.", "Apple"] {
            #expect(MakerNames.name(of: name) == "Apple")
        }
        #expect(MakerNames.name(of: "D-Link International") == "D-Link")
        #expect(MakerNames.name(of: "Shenzhen Example Co., Ltd.") == "Shenzhen Example")
        #expect(MakerNames.name(of: "Co.") == "Co.")
        for name in ["Espressif Inc.", "Raspberry Pi Trading Ltd", "REALTEK SEMICONDUCTOR CORP."] {
            #expect(MakerNames.makesModules(name), "\(name)")
        }
        #expect(!MakerNames.makesModules("Intelligent Homes"))
        let script = EventScript(makerOf: { _ in "Espressif Inc." })
        script.bring("Meter", "_wled._tcp", on: "h1.local", txt: ["mac=001a2b030405"])
        #expect(script.peers.map(\.maker) == [nil])
    }

    @Test func `zero bytes at the end of a string do not belong to its value`() {
        let service = Service(
            "_googlecast._tcp", "cc",
            ["id=215c8c81ab47bfeaa7b912693c7dbb15\0", "fn=Living Room\0", "md=Chromecast\0"])
        let profile = DeviceProfile(services: [service], host: "cc.local")
        #expect(profile.name?.value == "Living Room")
        #expect(profile.model?.value == "Chromecast")
        let evidence = Identity.all(of: [service], host: "cc.local")
        #expect(evidence.first?.value == "uuid:215c8c81-ab47-bfea-a7b9-12693c7dbb15")
    }
}
