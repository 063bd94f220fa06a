// The tables of well-known models: Apple's model identifiers, and names that tell a kind of device.

/// Well-known models of devices.
package enum ModelNames {
    /// The kind and the maker of models whose name starts in the same way.
    struct Family: Sendable {
        let kind: DeviceKind?
        let maker: String?
    }

    /// Returns the name under which a model is sold; the model itself if it is not known.
    static func name(of model: String) -> String {
        appleModels[model] ?? appleFamily(of: model)?.name ?? model
    }

    /// Returns the family of a model; `nil` if it is not known.
    static func family(of model: String) -> Family? {
        if let apple = appleFamily(of: model) { return Family(kind: apple.kind, maker: "Apple") }
        for length in familyLengths where length <= model.utf8.count {
            if let family = families[model.prefix(utf8Count: length)] { return family }
        }
        let isTelevision = model.utf8.split(separator: 0x20).contains {
            $0.elementsEqual("TV".utf8)
        }
        return isTelevision ? Family(kind: .tv, maker: nil) : nil
    }

    /// Whether the model of a `_device-info._tcp` record is not the device's own.
    ///
    /// Servers such as Samba announce a model so that Macs show a fitting icon. Such a model has no
    /// number, or is one of Apple's former servers.
    package static func isImitation(_ model: String) -> Bool {
        model == "TimeCapsule8,119" || model.hasPrefix("Xserve") || model.hasPrefix("RackMac")
            || model.contains("@") || !model.contains(where: \.isNumber)
    }

    /// Returns the kind of a device from a name that contains its model, `Toms-iPhone`, or a word for its kind,
    /// `Zigbee Gateway`.
    static func kind(ofName name: String) -> DeviceKind? {
        // The standard library's search for a substring takes far longer.
        let bytes = Array(name.utf8)
        return words.first { word, _ in
            bytes.indices.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
        }?.kind ?? kind(ofWords: name)
    }

    /// Returns the kind that the last word of a text tells, or else the first word: a `TV light` is a light.
    static func kind(ofWords text: String) -> DeviceKind? {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
            .filter { $0.contains(where: \.isLetter) }
        return [words.last, words.first].lazy.compactMap { $0.flatMap { kindWords[String($0)] } }
            .first
    }

    /// Returns the family of an Apple model identifier: letters, then two numbers.
    private static func appleFamily(of model: String) -> (name: String, kind: DeviceKind)? {
        guard model.utf8.contains(0x2C),
            let start = model.utf8.firstIndex(where: { 0x30...0x39 ~= $0 })
        else { return nil }
        let numbers = model[start...].split(separator: ",")
        guard numbers.count == 2, numbers.allSatisfy({ UInt16($0) != nil }) else { return nil }
        return appleFamilies[String(model[..<start])]
    }
}

// MARK: Tables

extension ModelNames {
    /// Words that tell the kind of a device, as UTF-8.
    private static let words = wordTexts.map { (bytes: Array($0.utf8), kind: $1) }

    private static let wordTexts: [(String, DeviceKind)] = [
        ("iPhone", .phone), ("iPad", .tablet), ("MacBook", .computer), ("iMac", .computer),
        ("HomePod", .speaker), ("OpenWrt", .router), ("Router", .router),
    ]

    /// The words that tell the kind of a device, in lower case.
    private static let kindWords: [String: DeviceKind] = Dictionary(
        uniqueKeysWithValues: wordsOfKinds.flatMap { kind, words in
            words.split(separator: " ").map { (String($0), kind) }
        })

    private static let wordsOfKinds: [(DeviceKind, String)] = [
        (.appliance, "airpurifier charger dishwasher dryer evse fridge humidifier oven purifier"),
        (.appliance, "refrigerator ups vacuum wallbox washer"),
        (.bridge, "bridge coordinator gateway hub"), (.camera, "cam camera doorbell ipcam webcam"),
        (.computer, "desktop laptop macbook notebook"), (.cover, "blind blinds curtain shutter"),
        (.light, "bulb lamp light lightstrip"), (.lock, "doorlock lock"),
        (.nas, "diskstation nas rackstation"), (.phone, "phone"),
        (.printer, "deskjet ecotank laserjet officejet printer"), (.router, "router"),
        (.scanner, "scanner"), (.sensor, "airquality sensor weatherstation"),
        (.speaker, "loudspeaker soundbar speaker subwoofer"), (.switch, "outlet plug socket"),
        (.tablet, "tablet"), (.thermostat, "heater heatpump radiator thermostat"),
        (.tv, "television tv"),
    ]

    /// The families of models by the start of their names.
    private static let families: [String: Family] = Dictionary(
        uniqueKeysWithValues: starts.map { ($0.prefix, Family(kind: $0.kind, maker: $0.maker)) })

    /// The lengths of the starts in bytes, the longest first.
    private static let familyLengths = Set(starts.map(\.prefix.utf8.count)).sorted(by: >)

    private static let starts: [(prefix: String, kind: DeviceKind?, maker: String?)] = [
        ("AFT", .mediaPlayer, "Amazon"), ("AirPort", .router, "Apple"),
        ("Apple TV", .mediaPlayer, "Apple"), ("BRAVIA", .tv, "Sony"),
        ("Chromecast", .mediaPlayer, "Google"), ("Fire TV", .mediaPlayer, "Amazon"),
        ("Google Home", .speaker, "Google"), ("Google Nest Hub", .speaker, "Google"),
        ("Google Nest Mini", .speaker, "Google"), ("Google TV", .mediaPlayer, "Google"),
        ("HomePod", .speaker, "Apple"), ("Nest Audio", .speaker, "Google"),
        ("Nest Hub", .speaker, "Google"), ("Nest Mini", .speaker, "Google"),
        ("Nest Wifi", .router, "Google"), ("Roku", .mediaPlayer, "Roku"),
        ("SHIELD", .mediaPlayer, "NVIDIA"), ("Bouygtel", .mediaPlayer, nil),
        ("LIFX", .light, "LIFX"), ("ReadyNAS", .nas, "NETGEAR"), ("ecobee", .thermostat, "ecobee"),
    ]

    /// The makers of HomeKit accessories, by the first word of the model or the whole model.
    static let homeKitMakers: [String: String] = [
        "3810X": "Roku", "3820X": "Roku", "4660X": "Roku", "7820X": "Roku", "AC02": "tado",
        "Abode": "Abode", "BSB002": "Philips", "C105X": "Roku", "C135X": "Roku", "EB": "ecobee",
        "Escea": "Escea", "HHKBridge1": "Hive", "HHKBridge2": "Hive",
        "Healthy Home Coach": "Netatmo",
        "Iota": "Abode", "LIFX": "LIFX", "NL22": "Nanoleaf", "NL29": "Nanoleaf",
        "NL42": "Nanoleaf", "NL47": "Nanoleaf", "NL48": "Nanoleaf", "NL52": "Nanoleaf",
        "NL59": "Nanoleaf", "NL68": "Nanoleaf", "Netatmo": "Netatmo", "PowerView": "Hunter Douglas",
        "Rachio": "Rachio", "SPK5": "RainMachine", "Sensibo": "Sensibo",
        "Smart Bridge": "Lutron", "TRADFRI": "IKEA", "Touch HD": "RainMachine", "Wemo": "Belkin",
        "YLDP13YL": "Yeelight", "ecobee": "ecobee", "iSmartGate": "iSmartGate", "iZone": "iZone",
        "tado": "tado", "tado°": "tado",
    ]

    /// The makers of printers, by the first word of the model.
    static let printerMakers: [String: String] = [
        "Brother": "Brother", "Canon": "Canon", "DELL": "Dell", "Dell": "Dell", "EPSON": "EPSON",
        "Epson": "EPSON", "HP": "HP", "KONICA": "KONICA MINOLTA", "KYOCERA": "KYOCERA",
        "Kyocera": "KYOCERA", "Lexmark": "Lexmark", "OKI": "OKI", "RICOH": "RICOH",
        "Ricoh": "RICOH", "SHARP": "SHARP", "Samsung": "Samsung", "TOSHIBA": "TOSHIBA",
        "Xerox": "Xerox",
    ]

    /// The makers of devices of UPnP and WS-Discovery that do not tell it, by the first word of a name.
    static let describedMakers: [String: String] = [
        "Amcrest": "Amcrest", "AXIS": "Axis", "Axis": "Axis", "BRAVIA": "Sony", "FRITZ!Box": "AVM",
        "HIKVISION": "Hikvision", "LG": "LG", "NETGEAR": "NETGEAR", "Panasonic": "Panasonic",
        "Philips": "Philips", "SONY": "Sony", "Sonos": "Sonos", "Sony": "Sony",
        "Synology": "Synology", "VIERA": "Panasonic", "Yamaha": "Yamaha",
    ].merging(printerMakers) { own, _ in own }

    private static let appleFamilies: [String: (name: String, kind: DeviceKind)] = [
        "AirPort": ("AirPort", .router), "AppleTV": ("Apple TV", .mediaPlayer),
        "AudioAccessory": ("HomePod", .speaker), "Mac": ("Mac", .computer),
        "MacBook": ("MacBook", .computer), "MacBookAir": ("MacBook Air", .computer),
        "MacBookPro": ("MacBook Pro", .computer), "MacPro": ("Mac Pro", .computer),
        "Macmini": ("Mac mini", .computer), "RealityDevice": ("Apple Vision Pro", .computer),
        "TimeCapsule": ("Time Capsule", .router), "VirtualMac": ("virtual Mac", .computer),
        "iMac": ("iMac", .computer), "iMacPro": ("iMac Pro", .computer), "iPad": ("iPad", .tablet),
        "iPhone": ("iPhone", .phone), "iPod": ("iPod touch", .mediaPlayer),
    ]

    private static let appleModels: [String: String] = Dictionary(
        uniqueKeysWithValues: soldAs.flatMap { name, models in
            models.split(separator: " ").map { (String($0), name) }
        })

    /// The names under which Apple has sold models since about 2017, with their identifiers.
    private static let soldAs: [(name: String, models: String)] = [
        ("Apple TV (3rd generation)", "AppleTV3,1 AppleTV3,2"), ("Apple TV HD", "AppleTV5,3"),
        ("Apple TV 4K", "AppleTV6,2"), ("Apple TV 4K (2nd generation)", "AppleTV11,1"),
        ("Apple TV 4K (3rd generation)", "AppleTV14,1"),
        ("HomePod", "AudioAccessory1,1 AudioAccessory1,2"), ("HomePod mini", "AudioAccessory5,1"),
        ("HomePod (2nd generation)", "AudioAccessory6,1"),
        ("MacBook Air (M1, 2020)", "MacBookAir10,1"), ("MacBook Air (M2, 2022)", "Mac14,2"),
        ("MacBook Air (15-inch, M2, 2023)", "Mac14,15"),
        ("MacBook Air (13-inch, M3, 2024)", "Mac15,12"),
        ("MacBook Air (15-inch, M3, 2024)", "Mac15,13"),
        ("MacBook Air (13-inch, M4, 2025)", "Mac16,12"),
        ("MacBook Air (15-inch, M4, 2025)", "Mac16,13"),
        ("MacBook Pro (16-inch, 2019)", "MacBookPro16,1 MacBookPro16,4"),
        ("MacBook Pro (13-inch, M1, 2020)", "MacBookPro17,1"),
        ("MacBook Pro (14-inch, 2021)", "MacBookPro18,3 MacBookPro18,4"),
        ("MacBook Pro (16-inch, 2021)", "MacBookPro18,1 MacBookPro18,2"),
        ("MacBook Pro (13-inch, M2, 2022)", "Mac14,7"),
        ("MacBook Pro (14-inch, 2023)", "Mac14,5 Mac14,9"),
        ("MacBook Pro (16-inch, 2023)", "Mac14,6 Mac14,10"),
        ("MacBook Pro (14-inch, Nov 2023)", "Mac15,3 Mac15,6 Mac15,8 Mac15,10"),
        ("MacBook Pro (16-inch, Nov 2023)", "Mac15,7 Mac15,9 Mac15,11"),
        ("MacBook Pro (14-inch, 2024)", "Mac16,1 Mac16,6 Mac16,8"),
        ("MacBook Pro (16-inch, 2024)", "Mac16,5 Mac16,7"), ("Mac mini (2018)", "Macmini8,1"),
        ("Mac mini (M1, 2020)", "Macmini9,1"), ("Mac mini (2023)", "Mac14,3 Mac14,12"),
        ("Mac mini (2024)", "Mac16,10 Mac16,11"), ("Mac Studio (2022)", "Mac13,1 Mac13,2"),
        ("Mac Studio (2023)", "Mac14,13 Mac14,14"), ("Mac Pro (2019)", "MacPro7,1"),
        ("Mac Pro (2023)", "Mac14,8"), ("iMac (27-inch, 2020)", "iMac20,1 iMac20,2"),
        ("iMac (24-inch, M1, 2021)", "iMac21,1 iMac21,2"),
        ("iMac (24-inch, 2023)", "Mac15,4 Mac15,5"), ("iMac (24-inch, 2024)", "Mac16,2 Mac16,3"),
        ("iPhone X", "iPhone10,3 iPhone10,6"), ("iPhone XS", "iPhone11,2"),
        ("iPhone XS Max", "iPhone11,4 iPhone11,6"), ("iPhone XR", "iPhone11,8"),
        ("iPhone 11", "iPhone12,1"), ("iPhone 11 Pro", "iPhone12,3"),
        ("iPhone 11 Pro Max", "iPhone12,5"), ("iPhone SE (2nd generation)", "iPhone12,8"),
        ("iPhone 12 mini", "iPhone13,1"), ("iPhone 12", "iPhone13,2"),
        ("iPhone 12 Pro", "iPhone13,3"), ("iPhone 12 Pro Max", "iPhone13,4"),
        ("iPhone 13 Pro", "iPhone14,2"), ("iPhone 13 Pro Max", "iPhone14,3"),
        ("iPhone 13 mini", "iPhone14,4"), ("iPhone 13", "iPhone14,5"),
        ("iPhone SE (3rd generation)", "iPhone14,6"), ("iPhone 14", "iPhone14,7"),
        ("iPhone 14 Plus", "iPhone14,8"), ("iPhone 14 Pro", "iPhone15,2"),
        ("iPhone 14 Pro Max", "iPhone15,3"), ("iPhone 15", "iPhone15,4"),
        ("iPhone 15 Plus", "iPhone15,5"), ("iPhone 15 Pro", "iPhone16,1"),
        ("iPhone 15 Pro Max", "iPhone16,2"), ("iPhone 16 Pro", "iPhone17,1"),
        ("iPhone 16 Pro Max", "iPhone17,2"), ("iPhone 16", "iPhone17,3"),
        ("iPhone 16 Plus", "iPhone17,4"), ("iPhone 16e", "iPhone17,5"),
    ]

    /// The vendor identifiers of Matter (Distributed Compliance Ledger), as `VP` has them.
    static let matterVendors = [
        "4107": "Signify", "4125": "Assa Abloy", "4129": "Legrand", "4190": "Schneider",
        "4251": "Leviton", "4442": "Nanoleaf", "4447": "Aqara", "4448": "Sengled",
        "4476": "IKEA", "4488": "TP-Link", "4631": "Amazon", "4701": "Tuya", "4874": "Eve",
        "4882": "Yeelight", "4897": "SONOFF", "4933": "Meross", "4937": "Apple",
        "4939": "Nabu Casa", "4942": "tado", "4957": "Nuki", "4999": "Govee", "5009": "TP-Link",
        "5010": "TP-Link", "5015": "SwitchBot", "5127": "ThirdReality", "24582": "Google",
    ]
}
