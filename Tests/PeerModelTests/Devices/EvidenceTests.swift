// Tests which values of a host's records are evidence of the device's identity, and how strong.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import TestSupport
import Testing

@Suite struct EvidenceTests {
    /// A service, and the values that it gives, the strongest first; that of the host is left out.
    struct Row: Sendable, CustomTestStringConvertible {
        let type: String
        var instance = "Thing"
        var host = "thing.local"
        var txt: [String] = []
        let values: [String]
        var rank: Identity.Rank?

        var testDescription: String { "\(type) \(instance) \(host) \(txt)" }
    }

    static let printers: [Row] = [
        "_ipp._tcp", "_ipps._tcp", "_uscan._tcp", "_pdl-datastream._tcp", "_printer._tcp",
    ].map {
        Row(
            type: $0, txt: ["UUID=E3248000-80CE-11DB-8000-30055C00A1F7"],
            values: ["uuid:e3248000-80ce-11db-8000-30055c00a1f7"], rank: .serialNumber)
    }

    static let appleTypes = [
        Row(
            type: "_airplay._tcp",
            txt: [
                "deviceid=F4:D4:88:00:D5:E6", "serialNumber=0AXX3HBN", "manufacturer=Samsung",
                "pi=54:2A:1B:00:C3:D4", "psi=C8A5E310-4D7B-4F92-B06E-2A9D81F7C354",
            ],
            values: [
                "serial:samsung:0axx3hbn", "mac:f4d48800d5e6",
                "pairing:_airplay._tcp:54:2a:1b:00:c3:d4",
                "uuid:c8a5e310-4d7b-4f92-b06e-2a9d81f7c354",
            ], rank: .serialNumber),
        Row(
            type: "_raop._tcp", instance: "542A1B00C3D4@Kitchen", txt: ["am=One"],
            values: ["mac:542a1b00c3d4"], rank: .hardwareAddress),
        Row(
            type: "_companion-link._tcp",
            txt: [
                "rpMRtID=5D81B3C7-0E42-4F96-A7B0-92C6E135D84F", "rpBA=5E:0A:C1:00:D5:E6",
                "rpHA=b05d7e1c93fa", "rpHN=6c2f81d90a4e", "rpAD=4e9a0c72d1b8", "rpHI=f83b52c6a07d",
            ], values: ["uuid:5d81b3c7-0e42-4f96-a7b0-92c6e135d84f"], rank: .pairing),
        Row(
            type: "_mediaremotetv._tcp",
            txt: ["UniqueIdentifier=5D81B3C7-0E42-4F96-A7B0-92C6E135D84F"],
            values: ["uuid:5d81b3c7-0e42-4f96-a7b0-92c6e135d84f"], rank: .serialNumber),
        Row(
            type: "_hscp._tcp", txt: ["Machine ID=6C4008A1B2"],
            values: ["serial:hscp:6c4008a1b2"], rank: .serialNumber),
        Row(type: "_device-info._tcp", txt: ["model=MacBookPro18,3"], values: []),
        Row(
            type: "_adisk._tcp", txt: ["sys=waMA=00:11:32:00:E7:F8,adVF=0x100"],
            values: ["mac:00113200e7f8"], rank: .hardwareAddress),
        Row(type: "_adisk._tcp", txt: ["sys=waMA=0,adVF=0x100"], values: []),
        Row(
            type: "_airport._tcp", txt: ["waMA=00-1B-63-00-11-22,raMA=00-1B-63-00-11-23"],
            values: ["mac:001b63001122"], rank: .hardwareAddress),
        Row(
            type: "_airport._tcp", txt: ["sys=waMA=00-1B-63-00-11-22"],
            values: ["mac:001b63001122"]),
    ]

    static let furtherTypes = [
        Row(
            type: "_linkplay._tcp", txt: ["uuid=uuid:FF31F09E-5001-FBDE-0546-2DBFFF31F09E"],
            values: ["uuid:ff31f09e-5001-fbde-0546-2dbfff31f09e"], rank: .serialNumber),
        Row(
            type: "_bangolufsen._tcp", txt: ["sn=31416271"],
            values: ["serial:bang & olufsen:31416271"], rank: .serialNumber),
        Row(
            type: "_lutron._tcp", txt: ["SERNUM=0211C3D4", "MACADDR=68:9E:19:11:C3:D4"],
            values: ["serial:lutron:0211c3d4", "mac:689e1911c3d4"], rank: .serialNumber),
        Row(
            type: "_kizbox._tcp", txt: ["gateway_pin=1234-5678-9123"],
            values: ["serial:somfy:1234-5678-9123"], rank: .serialNumber),
        Row(
            type: "_miio._udp", instance: "yeelink-light-strip1_miio0135456831",
            txt: ["mac=000000000000"], values: []),
        Row(
            type: "_sonos._tcp", host: "sonos542A1B00C3D4.local", values: ["mac:542a1b00c3d4"],
            rank: .hardwareAddress),
        Row(
            type: "_spotify-connect._tcp", instance: "sonos542A1B00C3D4",
            host: "sonos542A1B00C3D4.local", values: ["mac:542a1b00c3d4"], rank: .hardwareAddress),
        Row(
            type: "_http._tcp", instance: "Bosch SHC [64:da:a0:01:23:45]", host: "shc012345.local",
            values: ["mac:64daa0012345"], rank: .hardwareAddress),
        Row(
            type: "_zigstar_gw._tcp", txt: ["serial_number=E89F6DA1B2C3"],
            values: ["mac:e89f6da1b2c3"], rank: .hardwareAddress),
    ]

    static let householdTypes = [
        Row(
            type: "_googlecast._tcp", txt: ["id=c9f1b6d27e4085a31c2d0f5e6a7b8c9d"],
            values: ["uuid:c9f1b6d2-7e40-85a3-1c2d-0f5e6a7b8c9d"], rank: .pairing),
        Row(
            type: "_androidtvremote2._tcp", txt: ["bt=48:5C:2C:51:E0:7B"],
            values: ["mac:485c2c51e07b"], rank: .hardwareAddress),
        Row(type: "_amzn-wplay._tcp", txt: ["n=Den", "u=5D0C7B92E4F1A836"], values: []),
        Row(
            type: "_hap._tcp", txt: ["id=7A:D3:F0:91:6B:24", "ci=6"],
            values: ["pairing:_hap._tcp:7a:d3:f0:91:6b:24"], rank: .pairing),
        Row(
            type: "_hap._udp", txt: ["id=7A:D3:F0:91:6B:24", "ci=6"],
            values: ["pairing:_hap._tcp:7a:d3:f0:91:6b:24"], rank: .pairing),
        Row(
            type: "_hap._tcp", txt: ["id=7A:D3:F0:91:6B:24", "ci=2"],
            values: ["pairing:_hap._tcp:7a:d3:f0:91:6b:24"], rank: .pairing),
        Row(
            type: "_hue._tcp", txt: ["bridgeid=ecb5fafffe7a3c51"], values: ["mac:ecb5fa7a3c51"],
            rank: .hardwareAddress),
        Row(
            type: "_esphomelib._tcp", txt: ["mac=84fce65d20b7"], values: ["mac:84fce65d20b7"],
            rank: .hardwareAddress),
        Row(
            type: "_shelly._tcp", instance: "shellyplusplugs-d4d4da00b3c4",
            values: ["mac:d4d4da00b3c4"], rank: .hardwareAddress),
        Row(
            type: "_http._tcp", instance: "ShellyPlusPlugS-D4D4DA00B3C4",
            values: ["mac:d4d4da00b3c4"]),
        Row(type: "_http._tcp", instance: "shellyplug-s-041E2C", values: []),
        Row(type: "_http._tcp", instance: "panel-d4d4da00b3c4", values: []),
        Row(
            type: "_matter._tcp", instance: "4AB0E26A2FDE09DE-0000000000000027",
            host: "503DD14A7C20.local", values: ["mac:503dd14a7c20"], rank: .hardwareAddress),
        Row(
            type: "_matter._tcp", instance: "4AB0E26A2FDE09DE-0000000000000045",
            host: "A2F0C95D7E3B1864.local", values: ["mac:a2f0c95d7e3b1864"], rank: .pairing),
        Row(
            type: "_matterc._udp", host: "503DD14A7C20.local", txt: ["D=1207", "VP=5010+262"],
            values: []),
        Row(
            type: "_home-assistant._tcp", txt: ["uuid=3b8f0d6ca5174e92b0c1d7e8f6a94250"],
            values: ["uuid:3b8f0d6c-a517-4e92-b0c1-d7e8f6a94250"], rank: .installation),
        Row(
            type: "_axis-video._tcp", txt: ["macaddress=ACCC8E5D07B2"],
            values: ["mac:accc8e5d07b2"], rank: .hardwareAddress),
        Row(
            type: "_doorbird._tcp", txt: ["macaddress=1CCAE37B0A42"],
            values: ["mac:1ccae37b0a42"], rank: .hardwareAddress),
        Row(
            type: "_http._tcp",
            txt: [
                "vendor=Synology", "serial=20A0SBR000000",
                "mac_address=00:11:32:00:e7:f8|00:11:32:00:e7:f9",
            ], values: ["serial:synology:20a0sbr000000", "mac:00113200e7f8"], rank: .serialNumber),
        Row(
            type: "_qdiscover._tcp", txt: ["accessType=https,accessPort=443,model=TS-X64"],
            values: []),
        Row(
            type: "_xbmc-jsonrpc-h._tcp", txt: ["uuid=58c530ac-0bb0-4f99-bbc6-71d0e4a5b38c"],
            values: ["uuid:58c530ac-0bb0-4f99-bbc6-71d0e4a5b38c"], rank: .serialNumber),
        Row(
            type: "_Volumio._tcp", txt: ["UUID=c90d5e72-3b14-4a86-97f0-d81b6e25a4c3"],
            values: ["uuid:c90d5e72-3b14-4a86-97f0-d81b6e25a4c3"], rank: .serialNumber),
        Row(type: "_wled._tcp", txt: ["mac=3494540e8bc6"], values: ["mac:3494540e8bc6"]),
        Row(type: "_elg._tcp", txt: ["id=3C:6A:9D:17:5B:2E"], values: ["mac:3c6a9d175b2e"]),
        Row(
            type: "_system-bridge._tcp", txt: ["uuid=e91bf575-56f3-4c83-8f42-70ac17adcd33"],
            values: ["uuid:e91bf575-56f3-4c83-8f42-70ac17adcd33"], rank: .installation),
        Row(
            type: "_mass._tcp", txt: ["server_id=server-1234"], values: ["serial:mass:server-1234"],
            rank: .installation),
        Row(
            type: "_soundtouch._tcp", txt: ["MAC=0452C7D6301B"], values: ["mac:0452c7d6301b"],
            rank: .hardwareAddress),
        Row(type: "_sonos._tcp", host: "Sonos-542A1B00C3D4.local", values: ["mac:542a1b00c3d4"]),
        Row(
            type: "_sonos._tcp", host: "RINCON_542A1B00C3D401400.local",
            values: ["mac:542a1b00c3d4"], rank: .hardwareAddress),
        Row(
            type: "_dvl-deviceapi._tcp", txt: ["SN=1234567890", "MT=2673"],
            values: ["serial:devolo:1234567890"], rank: .serialNumber),
        Row(
            type: "_enphase-envoy._tcp", txt: ["serialnum=122107012345"],
            values: ["serial:enphase:122107012345"], rank: .serialNumber),
        Row(
            type: "_nanoleafapi._tcp", txt: ["id=80:8A:F7:2E:C4:D9"], values: ["mac:808af72ec4d9"]),
        Row(
            type: "_nanoleafms._tcp", txt: ["id=NL42K0001"], values: ["serial:nanoleaf:nl42k0001"],
            rank: .serialNumber),
        Row(
            type: "_workstation._tcp", instance: "pihole [dc:a6:32:00:d5:e6]",
            values: ["mac:dca63200d5e6"], rank: .hardwareAddress),
        Row(
            type: "_kdeconnect._udp", txt: ["id=_9c4e70b1_d528_4f3a_86e0_1b7d5a92c0f4_"],
            values: ["uuid:9c4e70b1-d528-4f3a-86e0-1b7d5a92c0f4"], rank: .serialNumber),
        Row(
            type: "_peerlist._tcp", txt: ["id=3E23308B-E56B-57DC-98DA-41DBC537312D"],
            values: ["3e23308b-e56b-57dc-98da-41dbc537312d"], rank: .announced),
    ]

    @Test(arguments: printers + appleTypes + householdTypes + furtherTypes)
    func `each service type gives the evidence of its row in the table`(row: Row) throws {
        let service = Service(row.type, row.instance, row.txt)
        let evidence = Identity.all(of: [service], host: row.host)
        #expect(evidence.dropLast().map(\.value) == row.values)
        let host = try #require(evidence.last)
        #expect(host.rank == .hostName && host.value == row.host.lowercased())
        #expect(row.rank == nil || evidence.first?.rank == row.rank)
        #expect(evidence.dropLast().allSatisfy { $0.place.type == row.type.lowercased() })
    }

    @Test(arguments: ["_meshcop._udp", "_trel._udp"])
    func `an extended address of eight bytes is evidence, whether or not they are text`(
        type: String
    ) {
        let values: [[UInt8]: String] = [
            [0xAE, 0xEB, 0x2F, 0x59, 0x4B, 0x57, 0x4D, 0x0E]: "mac:aeeb2f594b574d0e",
            Array("bcdefghi".utf8): "mac:6263646566676869",
            Array("aeeb2f594b574d0e".utf8): "mac:aeeb2f594b574d0e",
        ]
        for (bytes, value) in values {
            let txt = TXTRecord(strings: [Array("xa=".utf8) + bytes])
            let service = Service(id: UUID(), name: "BR", type: type, domain: "local", txt: txt)
            #expect(Identity.all(of: [service], host: "br.local").first?.value == value)
        }
    }

    /// Expected: `uuidgen --sha1 --namespace 2e72ca69-8f12-4a07-98aa-28051b90491c --name VALUE`.
    @Test(arguments: [
        ("_wled._tcp", "mac=D4:D4:DA:00:B3:C4", "ce2e90d8-2b8e-5cad-bd1b-cc5264c73cdf"),
        (
            "_ipp._tcp", "UUID=e3248000-80ce-11db-8000-30055c00a1f7",
            "016964f1-8b82-5483-b9d0-42d59d007fc8"
        ),
        ("_hap._tcp", "id=AA:BB:CC:DD:EE:FF", "cab2a43e-c211-53a9-bc9d-c7decfca7f4f"),
    ])
    func `an identifier is the version-5 UUID of the value`(type: String, txt: String, id: String) {
        let evidence = Identity.all(of: [Service(type, "Thing", [txt])], host: "thing.local")
        #expect(evidence.first?.id.uuidString.lowercased() == id)
    }

    @Test func `host names, announced identifiers and unresolved services keep their identifiers`()
    {
        let announced = Identity.uuid(forName: "announced")
        let service = Service("_peerlist._tcp", "Anna", ["id=\(announced.uuidString)"])
        let evidence = Identity.all(of: [service], host: "H1.local.")
        #expect(evidence.map(\.id) == [announced, Identity.uuid(forName: "h1.local")])
        let unresolved = Identity(unresolved: service)
        #expect(unresolved.id == service.id && unresolved.rank == .service)
        #expect(unresolved.value == "anna._peerlist._tcp.local")
    }

    // MARK: Rules

    @Test func `a type with several values gives no evidence`() {
        let bridge = [
            Service("_raop._tcp", "542A1B00C3D4@Kitchen", ["am=aircast"]),
            Service("_raop._tcp", "542A1B00C3D5@Bath", ["am=aircast"]),
            Service("_hap._tcp", "A", ["id=7A:D3:F0:91:6B:24", "ci=2"]),
            Service("_hap._tcp", "B", ["id=7A:D3:F0:91:6B:25", "ci=17"]),
            Service("_airplay._tcp", "A", ["serialNumber=SAME1", "deviceid=54:2A:1B:00:C3:D4"]),
            Service("_airplay._tcp", "B", ["serialNumber=SAME1", "deviceid=54:2A:1B:00:C3:D5"]),
            Service("_wled._tcp", "Lamp", ["mac=3494540e8bc6"]),
        ]
        #expect(
            Identity.all(of: bridge, host: "box.local").map(\.value) == [
                "mac:3494540e8bc6", "box.local",
            ])
    }

    @Test func `several instances with one value are evidence`() {
        let services = ["A", "B", "C"].map {
            Service("_raop._tcp", "542A1B00C3D4@\($0)")
        }
        #expect(
            Identity.all(of: services, host: "box.local").map(\.value).first == "mac:542a1b00c3d4")
    }

    @Test func `a group of speakers gives no evidence and does not hide that of the speaker`() {
        let id = "d7418c059b6e24fae31057a2c96d8b4f"
        let services = [
            Service("_googlecast._tcp", "Nest-Audio-\(id)", ["id=\(id)", "md=Nest Audio"]),
            Service(
                "_googlecast._tcp", "Google-Cast-Group-5e92c1a78d304bf6a01782e3d94fc65b",
                ["id=5e92c1a7-8d30-4bf6-a017-82e3d94fc65b", "md=Google Cast Group"]),
            Service(
                "_googlecast._tcp", "Upstairs",
                ["id=5e92c1a7-8d30-4bf6-a017-82e3d94fc65c", "md=Google Cast Group"]),
        ]
        #expect(
            Identity.all(of: services, host: "x.local").map(\.value)
                == ["uuid:d7418c05-9b6e-24fa-e310-57a2c96d8b4f", "x.local"])
    }

    @Test func `a queue of CUPS gives no evidence of its server`() {
        let queue = Service(
            "_ipp._tcp", "Laser @ server",
            ["rp=printers/Laser", "UUID=2e95c07d-1fb3-38a4-70c6-b8d1e54f9a02"])
        #expect(Identity.all(of: [queue], host: "server.local").map(\.value) == ["server.local"])
    }

    @Test func `the strongest evidence comes first, and equal values once from the best source`() {
        let services = [
            Service("_hap._tcp", "Lamp", ["id=7A:D3:F0:91:6B:24"]),
            Service("_raop._tcp", "D4D4DA00B3C4@Lamp"),
            Service("_shelly._tcp", "shellyplus1-d4d4da00b3c4"),
            Service("_http._tcp", "shellyplus1-d4d4da00b3c4"),
            Service("_ipp._tcp", "Lamp", ["UUID=e3248000-80ce-11db-8000-30055c00a1f7"]),
            Service("_peerlist._tcp", "Lamp", ["id=3e23308b-e56b-57dc-98da-41dbc537312d"]),
        ]
        let evidence = Identity.all(of: services, host: "lamp.local")
        #expect(
            evidence.map(\.rank) == [
                .announced, .serialNumber, .hardwareAddress, .pairing, .hostName,
            ])
        #expect(evidence[2].place == RecordSource(type: "_raop._tcp"))
        #expect(evidence[3].place == RecordSource(type: "_hap._tcp", key: "id"))
        #expect(evidence[4].place == RecordSource())
        #expect(Identity.Rank.allCases == Identity.Rank.allCases.sorted())
    }

    @Test func `the same value in services of two devices gives the same identifier`() {
        let one = Identity.all(
            of: [Service("_wled._tcp", "A", ["mac=D4-D4-DA-00-B3-C4"])], host: "a.local")
        let other = Identity.all(of: [Service("_raop._tcp", "D4D4DA00B3C4@B")], host: "b.local")
        #expect(one.first?.id == other.first?.id)
        let remote = "rpMRtID=5d81b3c7-0e42-4f96-a7b0-92c6e135d84f"
        let screen = "psi=5D81B3C7-0E42-4F96-A7B0-92C6E135D84F"
        #expect(
            Identity.all(of: [Service("_companion-link._tcp", "A", [remote])], host: "a.local")
                .first?.id
                == Identity.all(of: [Service("_airplay._tcp", "A", [screen])], host: "a.local")
                .first?.id
        )
    }

    @Test(arguments: [
        "deviceid=", "deviceid", "deviceid=0", "deviceid=00:00:00:00:00:00",
        "deviceid=ff:ff:ff:ff:ff:ff", "deviceid=01:00:5e:00:00:fb", "deviceid=54:2A:1B:00:C3",
        "deviceid=54:2A:1B:00:C3:DX", "pi=00000000-0000-0000-0000-000000000000", "serialNumber=",
        "serialNumber=0000000000", "serialNumber=n/a", "serialNumber=Seriennummer: geheim½",
    ])
    func `absent and malformed values are no evidence`(txt: String) {
        let service = Service("_airplay._tcp", "TV", [txt])
        #expect(Identity.all(of: [service], host: "tv.local").map(\.value) == ["tv.local"])
    }

    @Test(arguments: [
        "UUID=00000000-0000-0000-0000-000000000000", "UUID=ffffffff-ffff-ffff-ffff-ffffffffffff",
        "UUID=e3248000-80ce-11db-8000", "UUID=\(String(repeating: "a1", count: 100))",
    ])
    func `nil and malformed UUIDs are no evidence`(txt: String) {
        let service = Service("_ipp._tcp", "Printer", [txt])
        #expect(Identity.all(of: [service], host: "printer.local").count == 1)
    }

    @Test func `a locally administered or invented MAC address is weaker than the host name`() {
        let service = Service("_raop._tcp", "92736C5BD20E@Pi4")
        #expect(Identity.all(of: [service], host: "pi4.local").map(\.value) == ["pi4.local"])
        #expect(
            Identity.all(of: [service], host: "10-0-0-1.local").first?.value == "mac:92736c5bd20e")
        let invented = Service("_raop._tcp", "CCCCA6425F18@Kitchen", ["am=airupnp"])
        #expect(Identity.all(of: [invented], host: "pi4.local").map(\.value) == ["pi4.local"])
        let screen = Service(
            "_airplay._tcp", "Pi4", ["deviceid=92:73:6C:5B:D2:0E", "pi=permanent"])
        #expect(
            Identity.all(of: [service, screen], host: "pi4.local").map(\.value)
                == ["pairing:_airplay._tcp:permanent", "pi4.local"])
    }

    @Test(arguments: [
        "AA::BB::CC::DD::EE::FF", "AABBCCDDEEFF", "AA:BB:CC:DD:EE", "AA:BB:CC:DD:EE:FG",
        "AA:BB:CC:DD:EE:FF:00", "AA-BB-CC-DD-EE-FF",
    ])
    func `a HomeKit identifier that is not six pairs is no evidence`(id: String) {
        let service = Service("_hap._tcp", "Lamp", ["id=\(id)", "ci=5"])
        #expect(Identity.all(of: [service], host: "lamp.local").map(\.value) == ["lamp.local"])
    }

    @Test(arguments: [
        ("mac=34:94:54:0e:8b:c6", ["mac:3494540e8bc6"]),
        ("macaddress=3494540E8BC6", ["mac:3494540e8bc6"]),
        ("mac=00:00:00:00:00:00", []), ("mac=unknown", []), ("mac=1234", []), ("uuid=abcdefgh", []),
        ("id=iot-device", []), ("id=7", []), ("unique_id=3494540e8bc6", ["mac:3494540e8bc6"]),
        ("serial=AB12345;manufacturer=Acme", ["serial:acme:ab12345"]),
        (
            "serialNumber=AB12345;vendor=Acme;mac=3494540e8bc6",
            ["serial:acme:ab12345", "mac:3494540e8bc6"]
        ),
    ])
    func `well-formed identifiers are evidence in services of any type`(
        txt: String, values: [String]
    ) {
        for type in ["_http._tcp", "_unknown._tcp", "_rtsp._tcp"] {
            let service = Service(type, "Thing", txt.split(separator: ";").map(String.init))
            let evidence = Identity.all(of: [service], host: "thing.local").dropLast()
            #expect(evidence.map(\.value) == values, "\(type)")
        }
    }

    @Test func `a serial number without a maker is evidence if one maker has the type`() {
        for (type, serial, values) in [
            ("_acmethings._tcp", "AB12345", ["serial:_acmethings._tcp:ab12345"]),
            ("_acmethings._tcp", "1234", []), ("_acmethings._tcp", "12345678", []),
            ("_acmethings._tcp", "unknown", []), ("_http._tcp", "AB12345", []),
            ("_rtsp._tcp", "AB12345", []),
        ] {
            let service = Service(type, "Thing", ["serial=\(serial)"])
            let evidence = Identity.all(of: [service], host: "thing.local").dropLast()
            #expect(evidence.map(\.value) == values, "\(type) \(serial)")
        }
    }

    @Test func `a shared printer identifies no router, and its own queue a printer`() {
        let queue = Service(
            "_pdl-datastream._tcp", "Acme P1", ["UUID=e3248000-80ce-11db-8000-30055c00a1f7"])
        let base = Service("_airport._tcp", "Hall", ["waMA=00-1B-63-00-11-22"])
        #expect(
            Identity.all(of: [queue, base], host: "hall.local").map(\.value)
                == ["mac:001b63001122", "hall.local"])
        #expect(Identity.all(of: [queue], host: "hall.local").first?.rank == .serialNumber)
    }

    @Test func `keys are compared without regard to case`() {
        let upper = Service("_WLED._TCP", "Lamp", ["MAC=3494540e8bc6"])
        #expect(Identity.all(of: [upper], host: "l.local").first?.value == "mac:3494540e8bc6")
    }

    @Test(arguments: [
        "_ssh._tcp", "_smb._tcp", "_nfs._tcp", "_rfb._tcp", "_spotify-connect._tcp",
        "_matterc._udp", "_remotepairing._tcp",
    ])
    func `types that identify nothing give no evidence`(type: String) {
        let txt = [
            "id=3494540e8bc6", "uuid=e3248000-80ce-11db-8000-30055c00a1f7", "mac=3494540e8bc6",
            "deviceid=3494540e8bc6", "serial=12345678", "rpBA=34:94:54:0e:8b:c6",
        ]
        let service = Service(type, "3494540E8BC6@Thing [34:94:54:0e:8b:c6]", txt)
        #expect(Identity.all(of: [service], host: "3494540E8BC6.local").count == 1)
    }

    @Test(arguments: [
        ("Android_4cf9120b83ae4d75b60a1f8e27c35d90.local", Identity.Rank.service),
        ("10-99-0-136.local", .service), ("android_tv.local", .hostName),
        ("10-99-0-1360.local", .hostName), ("h1.local", .hostName), ("", .hostName),
    ])
    func `a host name that does not last is weaker than others`(host: String, rank: Identity.Rank) {
        #expect(Identity.all(of: [], host: host).map(\.rank) == [rank])
    }

    @Test func `devices of a household give their strongest evidence`() throws {
        let expected = [
            "Brother printer": "uuid:e3248000-80ce-11db-8000-30055c00a1f7",
            "Living Room TV": "uuid:c9f1b6d2-7e40-85a3-1c2d-0f5e6a7b8c9d",
            "Kitchen speaker": "serial:sonos:54-2a-1b-00-c3-d4:7", "MacBook": "mac:f4d48800d5e6",
            "NAS": "serial:synology:20a0sbr000000",
            "Home Assistant": "uuid:3b8f0d6c-a517-4e92-b0c1-d7e8f6a94250",
            "iPhone": "toms-iphone.local",
            "Kitchen printer": "uuid:1c852a4d-b800-1f08-abcd-8c04ba00f1a2",
            "Desk lamp plug": "mac:d4d4da00b3c4", "Pi-hole": "mac:dca63200d5e6",
        ]
        for (name, value) in expected {
            let device = try #require(Scene.devices.first { $0.name == name })
            let evidence = Identity.all(of: device.services.map(\.service), host: device.host)
            #expect(evidence.first?.value == value, "\(name)")
        }
    }
}

extension Service {
    /// Creates a service with the strings of its TXT record.
    init(_ type: String, _ name: String, _ txt: [String] = []) {
        self.init(
            id: Identity.uuid(forName: Identity.canonical("\(name).\(type).local")), name: name,
            type: type, domain: "local", port: 1,
            txt: TXTRecord(strings: txt.map { Array($0.utf8) }))
    }
}
