// The table of the evidence and the statements about a device in the records of each service type.

/// The meaning of the records of some service types for their device: one row of ``all``.
///
/// A row lists the TXT keys and names that contain evidence of the device's identity, its name, its
/// model and its maker, and the kind of device that offers the service. A *place* is such a key or
/// name.
struct DeviceClues: Sendable {
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

    init(
        _ types: String..., where condition: Condition? = nil, evidence: [Identifier] = [],
        name: [Place] = [], instance: Place? = .instance(), model: [Place] = [],
        maker: [Place] = [], kind: Kind? = nil
    ) {
        self.types = types
        self.condition = condition
        self.evidence = evidence
        self.name = name
        self.instance = instance
        self.model = model
        self.maker = maker
        self.kind = kind
    }

    /// A place in the records of a service. A string literal is a key of the TXT record: `"md"`.
    struct Place: Sendable, ExpressibleByStringLiteral {
        enum Origin: Sendable {
            case key(String)
            /// A key with whose value the instance name starts.
            case startOfInstance(key: String)
            case instance
            /// The first label of the host name, in lower case.
            case host
            /// No place: the same text for every service of the row.
            case fixed(String)
        }

        let origin: Origin
        /// The text after which the value starts; without it there is no value.
        var after: String?
        /// The text before which the value ends, if it occurs.
        var upTo: String?
        /// The number of characters of the value from its start, or from its end if negative.
        var length: Int?
        /// The meanings of values that are codes; a value without a meaning counts as missing.
        var meanings: [String: String]?

        static func key(
            _ key: String, after: String? = nil, upTo: String? = nil,
            meanings: [String: String]? = nil
        ) -> Place { Place(origin: .key(key), after: after, upTo: upTo, meanings: meanings) }

        static func instance(
            after: String? = nil, upTo: String? = nil, length: Int? = nil
        ) -> Place { Place(origin: .instance, after: after, upTo: upTo, length: length) }

        static func host(after: String? = nil, length: Int? = nil) -> Place {
            Place(origin: .host, after: after, length: length)
        }

        static func startOfInstance(_ key: String) -> Place {
            Place(origin: .startOfInstance(key: key))
        }

        static func fixed(_ text: String) -> Place { Place(origin: .fixed(text)) }
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
        /// A serial number, unique among the serial numbers of a vendor, or a UUID or MAC address
        /// in its place.
        case serial(Place, of: Place)
        /// An identifier that lasts until the device is reset.
        case pairing(Place)
    }

    /// A condition on a service, without regard to case.
    enum Condition: Sendable {
        case keyIs(String, String)
        case key(String, startsWith: String)
        case instance(startsWith: String)
    }

    /// The kind of device that offers the services of a row.
    enum Kind: Sendable {
        /// The value at a place is a code of the kind.
        case stated(Place, [String: DeviceKind])
        /// A bit of the first hexadecimal number at a place distinguishes two kinds, if the model
        /// does not.
        case flag(Place, bit: Int, set: DeviceKind, clear: DeviceKind)
        /// Only devices of this kind offer the service.
        case always(DeviceKind)
        /// Devices of this kind offer the service more often than others.
        case usually(DeviceKind)
    }
}

extension DeviceClues.Place {
    init(stringLiteral key: String) { self.init(origin: .key(key)) }
}

// MARK: Finding the row of a service

extension DeviceClues {
    /// Returns the index of the first row for a service, given the text at a place in its records.
    static func row(for type: String, text: (Place) -> String?) -> Int? {
        indices[type]?.first { index in
            switch all[index].condition {
            case nil: true
            case .keyIs(let key, let value): text(.key(key))?.lowercased() == value
            case .key(let key, let start): text(.key(key))?.lowercased().hasPrefix(start) == true
            case .instance(let start): text(.instance())?.lowercased().hasPrefix(start) == true
            }
        }
    }

    /// Whether services of a type, in lower case, may have evidence of their device's identity.
    static func identify(_ type: String) -> Bool {
        indices[type]?.contains { !all[$0].evidence.isEmpty } == true
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
    static let all: [DeviceClues] = [
        // peerlist itself.
        DeviceClues("_peerlist._tcp", evidence: [.announced("id")], kind: .usually(.computer)),

        // Printers and scanners: Bonjour Printing Specification 1.2.1, section 9; Mopria eSCL. A
        // queue of CUPS is a printer that the host shares; its records do not describe the host. An
        // instance name that does not start with the make and model (`ty`) was given by the owner.
        DeviceClues(
            "_ipp._tcp", "_ipps._tcp", where: .key("rp", startsWith: "printers/"), instance: nil,
            kind: .usually(.computer)),
        DeviceClues(
            "_ipp._tcp", "_ipps._tcp", "_pdl-datastream._tcp",
            evidence: [.uuid("UUID"), .mac("mac")], name: [.startOfInstance("ty")],
            model: ["usb_MDL", "mdl", "ty", "product"], maker: ["usb_MFG", "mfg"],
            kind: .always(.printer)),
        DeviceClues(
            "_printer._tcp", evidence: [.uuid("UUID")], name: [.startOfInstance("ty")],
            model: ["usb_MDL", "mdl", "ty", "product"], maker: ["usb_MFG", "mfg"],
            kind: .usually(.printer)),
        DeviceClues(
            "_uscan._tcp", "_uscans._tcp", "_scanner._tcp", evidence: [.uuid("UUID")],
            name: [.startOfInstance("ty")], model: ["usb_MDL", "mdl", "ty", "product"],
            maker: ["usb_MFG", "mfg"], kind: .always(.scanner)),
        DeviceClues(
            "_octoprint._tcp", evidence: [.uuid("uuid")], model: ["model"], maker: ["vendor"],
            kind: .always(.printer)),
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

        // Cameras.
        DeviceClues("_axis-video._tcp", evidence: [.mac("macaddress")], kind: .always(.camera)),
        DeviceClues(
            "_doorbird._tcp", evidence: [.mac("macaddress")], maker: [.fixed("DoorBird")],
            kind: .always(.camera)),
        DeviceClues("_psia._tcp", "_rtsp._tcp", kind: .usually(.camera)),

        // Android TV and Google Cast. A group of speakers is announced by one of the speakers.
        DeviceClues("_androidtvremote2._tcp", evidence: [.mac("bt")], kind: .usually(.tv)),
        DeviceClues(
            "_googlecast._tcp", where: .instance(startsWith: "google-cast-group-"), instance: nil),
        DeviceClues(
            "_googlecast._tcp", where: .key("md", startsWith: "google cast group"), instance: nil),
        DeviceClues(
            "_googlecast._tcp", evidence: [.pairing("id")], name: ["fn"], model: ["md"],
            kind: .usually(.mediaPlayer)),

        // HomeKit Accessory Protocol Specification R2, section 6.4. The `id` has the form of a MAC
        // address but is none. A bridge (category 2) may be software on a computer.
        DeviceClues(
            "_hap._tcp", "_hap._udp", where: .keyIs("ci", "2"), evidence: [.pairing("id")],
            model: ["md"], kind: .usually(.bridge)),
        DeviceClues(
            "_hap._tcp", "_hap._udp", evidence: [.pairing("id")], model: ["md"],
            kind: .stated("ci", DeviceKind.homeKit)),

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
            "_appletv-v2._tcp", "_touch-able._tcp", name: ["Name", "CtlN"],
            kind: .usually(.mediaPlayer)),
        DeviceClues(
            "_hscp._tcp", evidence: [.serial("Machine ID", of: .fixed("hscp"))],
            name: ["Machine Name"]),
        DeviceClues(
            "_airport._tcp",
            evidence: [
                .mac(.key("waMA", upTo: ",")), .mac(.key("sys", after: "waMA=", upTo: ",")),
            ],
            maker: [.fixed("Apple")], kind: .always(.router)),
        DeviceClues(
            "_adisk._tcp", evidence: [.mac(.key("sys", after: "waMA=", upTo: ","))],
            kind: .usually(.nas)),
        DeviceClues("_apple-mobdev2._tcp", instance: nil, kind: .usually(.phone)),
        DeviceClues("_remotepairing._tcp", "_sleep-proxy._udp", instance: nil),

        // Matter Core Specification, section 4.3. An instance of `_matter._tcp` is a node of a fabric;
        // the host name is the MAC address, or the extended address of a Thread device.
        DeviceClues("_matter._tcp", evidence: [.mac(.host())], instance: nil),
        DeviceClues(
            "_matterc._udp", name: ["DN"], instance: nil,
            maker: [.key("VP", upTo: "+", meanings: ModelNames.matterVendors)],
            kind: .stated("DT", DeviceKind.matter)),

        // Lights, switches and sensors.
        DeviceClues(
            "_hue._tcp", evidence: [.mac("bridgeid")], model: ["modelid"],
            maker: [.fixed("Philips")], kind: .always(.bridge)),
        DeviceClues("_wled._tcp", evidence: [.mac("mac")], kind: .always(.light)),
        DeviceClues(
            "_elg._tcp", evidence: [.mac("id")], model: ["md"], maker: [.fixed("Elgato")],
            kind: .always(.light)),
        DeviceClues(
            "_nanoleafapi._tcp", "_nanoleafms._tcp",
            evidence: [.serial("id", of: .fixed("nanoleaf"))], model: ["md"],
            maker: [.fixed("Nanoleaf")], kind: .always(.light)),
        DeviceClues(
            "_shelly._tcp", evidence: [.mac(.instance(length: -12))], model: ["app"],
            maker: [.fixed("Shelly")], kind: .usually(.switch)),
        DeviceClues(
            "_http._tcp", where: .instance(startsWith: "shelly"),
            evidence: [.mac(.instance(length: -12))], model: ["app"], maker: [.fixed("Shelly")],
            kind: .usually(.switch)),
        DeviceClues(
            "_hwenergy._tcp", evidence: [.mac("serial")], model: ["product_name"],
            maker: [.fixed("HomeWizard")], kind: .always(.sensor)),
        DeviceClues(
            "_enphase-envoy._tcp", evidence: [.serial("serialnum", of: .fixed("enphase"))],
            maker: [.fixed("Enphase")], kind: .always(.bridge)),
        DeviceClues(
            "_lutron._tcp", "_leap._tcp", "_powerview._tcp", "_aqara._tcp", "_slzb-06._tcp",
            kind: .always(.bridge)),
        DeviceClues(
            "_mieleathome._tcp", "_homeconnect._tcp", "_dyson_mqtt._tcp",
            kind: .always(.appliance)),

        // Speakers and media players.
        DeviceClues(
            "_sonos._tcp",
            evidence: [
                .mac(.host(after: "sonos-", length: 12)), .mac(.host(after: "rincon_", length: 12)),
            ],
            instance: .instance(after: "@"), maker: [.fixed("Sonos")], kind: .always(.speaker)),
        DeviceClues(
            "_soundtouch._tcp", evidence: [.mac("MAC")], model: ["MODEL"], maker: ["MANUFACTURER"],
            kind: .always(.speaker)),
        DeviceClues(
            "_heos-audio._tcp", "_bangolufsen._tcp", "_musc._tcp", "_linkplay._tcp",
            kind: .always(.speaker)),
        DeviceClues(
            "_volumio._tcp", evidence: [.serial("UUID", of: .fixed("volumio"))],
            name: ["volumioName"], kind: .always(.mediaPlayer)),
        DeviceClues("_spotify-connect._tcp", instance: nil),

        // Televisions.
        DeviceClues(
            "_amzn-wplay._tcp", name: ["fn", "n"], instance: nil, model: ["md"],
            maker: [.fixed("Amazon")], kind: .usually(.mediaPlayer)),
        DeviceClues(
            "_samsungmsf._tcp", "_viziocast._tcp", "_philipstv_rpc._tcp", "_philipstv_s_rpc._tcp",
            kind: .always(.tv)),

        // Routers.
        DeviceClues(
            "_dvl-deviceapi._tcp", evidence: [.serial("SN", of: .fixed("devolo"))],
            model: ["Product", "MT"], maker: [.fixed("devolo")], kind: .always(.router)),
        DeviceClues(
            "_fbx-api._tcp", evidence: [.serial("uid", of: .fixed("freebox"))],
            model: ["device_type"], maker: [.fixed("Freebox")], kind: .always(.router)),
        DeviceClues("_eero._tcp", kind: .always(.router)),

        // Boards and computers.
        DeviceClues(
            "_esphomelib._tcp", evidence: [.mac("mac")], name: ["friendly_name"], model: ["board"]),
        DeviceClues(
            "_workstation._tcp", evidence: [.mac(.instance(after: " [", upTo: "]"))],
            instance: .instance(upTo: " ["), kind: .usually(.computer)),
        DeviceClues(
            "_afpovertcp._tcp", "_nfs._tcp", "_rdp._tcp", "_rfb._tcp", "_sftp-ssh._tcp",
            "_smb._tcp", "_ssh._tcp", kind: .usually(.computer)),

        // Thread border routers: Thread Specification, MeshCoP discovery.
        DeviceClues(
            "_meshcop._udp", "_trel._udp", evidence: [.binaryMAC("xa")], model: ["mn"],
            maker: ["vn"], kind: .usually(.bridge)),

        // Software.
        DeviceClues(
            "_kdeconnect._udp", evidence: [.serial("id", of: .fixed("kdeconnect"))], name: ["name"],
            kind: .stated("type", DeviceKind.kdeConnect)),
        DeviceClues(
            "_xbmc-jsonrpc-h._tcp", evidence: [.serial("uuid", of: .fixed("kodi"))],
            kind: .always(.mediaPlayer)),
        DeviceClues(
            "_system-bridge._tcp", evidence: [.serial("uuid", of: .fixed("system-bridge"))],
            kind: .usually(.computer)),
        DeviceClues(
            "_home-assistant._tcp", evidence: [.serial("uuid", of: .fixed("home-assistant"))],
            name: ["location_name"], kind: .usually(.bridge)),
        DeviceClues("_mass._tcp", evidence: [.serial("server_id", of: .fixed("mass"))]),
    ]
}
