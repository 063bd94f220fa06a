// Tests the names, kinds, models and makers of devices.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import Testing

@Suite struct DeviceProfileTests {
    /// A person's description of a device, with `-` for nothing.
    private func summary(_ profile: DeviceProfile) -> [String] {
        [
            profile.name?.value ?? "-", profile.kind?.value.rawValue ?? "-",
            profile.model?.value ?? "-", profile.maker?.value ?? "-",
        ]
    }

    private func profile(_ services: Service..., host: String = "thing.local") -> DeviceProfile {
        DeviceProfile(services: services, host: host)
    }

    @Test(arguments: [
        (
            "Brother printer", "Brother MFC-L3770CDW series", "printer", "MFC-L3770CDW series",
            "Brother"
        ),
        ("Living Room TV", "Living Room TV", "media-player", "Chromecast Ultra", "Google"),
        ("Kitchen speaker", "Kitchen", "speaker", "One", "Sonos"),
        ("MacBook", "Zoë’s MacBook Pro", "computer", "MacBook Pro (14-inch, 2021)", "Apple"),
        ("NAS", "DiskStation", "nas", "DS920+", "Synology"),
        ("Home Assistant", "Home", "bridge", "-", "-"),
        ("iPhone", "Tom’s iPhone", "phone", "-", "Apple"),
        ("Kitchen printer", "Küche 🖨", "printer", "ENVY 6000 series", "HP"),
        ("Desk lamp plug", "shellyplusplugs", "switch", "PlusPlugS", "Shelly"),
        ("Pi-hole", "pihole", "computer", "-", "-"),
    ])
    func `devices of a household are called as a person would call them`(
        device: String, name: String, kind: String, model: String, maker: String
    ) throws {
        let device = try #require(Scene.devices.first { $0.name == device })
        let profile = DeviceProfile(services: device.services.map(\.service), host: device.host)
        #expect(summary(profile) == [name, kind, model, maker])
    }

    // MARK: Names

    @Test func `the announced name is preferred to keys, instance names and the host label`() {
        let cast = Service("_googlecast._tcp", "Chromecast-6b0f29d41e7a83c5", ["fn=Den TV"])
        let ssh = Service("_ssh._tcp", "den")
        let own = Service("_peerlist._tcp", "Anna's TV")
        let all = profile(own, cast, ssh, host: "host.local").name
        #expect(all?.value == "Anna's TV")
        #expect(all?.best.source == RecordSource(type: "_peerlist._tcp"))
        #expect(all?.others.map(\.value).prefix(1) == ["Den TV"])
        #expect(all?.others.last?.value == "host")
        let keys = profile(cast, ssh).name
        #expect(keys?.value == "Den TV")
        #expect(keys?.best.source == RecordSource(type: "_googlecast._tcp", key: "fn"))
        #expect(profile(ssh).name?.value == "den")
        let host = profile().name
        #expect(host?.value == "thing" && host?.best.source == RecordSource())
        #expect(profile(host: "").name == nil)
    }

    @Test func `names from keys are in the order of the keys`() {
        let services = [
            Service("_esphomelib._tcp", "a", ["friendly_name=4th"]),
            Service("_kdeconnect._udp", "b", ["name=3rd"]),
            Service("_amzn-wplay._tcp", "c", ["n=2nd"]),
            Service("_googlecast._tcp", "d", ["fn=1st"]),
            Service("_home-assistant._tcp", "e", ["location_name=6th"]),
            Service("_ipp._tcp", "5th floor", ["ty=5th"]),
        ]
        let name = DeviceProfile(services: services, host: "h.local").name
        #expect(name?.value == "1st")
        #expect(
            name?.others.map(\.value).prefix(5) == ["2nd", "3rd", "4th", "5th", "6th"])
    }

    @Test func `the instance name of most services is preferred`() {
        let name = profile(
            Service("_http._tcp", "Admin"), Service("_ssh._tcp", "pihole"),
            Service("_workstation._tcp", "pihole [dc:a6:32:00:d5:e6]")
        ).name
        #expect(name?.value == "pihole")
        #expect(name?.others.map(\.value) == ["thing"])
    }

    @Test(arguments: [
        ("_raop._tcp", "542A1B00C3D4@Kitchen @ home", "Kitchen @ home"),
        ("_workstation._tcp", "pihole [dc:a6:32:00:d5:e6]", "pihole"),
        ("_sonos._tcp", "Sonos-542A1B00C3D4@Kitchen", "Kitchen"),
        ("_axis-video._tcp", "AXIS M1065-LW - ACCC8E5D07B2", "AXIS M1065-LW"),
        ("_ssh._tcp", "Face", "Face"), ("_ssh._tcp", "Room 12345678", "Room 12345678"),
        ("_http._tcp", "Web", "thing"),
    ])
    func `the part of an instance name that is a name is the name`(
        type: String, instance: String, name: String
    ) {
        #expect(profile(Service(type, instance)).name?.value == name)
    }

    @Test(arguments: [
        ("_http._tcp", "LAXCAMDAHUA", "3K058D5PAG00056.local", "LAXCAMDAHUA"),
        ("_unknown._tcp", "Dining Room", "panasonic-hifi.local", "Dining Room"),
        ("_http._tcp", "Bosch SHC [64:da:a0:01:23:45]", "shc012345.local", "Bosch SHC"),
        ("_http._tcp", "BSB-LAN web service", "BSB-LAN.local", "BSB-LAN"),
        ("_unknown._tcp", "Acme API", "hub.local", "hub"),
        ("_http._tcp", "Acme Configuration Utility", "hub.local", "hub"),
        ("_http._tcp", "Web Management Interface", "hub.local", "hub"),
        ("_http._tcp", "Web server on hub", "hub.local", "hub"),
        ("_unknown._tcp", "iTunes_Ctrl_0011324287056013", "hub.local", "hub"),
        ("_dacp._tcp", "iTunes_Ctrl_1", "hub.local", "hub"),
        ("_teamviewer._tcp", "123 456 789", "hub.local", "hub"),
        ("_googlezone._tcp", "Home", "hub.local", "hub"),
        ("_ssh._tcp", "homee-00055511EECC", "homee-00055511EECC.local", "homee-00055511EECC"),
    ])
    func `a single service names its device unless the name is that of the service`(
        type: String, instance: String, host: String, name: String
    ) {
        #expect(profile(Service(type, instance), host: host).name?.value == name)
    }

    @Test func `what is left of many names without an identifier is no name`() {
        let controllers = (1...4).map {
            Service("_unknown._tcp", "iTunes_Ctrl_001132428705601\($0)")
        }
        let name = DeviceProfile(services: controllers, host: "ibox.local").name
        #expect(name?.value == "ibox")
    }

    @Test(arguments: [
        "542A1B00", "54:2A:1B:00:C3:D4", "e3248000-80ce-11db-8000-30055c00a1f7",
        "4AB0E26A2FDE09DE-0000000000000027", "9c4e70b1_d528_4f3a_86e0_1b7d5a92c0f4",
    ])
    func `an identifier is no name`(instance: String) {
        #expect(profile(Service("_http._tcp", instance)).name?.value == "thing")
        let cast = Service("_googlecast._tcp", "x", ["fn=\(instance)"])
        #expect(profile(cast).name?.value == "x")
    }

    @Test func `make and model are the name of a printer that its owner did not name`() {
        let model = ["ty=HP LaserJet", "UUID=e3248000-80ce-11db-8000-30055c00a1f7"]
        #expect(
            profile(Service("_ipp._tcp", "HP LaserJet (9F2C41)", model)).name?.value
                == "HP LaserJet")
        #expect(profile(Service("_ipp._tcp", "Büro oben", model)).name?.value == "Büro oben")
    }

    @Test func `a name is at most 255 bytes long and keeps its control characters`() throws {
        let long = Service(
            "_googlecast._tcp", "x", ["fn=\u{1b}[2J" + String(repeating: "ü", count: 200)])
        let name = try #require(profile(long).name?.value)
        #expect(name.utf8.count == 254)
        #expect(name.hasPrefix("\u{1b}[2Jüü") && name.hasSuffix("ü"))
    }

    // MARK: Models and makers

    @Test func `models are in the order of the table, each with its source`() {
        let services = [
            Service("_esphomelib._tcp", "i", ["board=9th"]),
            Service("_soundtouch._tcp", "h", ["MODEL=8th"]),
            Service("_hue._tcp", "g", ["modelid=7th"]),
            Service("_companion-link._tcp", "e", ["rpMd=6th"]),
            Service("_airplay._tcp", "d", ["model=5th"]),
            Service("_raop._tcp", "c", ["am=4th"]),
            Service("_hap._tcp", "b", ["md=3rd"]),
            Service("_ipp._tcp", "a", ["product=(2nd)", "usb_MDL=1st"]),
        ]
        let model = DeviceProfile(services: services, host: "h.local").model
        #expect(model?.best == .init("1st", from: RecordSource(type: "_ipp._tcp", key: "usb_MDL")))
        #expect(
            model?.others.map(\.value)
                == ["2nd", "3rd", "4th", "5th", "6th", "7th", "8th"])
    }

    @Test(arguments: [
        ("AppleTV11,1", "Apple TV 4K (2nd generation)", DeviceKind.mediaPlayer),
        ("MacBookPro18,3", "MacBook Pro (14-inch, 2021)", .computer),
        ("AudioAccessory5,1", "HomePod mini", .speaker), ("iPhone15,2", "iPhone 14 Pro", .phone),
        ("Mac14,2", "MacBook Air (M2, 2022)", .computer), ("iPad99,1", "iPad", .tablet),
        ("AppleTV99,1", "Apple TV", .mediaPlayer), ("Mac99,12", "Mac", .computer),
    ])
    func `identifiers of Apple models are translated`(id: String, name: String, kind: DeviceKind) {
        let profile = profile(Service("_companion-link._tcp", "Thing", ["rpMd=\(id)"]))
        #expect(summary(profile) == ["Thing", kind.rawValue, name, "Apple"])
    }

    @Test(arguments: ["J105aAP", "Mac", "Mac14,", "Mac,1", "Macintosh1,1", "Mac1,2,3"])
    func `other models stay as they are announced`(model: String) {
        let profile = profile(Service("_airplay._tcp", "Thing", ["model=\(model)"]))
        #expect(profile.model?.value == model && profile.kind == nil && profile.maker == nil)
    }

    @Test func `makers are announced, or known of the type or model`() {
        let services = [
            Service("_ipp._tcp", "a", ["usb_MFG=1st"]),
            Service("_airplay._tcp", "b", ["manufacturer=2nd", "model=AppleTV6,2"]),
            Service("_meshcop._udp", "c", ["vn=3rd"]),
            Service("_sonos._tcp", "d"),
        ]
        let maker = DeviceProfile(services: services, host: "h.local").maker
        #expect(maker?.best == .init("1st", from: RecordSource(type: "_ipp._tcp", key: "usb_MFG")))
        #expect(maker?.others.map(\.value) == ["2nd", "3rd", "Sonos", "Apple"])
        let matter = profile(Service("_matterc._udp", "4BA9831AE57C0D62", ["VP=4476+2"]))
        #expect(matter.maker?.value == "IKEA")
        #expect(profile(Service("_matterc._udp", "x", ["VP=1+2"])).maker == nil)
    }

    // MARK: Kinds

    @Test(arguments: [
        ("_hap._tcp", "ci=6", DeviceKind.lock), ("_hap._tcp", "ci=9", .thermostat),
        ("_hap._udp", "ci=5", .light), ("_hap._tcp", "ci=2", .bridge),
        ("_hap._tcp", "ci=36", .mediaPlayer), ("_hap._tcp", "ci=33", .router),
        ("_matterc._udp", "DT=269", .light), ("_matterc._udp", "DT=10", .lock),
        ("_kdeconnect._udp", "type=phone", .phone), ("_kdeconnect._udp", "type=Desktop", .computer),
        ("_ipp._tcp", "ty=X", .printer), ("_uscan._tcp", "ty=X", .scanner),
        ("_sonos._tcp", "", .speaker), ("_qdiscover._tcp", "", .nas), ("_hue._tcp", "", .bridge),
        ("_axis-video._tcp", "", .camera), ("_airport._tcp", "", .router),
        ("_googlecast._tcp", "md=Nest Audio", .speaker),
        ("_googlecast._tcp", "md=Q60", .mediaPlayer),
        ("_googlecast._tcp", "md=BRAVIA 4K VH2", .tv),
        ("_googlecast._tcp", "md=Acme Smart TV", .tv),
        ("_airplay._tcp", "features=0x7F8AD0,0x38BCB46", .tv),
        ("_airplay._tcp", "features=0x445F8A00,0x1C340", .speaker),
        ("_smb._tcp", "", .computer), ("_adisk._tcp", "", .nas),
    ])
    func `protocols, types and models tell the kind`(type: String, txt: String, kind: DeviceKind) {
        #expect(profile(Service(type, "Thing", [txt])).kind?.value == kind)
    }

    @Test(arguments: [
        ("_hap._tcp", "ci=1"), ("_hap._tcp", "ci=999"), ("_matterc._udp", "DT="),
        ("_airplay._tcp", "features=no"), ("_airplay._tcp", "features=,"), ("_http._tcp", ""),
        ("_spotify-connect._tcp", ""),
    ])
    func `other services tell no kind`(type: String, txt: String) {
        #expect(profile(Service(type, "Thing", [txt])).kind == nil)
    }

    @Test func `a printer that scans is a printer, contradicted by its scanner`() {
        let kind = profile(Service("_uscan._tcp", "MFP"), Service("_ipp._tcp", "MFP")).kind
        #expect(kind?.best == .init(.printer, from: RecordSource(type: "_ipp._tcp")))
        #expect(kind?.others == [.init(.scanner, from: RecordSource(type: "_uscan._tcp"))])
    }

    @Test func `a shared printer makes no printer of its server`() {
        let server = profile(
            Service("_ipp._tcp", "Laser @ server", ["rp=printers/Laser", "ty=HP LaserJet"]),
            Service("_printer._tcp", "Laser @ server"), Service("_ssh._tcp", "server"),
            Service("_workstation._tcp", "server [e4:5f:01:3d:b7:82]"), host: "server.local")
        #expect(summary(server) == ["server", "computer", "-", "-"])
    }

    @Test(arguments: [
        ("_airport._tcp", "router"), ("_fbx-api._tcp", "router"), ("_qdiscover._tcp", "nas"),
        ("_readynas._tcp", "nas"), ("_adisk._tcp", "nas"),
    ])
    func `a printer that a router or NAS shares is not the router or NAS`(
        type: String, kind: String
    ) {
        let txt = ["usb_MFG=Canon", "usb_MDL=MP490 series", "note=Hall"]
        let host = profile(
            Service(type, "Hall"), Service("_smb._tcp", "Hall"),
            Service("_pdl-datastream._tcp", "Canon MP490 series", txt),
            Service("_riousbprint._tcp", "Canon MP490 series", txt), host: "hall.local")
        #expect(host.name?.value == "Hall" && host.kind?.value.rawValue == kind)
        #expect(host.model == nil && host.maker?.value != "Canon")
        // A printer with a disk of its own.
        let printer = profile(
            Service("_adisk._tcp", "Office"), Service("_ipp._tcp", "Office", txt), host: "p.local")
        #expect(printer.kind?.value == .printer)
    }

    @Test func `a printer without keys has its maker and model in its instance name`() {
        let printer = profile(Service("_ipp._tcp", "EPSON XP-6000 Series", ["rp=ipp/print"]))
        #expect(
            summary(printer)
                == ["EPSON XP-6000 Series", "printer", "EPSON XP-6000 Series", "EPSON"])
        #expect(summary(profile(Service("_ipp._tcp", "Upstairs")))[2...] == ["-", "-"])
    }

    @Test func `a path like that of CUPS with a MAC address is the printer's own`() {
        let txt = ["rp=printers/HP", "mac=34:64:A9:96:05:4C", "usb_MFG=HP", "usb_MDL=LaserJet"]
        #expect(
            summary(profile(Service("_ipp._tcp", "HP", txt))) == [
                "HP", "printer", "LaserJet", "HP",
            ])
    }

    @Test(arguments: [
        ("_viziocast._tcp", "mdl=SB4031-D5", DeviceKind.speaker),
        ("_viziocast._tcp", "mdl=P65-F1", .tv),
        ("_hwenergy._tcp", "product_type=HWE-SKT", .switch),
        ("_hwenergy._tcp", "product_type=HWE-P1", .sensor),
        ("_androidtvremote2._tcp", "", .tv), ("_workstation._tcp", "", .computer),
        ("_hap._tcp", "ci=3", .appliance), ("_ewelink._tcp", "type=light", .light),
        ("_dhnap._tcp", "model_number=DCS-935L", .camera),
        ("_dhnap._tcp", "model_number=DIR-810", .router),
    ])
    func `a type that several kinds offer is a presumption`(
        type: String, txt: String, kind: DeviceKind
    ) {
        #expect(profile(Service(type, "Thing", [txt])).kind?.value == kind)
    }

    @Test func `a model or a name overrules a presumption`() {
        let box = profile(
            Service("_androidtvremote2._tcp", "Box"),
            Service("_googlecast._tcp", "x", ["md=Bouygtel4K"]))
        #expect(box.kind?.value == .mediaPlayer)
        #expect(
            profile(Service("_workstation._tcp", "OpenWrt [dc:a6:32:00:d5:e6]")).kind?.value
                == .router)
    }

    @Test(arguments: [
        ("LIFX A19", "LIFX"), ("tado", "tado"), ("EB-STATe3L-01", "ecobee"), ("NL42", "Nanoleaf"),
        ("Smart Bridge", "Lutron"), ("TRADFRI gateway", "IKEA"), ("Unheard", "-"),
    ])
    func `the model of a HomeKit accessory tells its maker`(model: String, maker: String) {
        #expect(summary(profile(Service("_hap._tcp", "A", ["md=\(model)"])))[3] == maker)
    }

    @Test func `models, makers and names are read from services of any type`() {
        let txt = ["model=M1", "manufacturer=Acme", "friendly_name=Porch"]
        for type in ["_http._tcp", "_unknown._tcp"] {
            #expect(summary(profile(Service(type, "x", txt))) == ["Porch", "-", "M1", "Acme"])
        }
    }

    @Test(arguments: [
        "MacSamba", "Xserve", "RackMac", "TimeCapsule8,119", "MacPro7,1@ECOLOR=226,226,224",
    ])
    func `imitated models lose against other evidence`(model: String) {
        let info = Service("_device-info._tcp", "nas", ["model=\(model)"])
        #expect(profile(info).model == nil)
        #expect(profile(info).maker == nil)
        let nas = profile(info, Service("_qdiscover._tcp", "nas", ["model=TS-464C"]))
        #expect(nas.model?.value == "TS-464C" && nas.kind?.value == .nas)
        #expect(nas.model?.others.map(\.source) == [.init(type: "_device-info._tcp", key: "model")])
        #expect(profile(info, Service("_adisk._tcp", "nas")).kind?.value == .nas)
    }

    @Test func `the record of device information is read like a service`() {
        let info = TXTRecord([.init(key: "model", value: .text("Macmini9,1"))])
        let mac = DeviceProfile(
            services: [Service("_smb._tcp", "Attic")], host: "attic.local", deviceInfo: info)
        #expect(summary(mac) == ["Attic", "computer", "Mac mini (M1, 2020)", "Apple"])
        #expect(mac.model?.best.source == .init(type: "_device-info._tcp", key: "model"))
    }

    @Test func `services for other devices tell that the host is a bridge, and nothing else`() {
        let bridge = profile(
            Service("_raop._tcp", "CCCC1A94F06D@Upstairs", ["am=aircast"]),
            Service("_raop._tcp", "CCCC5E0B72C4@Kitchen", ["am=aircast"]), host: "box.local")
        #expect(summary(bridge) == ["box", "bridge", "-", "-"])
        let workstation = profile(
            Service("_workstation._tcp", "pc [d8:cb:8a:61:0e:b7]"),
            Service("_workstation._tcp", "pc [d8:cb:8a:61:0e:b8]"), host: "pc.local")
        #expect(summary(workstation) == ["pc", "computer", "-", "-"])
    }

    @Test func `a group of speakers gives the speaker no name`() {
        let speaker = profile(
            Service(
                "_googlecast._tcp", "Nest-Audio-d7418c059b6e24fa",
                ["fn=Bedroom", "id=d7418c059b6e24fa"]),
            Service(
                "_googlecast._tcp", "Google-Cast-Group-5e92c1a78d304bf6",
                ["fn=Upstairs", "md=Google Cast Group", "id=5e92c1a78d304bf6"]))
        #expect(speaker.name?.value == "Bedroom")
        #expect(speaker.name?.others.contains { $0.value == "Upstairs" } == false)
    }

    @Test func `each kind has its own narrow glyph, letter and title`() {
        let kinds = DeviceKind.allCases
        #expect(Set(kinds.map(\.glyph)).count == kinds.count)
        #expect(Set(kinds.map(\.letter)).count == kinds.count)
        #expect(Set(kinds.map(\.title)).count == kinds.count)
        #expect(kinds.allSatisfy { $0.letter.isASCII && $0.letter.isUppercase })
        #expect(kinds.allSatisfy { $0.glyph.unicodeScalars.count == 1 })
        #expect(kinds.allSatisfy { $0.glyph.unicodeScalars.allSatisfy { $0.value < 0x10000 } })
    }
}
