// The table of the evidence and the statements about a device in the records of each service type.

/// The meaning of the records of some service types for their device: one row of ``all``.
///
/// A row lists the TXT keys and names that contain evidence of the device's identity, its name, its
/// model and its maker, and the kind of device that offers the service. A *place* is such a key or
/// name.
package struct DeviceClues: Sendable {
    /// The service types, in lower case.
    let types: [String]
    /// The services to which the row applies; other services of the types have a later row.
    let condition: Condition?
    /// The evidence of the device's identity, best first.
    let evidence: [Identifier]
    /// The places of names that owners or makers give to the device.
    let name: [Place]
    /// The part of the instance name that may be the device's name; `nil` if it never is.
    let instance: Place?
    let model: [Place]
    let maker: [Place]
    let kind: Kind?
    /// Whether the row has evidence of its own, besides the keys of ``general``.
    let isIdentifying: Bool
}

extension DeviceClues {
    init(
        _ types: String..., where condition: Condition? = nil, evidence: [Identifier] = [],
        name: [Place] = [], instance: Place? = .instance(), model: [Place] = [],
        maker: [Place] = [], kind: Kind? = nil
    ) {
        self.init(
            types: types, condition: condition, evidence: evidence, name: name, instance: instance,
            model: model, maker: maker, kind: kind, isIdentifying: !evidence.isEmpty)
    }

    /// A place in the records of a service. A string literal is a key of the TXT record: `"md"`.
    struct Place: Sendable, ExpressibleByStringLiteral {
        enum Origin: Sendable {
            case key(String)
            /// A key with whose value the instance name starts.
            case startOfInstance(key: String)
            case instance
            /// The instance name if its first word is the name of a maker of printers.
            case printerInstance
            /// The maker according to the row.
            case maker
            /// The first label of the host name, in lower case.
            case host
            /// The name at a key, without what devices put around it.
            case name(key: String)
            /// The name of the model at a key, or its number at another key if that tells more.
            case model(key: String, number: String)
            /// The values of several keys.
            case keys([String])
            /// No place: the same text for every service of the row.
            case fixed(String)
        }

        let origin: Origin
        /// The text after which the value starts; if the text is missing, there is no value.
        var after: String?
        /// The text before which the value ends, if the text occurs.
        var upTo: String?
        /// The number of characters of the value from its start, or from its end if negative.
        var length: Int?
        /// The meanings of values that are codes; a value without a meaning counts as missing.
        var meanings: [String: String]?

        static func key(
            _ key: String, after: String? = nil, upTo: String? = nil, length: Int? = nil,
            meanings: [String: String]? = nil
        ) -> Place {
            Place(
                origin: .key(key), after: after, upTo: upTo, length: length, meanings: meanings)
        }

        static func instance(
            after: String? = nil, upTo: String? = nil, length: Int? = nil,
            meanings: [String: String]? = nil
        ) -> Place {
            Place(
                origin: .instance, after: after, upTo: upTo, length: length, meanings: meanings)
        }

        static func host(after: String? = nil, length: Int? = nil) -> Place {
            Place(origin: .host, after: after, length: length)
        }

        static func startOfInstance(_ key: String) -> Place {
            Place(origin: .startOfInstance(key: key))
        }

        static func fixed(_ text: String) -> Place { Place(origin: .fixed(text)) }

        static func name(_ key: String) -> Place { Place(origin: .name(key: key)) }

        static let maker = Place(origin: .maker)
        static let printerInstance = Place(origin: .printerInstance)
    }

    /// A place that contains evidence of an identity, and the form of the evidence.
    enum Identifier: Sendable {
        /// The version-5 UUID that peerlist announces.
        case announced(Place)
        case uuid(Place)
        /// A MAC address or an extended (64-bit) address.
        case mac(Place)
        /// An extended address in eight bytes that are not text.
        case binaryMAC(Place)
        /// A serial number, unique among the serial numbers of a vendor, or a UUID or MAC address in place of a
        /// serial number.
        case serial(Place, of: Place)
        /// A UUID, or a universally administered MAC address or extended address.
        case device(Place)
        /// The identifier of an installation of a program.
        case installation(Place, of: String)
        /// An identifier that lasts until the device is reset.
        case pairing(Place)
        /// A pairing identifier of HomeKit: six pairs of hexadecimal digits.
        case homeKit(Place)

        var place: Place {
            switch self {
            case .announced(let place), .uuid(let place), .mac(let place), .binaryMAC(let place),
                .device(let place), .serial(let place, _), .installation(let place, _),
                .pairing(let place), .homeKit(let place):
                place
            }
        }
    }

    /// A condition on a service, without regard to case.
    enum Condition: Sendable {
        case keyIs(String, String)
        case key(String, startsWith: String)
        case instance(startsWith: String)
        /// A bit of a decimal number is clear.
        case bitIsClear(String, Int)
        /// The description is of a program and not of the device on which it runs.
        case program
        /// A queue of CUPS: its path is that of a server, and it has no MAC address of its own.
        case sharedQueue
    }

    /// The kind of device that offers the services of a row.
    enum Kind: Sendable {
        /// The value at a place is a code of the kind.
        case stated(Place, [String: DeviceKind])
        /// A bit of the first hexadecimal number at a place distinguishes two kinds, if the model
        /// does not.
        case flag(Place, bit: Int, set: DeviceKind, clear: DeviceKind)
        /// The first word at a place that starts with a word of the list tells the kind, without regard to case; a word
        /// that ends with a space is a whole one. A device without such a word is usually of the kind `otherwise`.
        case word(Place, [(String, DeviceKind)], otherwise: DeviceKind?)
        /// Only devices of this kind offer the service.
        case always(DeviceKind)
        /// Devices of this kind offer the service more often than others.
        case usually(DeviceKind)
        /// The device is of this kind if nothing else tells its kind, not even a name.
        case perhaps(DeviceKind)
    }
}

extension DeviceClues.Place {
    init(stringLiteral key: String) { self.init(origin: .key(key)) }

    var isMaker: Bool { if case .maker = origin { true } else { false } }

    /// The key of the place, in lower case; `nil` for a name.
    var key: String? {
        switch origin {
        case .key(let key), .startOfInstance(let key), .name(let key), .model(let key, _):
            key.lowercased()
        default: nil
        }
    }
}

// MARK: Finding the row of a service

extension DeviceClues {
    /// Returns the index of the first row for a service, given the text at a place in its records.
    static func row(for type: String, text: (Place) -> String?) -> Int? {
        rows(of: type)?.first { index in
            switch all[index].condition {
            case nil: true
            case .keyIs(let key, let value): text(.key(key))?.lowercased() == value
            case .key(let key, let start): text(.key(key))?.lowercased().hasPrefix(start) == true
            case .instance(let start): text(.instance())?.lowercased().hasPrefix(start) == true
            case .bitIsClear(let key, let bit):
                text(.key(key)).flatMap { UInt64($0) }.map { $0 >> bit & 1 == 0 } ?? false
            case .program:
                ["manufacturer", "modelName", "modelDescription"].contains { key in
                    let value = text(.key(key))?.lowercased() ?? ""
                    return programs.contains(where: value.hasPrefix)
                }
            case .sharedQueue: text("rp")?.hasPrefix("printers/") == true && text("mac") == nil
            }
        }
    }

    /// Whether services of a type, in lower case, may have evidence of their device's identity.
    package static func identify(_ type: String) -> Bool {
        rows(of: type)?.contains { all[$0].isIdentifying } == true
    }

    /// Whether the table has a row for services of a type, in lower case.
    package static func hasRow(_ type: String) -> Bool { rows(of: type) != nil }

    /// Returns the indices of the rows for a type: for one of UPnP, without its version, or else the rows of all types
    /// of the protocol.
    private static func rows(of type: String) -> [Int]? {
        let source = DiscoveryProtocol(ofType: type)
        guard source != .mdns else { return indices[type] }
        let parts = type.split(separator: ":")
        let plain = parts.last.map { $0.allSatisfy(\.isNumber) } == true ? parts.dropLast() : parts
        return indices[plain.joined(separator: ":")] ?? indices[source.typePrefix]
    }

    /// The types of the queues of printers.
    static let queueTypes: Set = [
        "_ipp._tcp", "_ipps._tcp", "_pdl-datastream._tcp", "_printer._tcp", "_riousbprint._tcp",
    ]

    /// The types of the services of a computer, in lower case: files, screens and shells.
    static let computerTypes: Set = [
        "_afpovertcp._tcp", "_nfs._tcp", "_rdp._tcp", "_rfb._tcp", "_sftp-ssh._tcp", "_smb._tcp",
        "_ssh._tcp", "_udisks-ssh._tcp", "_workstation._tcp",
    ]

    /// Types without a row that devices of many makers offer.
    private static let commonTypes: Set = [
        "_coap._tcp", "_coap._udp", "_daap._tcp", "_ftp._tcp", "_hislip._tcp", "_http._tcp",
        "_http-alt._tcp", "_https._tcp", "_lxi._tcp", "_mqtt._tcp", "_ntp._udp", "_osc._udp",
        "_scpi-raw._tcp", "_scpi-telnet._tcp", "_sip._tcp", "_sip._udp", "_telnet._tcp",
        "_tftp._udp", "_upnp._tcp", "_vxi-11._tcp", "_webdav._tcp", "_webdavs._tcp", "_ws._tcp",
        "_wss._tcp",
    ]

    /// Whether devices of many makers, and programs, offer services of a type without a row, in lower case.
    static func isCommon(_ type: String) -> Bool { commonTypes.contains(type) }

    /// Whether the devices that offer services of a type without a row, in lower case, probably have one maker.
    static func isOfOneMaker(_ type: String) -> Bool {
        indices[type] == nil && !commonTypes.contains(type)
    }

    /// The row of services without a row in the table; its keys are read in all services that describe the device.
    static let general = DeviceClues(
        evidence: [
            .uuid("uuid"), .serial("serial", of: .maker), .serial("serialNumber", of: .maker),
            .serial("serial_number", of: .maker), .serial("serialno", of: .maker),
            .serial("sn", of: .maker), .mac("mac"), .mac("macaddress"), .device("id"),
            .device("unique_id"), .device("uniqueid"), .device("unique-id"), .device("unique id"),
        ],
        name: ["friendly_name", "fn", "name", "device_name"],
        model: [
            "model", "product", "product_type", "product_name", "devicetype", "device_type",
            "model_type", "board",
        ], maker: ["manufacturer", "vendor", "maker", "mf", "brand"])

    /// The rows of ``table`` with the keys of the general row, and last the general row.
    static let all: [DeviceClues] = table.map { $0.withGeneralKeys() } + [general]

    /// Returns the row, with the keys of the general row added if its services describe the device.
    ///
    /// Services whose instance name never names the device may describe something else, and so may software on a
    /// computer.
    private func withGeneralKeys() -> DeviceClues {
        if case .usually(.computer) = kind { return self }
        guard instance != nil else { return self }
        let general = Self.general
        let own = Set((evidence.map(\.place) + name + model + maker).compactMap(\.key))
        func isFree(_ place: Place) -> Bool { !own.contains(place.key ?? "") }
        return DeviceClues(
            types: types, condition: condition,
            evidence: evidence + general.evidence.filter { isFree($0.place) },
            name: name + general.name.filter(isFree), instance: instance,
            model: model + general.model.filter(isFree),
            maker: maker + general.maker.filter(isFree), kind: kind, isIdentifying: isIdentifying)
    }

    private static let indices: [String: [Int]] = {
        var indices: [String: [Int]] = [:]
        for (index, row) in all.enumerated() {
            for type in row.types { indices[type, default: []].append(index) }
        }
        return indices
    }()
}

// MARK: The table

extension DeviceClues {
    /// All rows, in order of preference: of values of equal rank, the value of the first row
    /// counts.
    ///
    /// Hardware comes before software, because an installation may be copied or moved to another
    /// device. A type without evidence, such as `_ssh._tcp`, has a row only if it determines a kind.
    private static let table: [DeviceClues] = hardware + homes + software + silent

    /// The index of the first row of services that programs on computers offer.
    static let firstSoftwareRow = hardware.count + homes.count

    /// The maker of a printer, in the names of its model.
    private static let printerMaker: [Place] = [
        .key("ty", upTo: " ", meanings: ModelNames.printerMakers),
        .instance(upTo: " ", meanings: ModelNames.printerMakers),
    ]

    private static let hardware: [DeviceClues] = [
        // peerlist itself.
        DeviceClues("_peerlist._tcp", evidence: [.announced("id")], kind: .usually(.computer)),

        // Printers and scanners: Bonjour Printing Specification 1.2.1, section 9; Mopria eSCL. A
        // queue of CUPS is a printer that the host shares; its records do not describe the host. An
        // instance name that does not start with the make and model (`ty`) was given by the owner.
        DeviceClues(
            "_ipp._tcp", "_ipps._tcp", where: .sharedQueue, instance: nil,
            kind: .usually(.computer)),
        DeviceClues(
            "_ipp._tcp", "_ipps._tcp", "_pdl-datastream._tcp", "_riousbprint._tcp",
            evidence: [.uuid("UUID"), .mac("mac")], name: [.startOfInstance("ty")],
            model: ["usb_MDL", "mdl", "ty", "product", .printerInstance],
            maker: ["usb_MFG", "mfg"] + printerMaker, kind: .always(.printer)),
        DeviceClues(
            "_printer._tcp", evidence: [.uuid("UUID")], name: [.startOfInstance("ty")],
            model: ["usb_MDL", "mdl", "ty", "product", .printerInstance],
            maker: ["usb_MFG", "mfg"] + printerMaker, kind: .usually(.printer)),
        DeviceClues(
            "_uscan._tcp", "_uscans._tcp", "_scanner._tcp", evidence: [.uuid("UUID")],
            name: [.startOfInstance("ty")], model: ["usb_MDL", "mdl", "ty", "product"],
            maker: ["usb_MFG", "mfg"], kind: .always(.scanner)),
        DeviceClues(
            "_octoprint._tcp", evidence: [.installation("uuid", of: "octoprint")], model: ["model"],
            maker: ["vendor"], kind: .always(.printer)),
        DeviceClues("_prusalink._tcp", "_moonraker._tcp", kind: .always(.printer)),

        // Storage.
        DeviceClues(
            "_http._tcp", where: .key("vendor", startsWith: "synology"),
            evidence: [
                .serial("serial", of: .fixed("synology")), .mac(.key("mac_address", upTo: "|")),
            ],
            model: ["model"], maker: ["vendor"], kind: .always(.nas)),
        DeviceClues(
            "_qdiscover._tcp",
            model: [
                .key("accessType", after: ",displayModel=", upTo: ","),
                .key("accessType", after: ",model=", upTo: ","), "displayModel", "model",
            ],
            maker: [.fixed("QNAP")], kind: .always(.nas)),
        DeviceClues(
            "_readynas._tcp", evidence: [.serial("serial", of: .fixed("netgear"))], instance: nil,
            model: ["model"], maker: ["vendor", .fixed("NETGEAR")], kind: .always(.nas)),

        // Cameras.
        DeviceClues("_axis-video._tcp", evidence: [.mac("macaddress")], kind: .always(.camera)),
        DeviceClues(
            "_doorbird._tcp", evidence: [.mac("macaddress")], maker: [.fixed("DoorBird")],
            kind: .always(.camera)),
        DeviceClues(
            "_axis-nvr._tcp", evidence: [.mac("macaddress")], maker: [.fixed("Axis")],
            kind: .usually(.camera)),
        DeviceClues("_gopro-web._udp", maker: [.fixed("GoPro")], kind: .always(.camera)),
        DeviceClues("_canon-chmp._tcp", maker: [.fixed("Canon")], kind: .always(.camera)),
        DeviceClues("_psia._tcp", "_ptp._tcp", "_rtsp._tcp", kind: .usually(.camera)),
        DeviceClues(
            "_dhnap._tcp", "_dcp._tcp", evidence: [.mac("mac")], model: ["model_number"],
            maker: [.fixed("D-Link")],
            kind: .word(
                "model_number", [("dcs", .camera), ("dap", .router), ("dir", .router)],
                otherwise: nil)),

        // Android TV and Google Cast. A group of speakers is announced by one of the speakers. Bit 0 of the capabilities
        // is a screen.
        DeviceClues(
            "_nvstream_dbd._tcp", maker: [.fixed("NVIDIA")], kind: .always(.mediaPlayer)),
        DeviceClues("_androidtvremote2._tcp", evidence: [.mac("bt")], kind: .usually(.tv)),
        DeviceClues(
            "_googlecast._tcp", where: .instance(startsWith: "google-cast-group-"), instance: nil),
        DeviceClues(
            "_googlecast._tcp", where: .key("md", startsWith: "google cast group"), instance: nil),
        DeviceClues(
            "_googlecast._tcp", where: .bitIsClear("ca", 0), evidence: [.pairing("id")],
            name: ["fn"], model: ["md"], kind: .usually(.speaker)),
        DeviceClues(
            "_googlecast._tcp", evidence: [.pairing("id")], name: ["fn"], model: ["md"],
            kind: .usually(.mediaPlayer)),

        // HomeKit Accessory Protocol Specification R2, section 6.4. The `id` has the form of a MAC
        // address but is none. A bridge (category 2) may be software on a computer.
        DeviceClues(
            "_hap._tcp", "_hap._udp", where: .keyIs("ci", "2"), evidence: [.homeKit("id")],
            model: ["md"], maker: homeKitMaker, kind: .usually(.bridge)),
        DeviceClues(
            "_hap._tcp", "_hap._udp", evidence: [.homeKit("id")], model: ["md"],
            maker: homeKitMaker, kind: .stated("ci", DeviceKind.homeKit)),

        // Apple, and other devices with Apple's protocols.
        DeviceClues(
            "_raop._tcp", evidence: [.mac(.instance(upTo: "@"))], instance: .instance(after: "@"),
            model: ["am"], kind: .usually(.speaker)),
        // Bit 7 of the features is screen mirroring.
        DeviceClues(
            "_airplay._tcp",
            evidence: [
                .serial("serialNumber", of: "manufacturer"), .mac("deviceid"), .pairing("pi"),
                .pairing("psi"),
            ],
            model: ["model"], maker: ["manufacturer"],
            kind: .flag("features", bit: 7, set: .tv, clear: .speaker)),
        DeviceClues("_device-info._tcp", instance: nil, model: ["model"]),
        DeviceClues(
            "_companion-link._tcp", evidence: [.pairing("rpMRtID")], model: ["rpMd"],
            maker: [.fixed("Apple")]),
        DeviceClues(
            "_mediaremotetv._tcp",
            evidence: [.serial("UniqueIdentifier", of: .fixed("mediaremotetv"))], name: ["Name"],
            model: ["ModelName"], maker: [.fixed("Apple")], kind: .always(.mediaPlayer)),
        DeviceClues(
            "_appletv-v2._tcp", "_touch-able._tcp", name: ["Name"], instance: nil,
            kind: .usually(.mediaPlayer)),
        // The names of these services are the names of a library.
        DeviceClues(
            "_hscp._tcp", evidence: [.serial("Machine ID", of: .fixed("hscp"))], instance: nil),
        DeviceClues(
            "_airport._tcp",
            evidence: [
                .mac(.key("waMA", upTo: ",")), .mac(.key("sys", after: "waMA=", upTo: ",")),
            ],
            maker: [.fixed("Apple")], kind: .always(.router)),
        DeviceClues(
            "_adisk._tcp", evidence: [.mac(.key("sys", after: "waMA=", upTo: ","))],
            kind: .usually(.nas)),
        DeviceClues("_odisk._tcp", evidence: [.mac(.key("sys", after: "waMA=", upTo: ","))]),
        DeviceClues("_apple-mobdev2._tcp", instance: nil, kind: .usually(.phone)),
        DeviceClues(
            "_dacp._tcp", "_googlezone._tcp", "_remotepairing._tcp", "_sleep-proxy._udp",
            "_teamviewer._tcp", instance: nil),
        DeviceClues("_adb-tls-connect._tcp", instance: nil, model: ["name"]),
        DeviceClues(
            "_kiosker._tcp", evidence: [.uuid("uuid")], maker: [.fixed("Apple")],
            kind: .usually(.tablet)),

        // Matter Core Specification, section 4.3. An instance of `_matter._tcp` is a node of a fabric;
        // the host name is the MAC address, or the extended address of a Thread device.
        DeviceClues("_matter._tcp", evidence: [.mac(.host())], name: ["DN"], instance: nil),
        DeviceClues(
            "_matterc._udp", name: ["DN"], instance: nil,
            maker: [.key("VP", upTo: "+", meanings: ModelNames.matterVendors)],
            kind: .stated("DT", DeviceKind.matter)),
    ]

    /// The makers of HomeKit accessories, in the first word of the model.
    private static let homeKitMaker: [Place] = ["md", "-", " "].map { separator in
        .key(
            "md", upTo: separator == "md" ? nil : separator, meanings: ModelNames.homeKitMakers)
    }

    private static let homes: [DeviceClues] = [
        // Lights, switches and sensors.
        DeviceClues(
            "_hue._tcp", evidence: [.mac("bridgeid")], model: ["modelid"],
            maker: [.fixed("Philips")], kind: .always(.bridge)),
        DeviceClues("_wled._tcp", evidence: [.mac("mac")], kind: .always(.light)),
        DeviceClues(
            "_elg._tcp", evidence: [.mac("id"), .serial("sn", of: .fixed("elgato"))],
            model: ["md"], maker: [.fixed("Elgato")],
            kind: .word(.instance(), [("light", .light), ("ring", .light)], otherwise: nil)),
        DeviceClues(
            "_nanoleafapi._tcp", "_nanoleafms._tcp",
            evidence: [.serial("id", of: .fixed("nanoleaf"))], model: ["md"],
            maker: [.fixed("Nanoleaf")], kind: .always(.light)),
        DeviceClues(
            "_shelly._tcp", evidence: [.mac(.instance(length: -12))], model: ["app"],
            maker: [.fixed("Shelly")], kind: .word("app", shellyKinds, otherwise: .switch)),
        DeviceClues(
            "_http._tcp", where: .instance(startsWith: "shelly"),
            evidence: [.mac(.instance(length: -12))], model: ["app"], maker: [.fixed("Shelly")],
            kind: .word("app", shellyKinds, otherwise: .switch)),
        DeviceClues(
            "_hwenergy._tcp", evidence: [.mac("serial")], model: ["product_name"],
            maker: [.fixed("HomeWizard")],
            kind: .word("product_type", [("skt", .switch)], otherwise: .sensor)),
        DeviceClues(
            "_enphase-envoy._tcp", evidence: [.serial("serialnum", of: .fixed("enphase"))],
            maker: [.fixed("Enphase")], kind: .always(.bridge)),
        DeviceClues(
            "_lutron._tcp", evidence: [.serial("SERNUM", of: .fixed("lutron")), .mac("MACADDR")],
            model: ["SYSTYPE"], maker: [.fixed("Lutron")], kind: .always(.bridge)),
        DeviceClues(
            "_kizbox._tcp", "_kizboxdev._tcp",
            evidence: [.serial("gateway_pin", of: .fixed("somfy"))], maker: [.fixed("Somfy")],
            kind: .always(.bridge)),
        // Coordinators of Zigbee networks.
        DeviceClues(
            "_slzb-06._tcp", "_czc._tcp", "_tubeszb._tcp", "_uzg-01._tcp", "_xzg._tcp",
            "_zig_star_gw._tcp", "_zigate-zigbee-gateway._tcp", "_zigstar_gw._tcp",
            evidence: [.mac("serial_number"), .mac("mac")], model: ["board"],
            kind: .always(.bridge)),
        DeviceClues(
            "_plugwise._tcp", maker: [.fixed("Plugwise")],
            kind: .word("product", [("thermo", .thermostat)], otherwise: .bridge)),
        DeviceClues(
            "_http._tcp", where: .instance(startsWith: "bosch shc ["),
            evidence: [.mac(.instance(after: "[", upTo: "]"))], instance: .instance(upTo: " ["),
            maker: [.fixed("Bosch")], kind: .always(.bridge)),
        DeviceClues(
            "_leap._tcp", "_powerview._tcp", "_powerview-g3._tcp", "_aqara._tcp", "_bond._tcp",
            kind: .always(.bridge)),
        DeviceClues(
            "_deako._tcp", instance: nil, maker: [.fixed("Deako")], kind: .usually(.bridge)),
        DeviceClues(
            "_ecobee._tcp", "_sideplay._tcp", model: ["mdl"], maker: [.fixed("ecobee")],
            kind: .usually(.thermostat)),
        DeviceClues("_dkapi._tcp", maker: [.fixed("Daikin")], kind: .always(.thermostat)),
        DeviceClues(
            "_homeconnect._tcp", evidence: [.serial("id", of: "brand"), .mac("mac")],
            model: ["vib"], maker: ["brand"], kind: .always(.appliance)),
        DeviceClues("_mieleathome._tcp", "_dyson_mqtt._tcp", kind: .always(.appliance)),
        DeviceClues(
            "_api._tcp", where: .key("api version", startsWith: ""), evidence: [.uuid("uuid")],
            name: ["name"], kind: .always(.appliance)),
        DeviceClues(
            "_api._udp", evidence: [.mac("mac")], instance: nil, maker: [.fixed("Elexa")],
            kind: .usually(.sensor)),
        DeviceClues(
            "_rabbitair._udp", evidence: [.mac("id")], maker: [.fixed("Rabbit Air")],
            kind: .always(.appliance)),
        DeviceClues("_aicu-http._tcp", instance: nil, kind: .always(.appliance)),
        DeviceClues(
            "_amzn-alexa._tcp", where: .instance(startsWith: "irobot-"), evidence: [.mac("mac")],
            maker: [.fixed("iRobot")], kind: .always(.appliance)),
        DeviceClues(
            "_amzn-alexa._tcp", where: .instance(startsWith: "roomba-"), evidence: [.mac("mac")],
            maker: [.fixed("iRobot")], kind: .always(.appliance)),
        DeviceClues(
            "_miio._udp", evidence: [.mac("mac")], model: [.instance(upTo: "_miio")],
            kind: .word(.instance(), miioKinds, otherwise: nil)),
        DeviceClues(
            "_ewelink._tcp", evidence: [.serial("id", of: .fixed("ewelink"))],
            kind: .word("type", [("light", .light), ("sensor", .sensor)], otherwise: .switch)),
        DeviceClues(
            "_systemnexa2._tcp", evidence: [.mac("id")], maker: [.fixed("Nexa")],
            kind: .usually(.switch)),
        DeviceClues("_bbxsrv._tcp", maker: [.fixed("BleBox")], kind: .usually(.switch)),
        DeviceClues("_lookin._tcp", maker: [.fixed("LOOKin")], kind: .usually(.bridge)),
        DeviceClues(
            "_http._tcp", where: .keyIs("vendor", "tailwind"),
            evidence: [.serial("device_id", of: .fixed("tailwind"))], kind: .always(.cover)),
        // EEBUS: the SKI is the hash of the device's key.
        DeviceClues(
            "_ship._tcp", evidence: [.pairing("ski")], model: ["model"], maker: ["brand"],
            kind: .word(
                "type",
                [
                    ("dishwasher", .appliance), ("washer", .appliance), ("dryer", .appliance),
                    ("oven", .appliance), ("refrigerator", .appliance), ("charging", .appliance),
                    ("heatpump", .thermostat), ("energymanagement", .bridge), ("gateway", .bridge),
                ], otherwise: nil)),
        DeviceClues(
            "_ihsp._tcp", evidence: [.uuid("uuid")], model: ["type"], maker: [.fixed("IKEA")],
            kind: .always(.bridge)),
        DeviceClues("_openevse._tcp", evidence: [.mac("id")], kind: .usually(.appliance)),
        DeviceClues(
            "_nrgkick._tcp", evidence: [.serial("serial_number", of: .fixed("nrgkick"))],
            name: ["device_name"], model: ["model_type"], kind: .usually(.appliance)),
        DeviceClues("_technove-stations._tcp", evidence: [.mac("mac")], kind: .usually(.appliance)),
        DeviceClues("_vege._tcp", evidence: [.mac("id")], kind: .usually(.sensor)),
        DeviceClues(
            "_airgradient._tcp", "_droplet._tcp", "_iometer._tcp", kind: .usually(.sensor)),

        // Speakers and media players.
        DeviceClues(
            "_sonos._tcp",
            evidence: [
                .mac(.host(after: "sonos-", length: 12)), .mac(.host(after: "rincon_", length: 12)),
                .mac(.host(after: "sonos", length: 12)),
                .mac(.key("info", after: "/RINCON_", length: 12)),
            ],
            instance: .instance(after: "@"), maker: [.fixed("Sonos")], kind: .always(.speaker)),
        DeviceClues(
            "_soundtouch._tcp", evidence: [.mac("MAC")], model: ["MODEL"], maker: ["MANUFACTURER"],
            kind: .always(.speaker)),
        DeviceClues(
            "_spotify-connect._tcp", where: .instance(startsWith: "sonos"),
            evidence: [.mac(.host(after: "sonos", length: 12))], instance: nil,
            maker: [.fixed("Sonos")], kind: .always(.speaker)),
        DeviceClues(
            "_bangolufsen._tcp", evidence: [.serial("sn", of: .fixed("bang & olufsen"))],
            name: ["fn"], model: ["pm"], maker: [.fixed("Bang & Olufsen")],
            kind: .always(.speaker)),
        DeviceClues(
            "_zenith._tcp", evidence: [.serial("serial", of: .fixed("bang & olufsen"))],
            name: ["fn"], maker: [.fixed("Bang & Olufsen")], kind: .usually(.bridge)),
        DeviceClues(
            "_linkplay._tcp", evidence: [.uuid("uuid"), .mac("mac")], kind: .always(.speaker)),
        DeviceClues("_heos-audio._tcp", "_musc._tcp", kind: .always(.speaker)),
        DeviceClues("_devialet-http._tcp", maker: [.fixed("Devialet")], kind: .always(.speaker)),
        DeviceClues(
            "_stream-magic._tcp",
            evidence: [.uuid("udn"), .serial("serial", of: .fixed("cambridge audio"))],
            maker: [.fixed("Cambridge Audio")], kind: .usually(.mediaPlayer)),
        DeviceClues("_rio._tcp", maker: [.fixed("Russound")], kind: .usually(.speaker)),
        DeviceClues(
            "_tidalconnect._tcp", evidence: [.uuid("id")], name: ["fn"], instance: nil,
            model: ["mn"], kind: .usually(.speaker)),
        DeviceClues(
            "_qobuz-connect._tcp", evidence: [.uuid("device_uuid")], name: ["Name"],
            instance: nil, kind: .usually(.speaker)),
        DeviceClues(
            "_volumio._tcp", evidence: [.serial("UUID", of: .fixed("volumio"))],
            name: ["volumioName"], kind: .always(.mediaPlayer)),
        DeviceClues("_spotify-connect._tcp", instance: nil),

        // Televisions.
        DeviceClues(
            "_amzn-wplay._tcp", name: ["fn", "n"], instance: nil, model: ["md"],
            maker: [.fixed("Amazon")], kind: .usually(.mediaPlayer)),
        DeviceClues(
            "_viziocast._tcp", evidence: [.uuid("id"), .mac("eth"), .mac("wifi")],
            name: ["name"], model: ["mdl"], maker: [.fixed("Vizio")],
            kind: .word("mdl", [("sb", .speaker)], otherwise: .tv)),
        DeviceClues(
            "_samsungmsf._tcp", "_philipstv_rpc._tcp", "_philipstv_s_rpc._tcp",
            kind: .always(.tv)),
        DeviceClues(
            "_tivo-device._tcp", "_tivo-mindrpc._tcp", "_tivo-remote._tcp", "_tivo-videos._tcp",
            "_tivo-videostream._tcp", evidence: [.serial("TSN", of: .fixed("tivo"))],
            model: ["platformName", "platform"], maker: [.fixed("TiVo")],
            kind: .usually(.mediaPlayer)),
        DeviceClues(
            "_roku-rcp._tcp", evidence: [.serial("serialno", of: .fixed("roku"))],
            maker: [.fixed("Roku")], kind: .usually(.mediaPlayer)),

        // Routers.
        DeviceClues(
            "_dvl-deviceapi._tcp", evidence: [.serial("SN", of: .fixed("devolo"))],
            model: ["Product", "MT"], maker: [.fixed("devolo")],
            kind: .word(.instance(), [("control", .bridge)], otherwise: .router)),
        DeviceClues(
            "_fbx-api._tcp", evidence: [.serial("uid", of: .fixed("freebox"))],
            model: ["device_type", "box_model_name"], maker: [.fixed("Freebox")],
            kind: .always(.router)),
        DeviceClues("_eero._tcp", "_fbx-repeater._tcp", kind: .always(.router)),

    ]

    /// The words for the kinds of devices in the models of Shelly.
    private static let shellyKinds: [(String, DeviceKind)] = [
        ("shellyht", .sensor), ("plusht", .sensor), ("ht", .sensor), ("shellydw", .sensor),
        ("shellyflood", .sensor), ("shellysmoke", .sensor), ("plussmoke", .sensor),
        ("shellymotion", .sensor), ("shellybulb", .light), ("shellyvintage", .light),
        ("shellycolorbulb", .light), ("bulb", .light), ("shellytrv", .thermostat),
    ]

    /// The words for the kinds of devices in the models of Xiaomi, which are `maker-kind-model`.
    private static let miioKinds: [(String, DeviceKind)] = [
        ("vacuum", .appliance), ("gateway", .bridge), ("light", .light), ("bulb", .light),
        ("lamp", .light), ("ceiling", .light), ("plug", .switch), ("powerstrip", .switch),
        ("camera", .camera), ("fan", .appliance), ("airpurifier", .appliance),
        ("humidifier", .appliance), ("airmonitor", .sensor), ("tv", .tv), ("wifispeaker", .speaker),
    ]

    // What devices tell by other protocols than multicast DNS: UPnP Device Architecture 2.0, section 2.3; DPWS 1.1,
    // section 4.1; ONVIF Core Specification, section 7.3.2.2. A type of UPnP has no version here.
    private static let silent: [DeviceClues] = [
        // Programs on computers and NAS: the identifier is of the installation.
        DeviceClues(
            "upnp:mediaserver", "upnp:mediarenderer", where: .program,
            evidence: [.installation("UDN", of: "upnp")], instance: .name("friendlyName"),
            kind: .usually(.computer)),
        DeviceClues(
            "upnp:mediaserver", evidence: [.installation("UDN", of: "upnp"), .mac("serialNumber")],
            instance: .name("friendlyName"), model: [describedModel],
            maker: ["manufacturer"] + describedMaker,
            kind: .word(description, describedKinds, otherwise: nil)),
        DeviceClues(
            "wsd:pub:computer", where: .program, evidence: [.installation("UDN", of: "wsd")],
            name: ["computerName", "friendlyName"], instance: nil, kind: .usually(.computer)),
        DeviceClues(
            "wsd:pub:computer", evidence: [.installation("UDN", of: "wsd")],
            name: ["computerName", "friendlyName"], instance: nil, model: ["modelName"],
            maker: ["manufacturer"], kind: .usually(.computer)),
        described("upnp:aiosdevice", kind: .usually(.speaker)),
        described(
            "upnp:mediarenderer", "upnp:dial",
            kind: .word(description, describedKinds, otherwise: .mediaPlayer)),
        described("upnp:roku:ecp", kind: .usually(.mediaPlayer)),
        described("upnp:zoneplayer", kind: .always(.speaker)),
        described(
            "upnp:internetgatewaydevice", "upnp:wfadevice", "upnp:wlanaccesspointdevice",
            "upnp:avmnexus", "upnp:fritzbox", kind: .usually(.router)),
        described("upnp:printer", "upnp:printerbasic", "upnp:3dprinter", kind: .always(.printer)),
        described("upnp:scanner", kind: .always(.scanner)),
        described(
            "upnp:digitalsecuritycamera", "upnp:ipcamera", "upnp:networkcamera",
            "upnp:netcamsensor", kind: .always(.camera)),
        described("upnp:binarylight", "upnp:dimmablelight", kind: .always(.light)),
        described(
            "upnp:controllee", "upnp:insight", "upnp:lightswitch", "upnp:dimmer",
            kind: .always(.switch)),
        described("upnp:bridge", kind: .always(.bridge)),
        described(
            "upnp:airpurifier", "upnp:coffeemaker", "upnp:crockpot", "upnp:humidifier",
            kind: .always(.appliance)),
        described("upnp:sensor", kind: .always(.sensor)),
        described("wsd:wprt:printdevicetype", kind: .always(.printer)),
        described("wsd:wscn:scandevicetype", kind: .usually(.scanner)),
        described("wsd:dn:networkvideotransmitter", "wsd:tds:device", kind: .always(.camera)),
        described("upnp:", "wsd:", kind: .word(description, describedKinds, otherwise: nil)),
        // Nothing is told: the MAC address is only what this machine knows.
        DeviceClues("neighbour:", instance: nil),
    ]

    /// Returns the row of types whose devices are told apart by what they tell of themselves.
    private static func described(_ types: String..., kind: Kind?) -> DeviceClues {
        DeviceClues(
            types: types, condition: nil,
            evidence: [.uuid("UDN"), .mac(.key("UDN", after: "RINCON_", length: 12))],
            name: [.name("friendlyName"), "name"], instance: nil,
            model: [describedModel, "hardware"], maker: ["manufacturer"] + describedMaker,
            kind: kind, isIdentifying: true)
    }

    private static let describedModel = Place(
        origin: .model(key: "modelName", number: "modelNumber"))

    /// The maker of a device that does not tell it, in its names.
    private static let describedMaker: [Place] =
        ["modelName", "modelDescription", "friendlyName", "name"].map {
            .key($0, upTo: " ", meanings: ModelNames.describedMakers)
        }

    /// The texts that tell the kind of a device whose type does not, its owner's after its maker's.
    private static let description = Place(
        origin: .keys(["modelName", "modelDescription", "manufacturer", "friendlyName", "server"]))

    /// The words for kinds in descriptions, with makers of nothing but speakers and amplifiers; short words are whole.
    private static let describedKinds: [(String, DeviceKind)] = [
        (DeviceKind.tv, "bravia dtv kdl smarttv television tv viera webos webostv xbr"),
        (.speaker, "amplifier arcam avr bluesound bose cambridge denon devialet harman heos kef"),
        (.speaker, "klipsch libratone linn marantz musiccast naim onkyo receiver sonos soundbar"),
        (.speaker, "soundtouch speaker teufel yamaha"), (.bridge, "bridge"), (.light, "bulb lamp"),
        (.mediaPlayer, "bd bdp blu chromecast dvd dvr player playstation recorder roku satellite"),
        (.mediaPlayer, "stb xbox"), (.computer, "microsoft windows"), (.router, "router"),
        (.nas, "asustor diskstation mycloud nas qnap readynas synology"), (.printer, "printer"),
        (.camera, "camera ipcam netcam webcam"), (.thermostat, "thermostat"),
    ].flatMap { kind, words in
        words.split(separator: " ").map { (String($0) + ($0.utf8.count < 5 ? " " : ""), kind) }
    }

    /// The starts of the makers, models and descriptions of programs, in lower case.
    private static let programs = [
        "emby", "gerbera", "jellyfin", "kodi", "mediatomb", "microsoft publication", "minidlna",
        "plex", "rygel", "serviio", "universal media server", "windows media", "wsdd",
    ]

    private static let software: [DeviceClues] = [
        // Boards and computers.
        DeviceClues(
            "_esphomelib._tcp", evidence: [.mac("mac")], name: ["friendly_name"],
            model: ["project_name", "board"]),
        DeviceClues(
            "_workstation._tcp", evidence: [.mac(.instance(after: " [", upTo: "]"))],
            instance: .instance(upTo: " ["), kind: .perhaps(.computer)),
        DeviceClues("_sane-port._tcp", instance: nil, kind: .usually(.computer)),
        DeviceClues(
            "_afpovertcp._tcp", "_nfs._tcp", "_rdp._tcp", "_rfb._tcp", "_sftp-ssh._tcp",
            "_smb._tcp", "_ssh._tcp", "_udisks-ssh._tcp", kind: .usually(.computer)),

        // Thread border routers: Thread Specification, MeshCoP discovery.
        DeviceClues(
            "_meshcop._udp", "_trel._udp", evidence: [.binaryMAC("xa")], model: ["mn"],
            maker: ["vn"], kind: .usually(.bridge)),

        // Software.
        DeviceClues(
            "_kdeconnect._udp", evidence: [.serial("id", of: .fixed("kdeconnect"))], name: ["name"],
            kind: .stated("type", DeviceKind.kdeConnect)),
        DeviceClues(
            "_xbmc-jsonrpc-h._tcp", "_xbmc-jsonrpc._tcp",
            evidence: [.serial("uuid", of: .fixed("kodi"))],
            kind: .always(.mediaPlayer)),
        DeviceClues(
            "_system-bridge._tcp", evidence: [.installation("uuid", of: "system-bridge")],
            kind: .usually(.computer)),
        DeviceClues(
            "_home-assistant._tcp", evidence: [.installation("uuid", of: "home-assistant")],
            name: ["location_name"], kind: .usually(.bridge)),
        DeviceClues(
            "_hyperiond-json._tcp", "_hyperiond-flatbuf._tcp", "_hyperiond-http._tcp",
            "_hyperiond-proto._tcp", evidence: [.installation("id", of: "hyperion")], instance: nil),
        DeviceClues("_dosvc._tcp", instance: nil, kind: .usually(.computer)),
        DeviceClues("_mass._tcp", evidence: [.installation("server_id", of: "mass")]),
    ]
}
