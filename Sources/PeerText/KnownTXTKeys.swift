// The meanings of known TXT record keys and values.

/// The meanings of TXT record keys and values, by service type.
package enum KnownTXTKeys {
    /// Returns the meaning of a key; `nil` if unknown.
    package static func meaning(of key: String, type: String) -> String? {
        table(of: type)?[key.lowercased()]
    }

    /// Returns the meaning of a value that is a code; `nil` for others.
    package static func meaning(of value: String, key: String, type: String) -> String? {
        switch (type, key.lowercased()) {
        case ("_hap._tcp", "ci"): homeKitCategories[value]
        case ("_hap._tcp", "sf"): ["0": "paired", "1": "not paired yet"][value]
        case ("_googlecast._tcp", "st"): ["0": "idle", "1": "in use"][value]
        case (_, let key) where printerFlags.contains(key) && printerTypes.contains(type):
            ["T": "yes", "F": "no", "U": "unknown"][value.uppercased()]
        default: nil
        }
    }

    private static func table(of type: String) -> [String: String]? {
        switch type {
        case "_uscan._tcp", "_uscans._tcp": printer.merging(scanner) { $1 }
        case _ where printerTypes.contains(type): printer
        case "_airplay._tcp": airplay
        case "_raop._tcp": raop
        case "_hap._tcp", "_hap._udp": homeKit
        case "_googlecast._tcp": googleCast
        case "_device-info._tcp": deviceInfo
        case "_smb._tcp", "_http._tcp", "_https._tcp", "_ssh._tcp", "_sftp-ssh._tcp", "_ftp._tcp",
            "_webdav._tcp", "_webdavs._tcp", "_nfs._tcp", "_afpovertcp._tcp", "_telnet._tcp":
            signIn
        case "_adisk._tcp": ["sys": "server settings"]
        case "_esphomelib._tcp": espHome
        case "_matter._tcp", "_matterc._udp": matter
        case "_meshcop._udp": thread
        case "_peerlist._tcp": ["id": "self-announced identifier"]
        default: nil
        }
    }

    private static let printerTypes: Set = [
        "_ipp._tcp", "_ipps._tcp", "_printer._tcp", "_pdl-datastream._tcp", "_uscan._tcp",
        "_uscans._tcp",
    ]

    /// Bonjour Printing Specification 1.2.1, section 9, and IPP Everywhere.
    private static let printer = [
        "txtvers": "version of these keys", "qtotal": "number of queues",
        "rp": "path of the queue", "ty": "make and model", "product": "name in drivers",
        "note": "location", "adminurl": "setup page",
        "priority": "priority, lower is preferred", "pdl": "accepted formats",
        "uuid": "identifier", "urf": "Apple Raster features",
        "color": "prints in colour", "duplex": "prints on both sides",
        "copies": "makes copies by itself", "collate": "sorts copies", "bind": "binds",
        "staple": "staples", "punch": "punches holes", "sort": "sorts into trays",
        "scan": "scans", "fax": "sends faxes", "papermax": "largest paper",
        "papercustom": "custom paper sizes", "transparent": "accepts raw data",
        "binary": "accepts binary data", "tbcp": "accepts tagged binary data",
        "air": "authentication", "kind": "kinds of output", "usb_mfg": "maker, as on USB",
        "usb_mdl": "model, as on USB", "usb_cmd": "languages, as on USB",
        "printer-type": "features (bits)", "printer-state": "state",
        "tls": "newest TLS version", "rfo": "path of the fax queue",
        "mopria-certified": "certified by Mopria",
    ]

    private static let printerFlags: Set = [
        "color", "duplex", "copies", "collate", "bind", "staple", "punch", "sort", "scan", "fax",
        "papercustom", "transparent", "binary", "tbcp",
    ]

    /// eSCL, section "Discovery".
    private static let scanner = [
        "rs": "path of the scanner", "cs": "colour modes", "is": "input sources",
        "vers": "version of eSCL", "duplex": "scans both sides", "representation": "picture",
    ]

    private static let airplay = [
        "deviceid": "hardware address", "features": "features (bits)",
        "flags": "state (bits)", "model": "model", "manufacturer": "maker",
        "srcvers": "version of AirPlay", "protovers": "version of the protocol",
        "osvers": "version of the system", "fv": "version of the firmware",
        "pk": "public key", "pi": "identifier for pairing", "psi": "identifier of the device",
        "gid": "playback group", "gcgl": "whether the group has a leader",
        "igl": "whether it leads the group", "acl": "access control",
        "vv": "version of video", "serialnumber": "serial number",
    ]

    private static let raop = [
        "am": "model", "vs": "version of AirPlay", "ov": "version of the system",
        "tp": "transport", "md": "metadata (0 text, 1 picture, 2 progress)",
        "cn": "codecs (0 PCM, 1 ALAC, 2 AAC, 3 AAC-ELD)", "et": "supported encryption",
        "da": "digest authentication", "sr": "sample rate", "ss": "bits per sample",
        "ch": "channels", "pw": "needs a password", "ft": "features (bits)",
        "sf": "state (bits)", "pk": "public key", "vn": "version of the protocol",
        "txtvers": "version of these keys", "fv": "version of the firmware",
    ]

    /// HomeKit Accessory Protocol Specification R2, section 6.4.
    private static let homeKit = [
        "c#": "configuration number", "ff": "pairing features (bits)",
        "id": "identifier for pairing", "md": "model", "pv": "version of the protocol",
        "s#": "state number", "sf": "whether it is paired", "ci": "kind of accessory",
        "sh": "hash of the setup code",
    ]

    /// HomeKit Accessory Protocol Specification R2, section 13.
    private static let homeKitCategories = [
        "1": "other", "2": "bridge", "3": "fan", "4": "garage door", "5": "light", "6": "lock",
        "7": "outlet", "8": "switch", "9": "thermostat", "10": "sensor", "11": "alarm",
        "12": "door", "13": "window", "14": "window covering", "15": "programmable switch",
        "17": "camera", "18": "doorbell", "19": "air purifier", "20": "heater",
        "21": "air conditioner", "22": "humidifier", "23": "dehumidifier", "28": "sprinkler",
        "29": "faucet", "30": "shower", "31": "television", "32": "remote control",
    ]

    private static let googleCast = [
        "id": "identifier", "fn": "name given by the owner", "md": "model",
        "ve": "version of the protocol", "ca": "features (bits)", "st": "whether it is in use",
        "rs": "current application", "ic": "path of the icon",
    ]

    private static let deviceInfo = [
        "model": "model", "osxvers": "Darwin version of macOS",
        "ecolor": "colour of the case", "icolor": "colour of the front",
    ]

    /// IANA service registry, for types with a URL.
    private static let signIn = [
        "path": "path", "u": "user name", "p": "password",
        "txtvers": "version of these keys",
    ]

    private static let espHome = [
        "version": "version of ESPHome", "mac": "hardware address", "platform": "chip",
        "board": "board", "network": "network connection", "friendly_name": "name",
        "project_name": "project", "project_version": "version of the project",
        "api_encryption": "encryption",
    ]

    /// Matter Core Specification, section 4.3.
    private static let matter = [
        "d": "discriminator", "cm": "whether it can be set up now",
        "vp": "vendor and product", "dt": "kind of device", "dn": "name",
        "sii": "milliseconds between retries when idle",
        "sai": "milliseconds between retries when active", "t": "whether it supports TCP",
        "ph": "pairing hint (bits)", "pi": "pairing instruction",
    ]

    /// Thread Specification, MeshCoP discovery.
    private static let thread = [
        "nn": "name of the Thread network", "xp": "identifier of the network", "vn": "maker",
        "mn": "model", "tv": "version of Thread", "sb": "state (bits)",
        "xa": "extended address", "at": "timestamp of the settings", "rv": "version of these keys",
        "dn": "domain",
    ]
}
