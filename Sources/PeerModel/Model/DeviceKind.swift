// The kinds of devices, and the codes with which protocols state them.

/// The kind of a device, in everyday terms.
public enum DeviceKind: String, Sendable, Hashable, CaseIterable {
    /// A printer, with or without a scanner, or a 3D printer.
    case printer
    /// A scanner.
    case scanner
    /// A television.
    case tv
    /// A loudspeaker or an amplifier.
    case speaker
    /// A box or stick that plays video or music on other devices.
    case mediaPlayer = "media-player"
    /// A desktop, laptop or server.
    case computer
    /// A phone.
    case phone
    /// A tablet.
    case tablet
    /// Network-attached storage.
    case nas
    /// A camera or a doorbell with a camera.
    case camera
    /// A lamp or a strip of lights.
    case light
    /// A switch, a relay or a switchable outlet.
    case `switch`
    /// A sensor or a meter.
    case sensor
    /// A thermostat, heater or air conditioner.
    case thermostat
    /// A lock of a door.
    case lock
    /// A door, window, shutter or blind with a motor.
    case cover
    /// A household appliance or a fan.
    case appliance
    /// A bridge or hub through which other devices are reached.
    case bridge
    /// A router or access point.
    case router
    /// A car.
    case car

    /// The title, for the middle of a sentence: `media player`.
    public var title: String {
        switch self {
        case .tv: "TV"
        case .mediaPlayer: "media player"
        case .nas: "NAS"
        case .cover: "door or blind"
        default: rawValue
        }
    }

    /// A character that is one column wide in every terminal, different for each kind.
    public var glyph: Character { marks.glyph }

    /// An ASCII letter, different for each kind.
    public var letter: Character { marks.letter }

    // The glyphs have neutral width in Unicode, unlike emoji and characters that are wide in East Asian locales.
    // DejaVu Sans Mono contains all of them, and none marks a collapsed or expanded row.
    private var marks: (glyph: Character, letter: Character) {
        switch self {
        case .printer: ("❏", "P")
        case .scanner: ("⌸", "S")
        case .tv: ("▭", "T")
        case .speaker: ("♫", "A")
        case .mediaPlayer: ("⊚", "M")
        case .computer: ("⊟", "C")
        case .phone: ("✆", "H")
        case .tablet: ("▯", "B")
        case .nas: ("◫", "N")
        case .camera: ("◉", "V")
        case .light: ("☼", "L")
        case .switch: ("⊸", "W")
        case .sensor: ("⌾", "E")
        case .thermostat: ("ϑ", "K")
        case .lock: ("⊡", "D")
        case .cover: ("≣", "J")
        case .appliance: ("⊛", "G")
        case .bridge: ("❖", "X")
        case .router: ("⇄", "R")
        case .car: ("⎈", "O")
        }
    }
}

extension DeviceKind {
    /// The accessory categories of HomeKit, the values of `ci` (HomeKit Accessory Protocol Specification
    /// R2, section 13).
    static let homeKit: [String: DeviceKind] = [
        "2": .bridge, "3": .appliance, "4": .cover, "5": .light, "6": .lock, "7": .switch,
        "8": .switch, "9": .thermostat, "10": .sensor, "11": .sensor, "12": .cover, "13": .cover,
        "14": .cover, "15": .switch, "16": .router, "17": .camera, "18": .camera,
        "19": .appliance, "20": .thermostat, "21": .thermostat, "22": .appliance,
        "23": .appliance, "24": .mediaPlayer, "25": .speaker, "26": .speaker, "27": .router,
        "28": .appliance, "29": .appliance, "30": .appliance, "31": .tv, "32": .switch,
        "33": .router, "34": .speaker, "35": .mediaPlayer, "36": .mediaPlayer,
    ]

    /// The device types of Matter, the values of `DT` (Matter Device Library).
    static let matter: [String: DeviceKind] = [
        "10": .lock, "14": .bridge, "15": .switch, "21": .sensor, "34": .speaker,
        "35": .mediaPlayer, "40": .tv, "43": .appliance, "44": .sensor, "45": .appliance,
        "112": .appliance, "114": .thermostat, "115": .appliance, "116": .appliance,
        "117": .appliance, "118": .sensor, "121": .appliance, "144": .router, "145": .router,
        "256": .light, "257": .light, "259": .switch, "260": .switch, "261": .switch,
        "262": .sensor, "263": .sensor, "266": .switch, "267": .switch, "268": .light,
        "269": .light, "514": .cover, "768": .thermostat, "769": .thermostat, "770": .sensor,
        "773": .sensor, "774": .sensor, "775": .sensor,
    ]

    /// The device types of KDE Connect, the values of `type`.
    static let kdeConnect: [String: DeviceKind] = [
        "desktop": .computer, "laptop": .computer, "phone": .phone, "smartphone": .phone,
        "tablet": .tablet, "tv": .tv,
    ]
}
