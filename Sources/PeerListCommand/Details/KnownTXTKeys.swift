// What the keys of TXT records mean, as far as that is known.

/// What the keys of TXT records mean, by service type.
enum KnownTXTKeys {
    /// What a key of a type means; `nil` where that is not known.
    static func meaning(of key: String, type: String) -> String? {
        table(of: type)?[key.lowercased()]
    }

    /// What a value means that is a code; `nil` where it speaks for itself.
    static func meaning(of value: String, key: String, type: String) -> String? {
        let key = key.lowercased()
        switch type {
        case "_ipp._tcp", "_ipps._tcp", "_printer._tcp", "_pdl-datastream._tcp", "_uscan._tcp",
            "_uscans._tcp":
            return printerFlags.contains(key) ? flags[value.uppercased()] : nil
        case "_hap._tcp":
            switch key {
            case "ci": return homeKitCategories[value]
            case "sf": return ["0": "paired", "1": "not paired yet"][value]
            default: return nil
            }
        case "_googlecast._tcp": return key == "st" ? ["0": "idle", "1": "in use"][value] : nil
        default: return nil
        }
    }

    private static func table(of type: String) -> [String: String]? {
        switch type {
        case "_ipp._tcp", "_ipps._tcp", "_printer._tcp", "_pdl-datastream._tcp": printer
        case "_uscan._tcp", "_uscans._tcp": printer.merging(scanner) { $1 }
        case "_airplay._tcp": airplay
        case "_raop._tcp": raop
        case "_hap._tcp", "_hap._udp": homeKit
        case "_googlecast._tcp": googleCast
        case "_device-info._tcp": deviceInfo
        case "_smb._tcp", "_http._tcp", "_https._tcp", "_ssh._tcp", "_sftp-ssh._tcp", "_ftp._tcp",
            "_webdav._tcp", "_webdavs._tcp", "_nfs._tcp", "_afpovertcp._tcp", "_telnet._tcp":
            signIn
        case "_adisk._tcp": ["sys": "the server's own settings"]
        case "_esphomelib._tcp": espHome
        case "_matter._tcp", "_matterc._udp": matter
        case "_meshcop._udp": thread
        case "_peerlist._tcp": ["id": "the identifier that it announces for itself"]
        default: nil
        }
    }

    /// Bonjour Printing Specification 1.2.1, section 9, and what IPP Everywhere adds.
    private static let printer = [
        "txtvers": "version of these keys", "qtotal": "how many queues there are",
        "rp": "path of the queue", "ty": "make and model", "product": "name in its drivers",
        "note": "where it stands", "adminurl": "page to set it up",
        "priority": "the lower, the sooner to be chosen", "pdl": "formats that it takes",
        "uuid": "its own identifier", "urf": "what it takes of Apple Raster",
        "color": "prints in colour", "duplex": "prints on both sides",
        "copies": "makes copies by itself", "collate": "sorts copies", "bind": "binds",
        "staple": "staples", "punch": "punches holes", "sort": "sorts into trays",
        "scan": "scans", "fax": "sends faxes", "papermax": "largest paper",
        "papercustom": "takes paper of any size", "transparent": "takes raw data",
        "binary": "takes binary data", "tbcp": "takes tagged binary data",
        "air": "how to sign in", "kind": "what it prints", "usb_mfg": "maker, as on USB",
        "usb_mdl": "model, as on USB", "usb_cmd": "languages, as on USB",
        "printer-type": "what it can (bits)", "printer-state": "its state",
        "tls": "newest TLS that it speaks", "rfo": "path of its fax queue",
        "mopria-certified": "certified by Mopria",
    ]

    private static let printerFlags: Set = [
        "color", "duplex", "copies", "collate", "bind", "staple", "punch", "sort", "scan", "fax",
        "papercustom", "transparent", "binary", "tbcp",
    ]

    private static let flags = ["T": "yes", "F": "no", "U": "unknown"]

    /// eSCL, section "Discovery".
    private static let scanner = [
        "rs": "path of the scanner", "cs": "colours that it scans", "is": "where it scans from",
        "vers": "version of eSCL", "duplex": "scans both sides", "representation": "its picture",
    ]

    private static let airplay = [
        "deviceid": "its hardware address", "features": "what it can (bits)",
        "flags": "its state (bits)", "model": "model", "manufacturer": "maker",
        "srcvers": "version of AirPlay", "protovers": "version of the protocol",
        "osvers": "version of its system", "fv": "version of its firmware",
        "pk": "public key", "pi": "identifier for pairing", "psi": "identifier of the device",
        "gid": "group that it plays in", "gcgl": "whether its group has a leader",
        "igl": "whether it leads its group", "acl": "who may connect",
        "vv": "version of video", "serialnumber": "serial number",
    ]

    private static let raop = [
        "am": "model", "vs": "version of AirPlay", "ov": "version of its system",
        "tp": "transport", "md": "kinds of what it shows (0 text, 1 picture, 2 progress)",
        "cn": "codecs (0 PCM, 1 ALAC, 2 AAC, 3 AAC-ELD)", "et": "encryption that it takes",
        "da": "signs in by digest", "sr": "samples a second", "ss": "bits a sample",
        "ch": "channels", "pw": "needs a password", "ft": "what it can (bits)",
        "sf": "its state (bits)", "pk": "public key", "vn": "version of the protocol",
        "txtvers": "version of these keys", "fv": "version of its firmware",
    ]

    /// HomeKit Accessory Protocol Specification R2, section 6.4.
    private static let homeKit = [
        "c#": "rises when what it offers changes", "ff": "how it pairs (bits)",
        "id": "identifier for pairing", "md": "model", "pv": "version of the protocol",
        "s#": "number of its state", "sf": "whether it is paired", "ci": "kind of accessory",
        "sh": "hash of its setup code",
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
        "id": "its own identifier", "fn": "name that its owner gave it", "md": "model",
        "ve": "version of the protocol", "ca": "what it can (bits)", "st": "whether it is in use",
        "rs": "what it is playing", "ic": "path of its picture",
    ]

    private static let deviceInfo = [
        "model": "model", "osxvers": "version of macOS, as Darwin counts",
        "ecolor": "colour of its case", "icolor": "colour of its front",
    ]

    /// The registry of DNS-SD service types, for types that are opened by a URL.
    private static let signIn = [
        "path": "where to begin", "u": "name to sign in with", "p": "password to sign in with",
        "txtvers": "version of these keys",
    ]

    private static let espHome = [
        "version": "version of ESPHome", "mac": "its hardware address", "platform": "chip",
        "board": "board", "network": "how it is connected", "friendly_name": "name",
        "project_name": "project", "project_version": "version of the project",
        "api_encryption": "how it encrypts",
    ]

    /// Matter Core Specification, section 4.3.
    private static let matter = [
        "d": "number to tell it from others at setup", "cm": "whether it can be set up now",
        "vp": "vendor and product", "dt": "kind of device", "dn": "name",
        "sii": "milliseconds between retries when idle",
        "sai": "milliseconds between retries when active", "t": "whether it takes TCP",
        "ph": "how to pair (bits)", "pi": "what to do to pair",
    ]

    /// Thread Specification, MeshCoP discovery.
    private static let thread = [
        "nn": "name of the Thread network", "xp": "identifier of the network", "vn": "maker",
        "mn": "model", "tv": "version of Thread", "sb": "its state (bits)",
        "xa": "its own address", "at": "age of its settings", "rv": "version of these keys",
        "dn": "domain",
    ]
}
