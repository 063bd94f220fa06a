// The service types that have a short name and a name for people.

/// A service type that is well known.
public struct KnownServiceType: Sendable, Hashable {
    /// The type in full: `_ssh._tcp`.
    public let type: String

    /// What people call it: `Secure shell`.
    public let title: String

    /// What `--type` takes for it: the type's bare name first, then others that people use.
    public let shortNames: [String]

    private init(_ type: String, _ title: String, _ others: [String] = []) {
        self.type = type
        self.title = title
        shortNames = [String(type.dropFirst().prefix { $0 != "." })] + others
    }

    /// The known type of this full name; `nil` where it is not known.
    public static func of(_ type: String) -> KnownServiceType? { byType[type] }

    /// The known type of this short name; `nil` where it is not known.
    public static func named(_ shortName: String) -> KnownServiceType? { byShortName[shortName] }

    /// The types that most devices of homes and offices offer.
    static let commonest = [
        "_airplay._tcp", "_esphomelib._tcp", "_googlecast._tcp", "_hap._tcp",
        "_home-assistant._tcp", "_http._tcp", "_https._tcp", "_ipp._tcp", "_ipps._tcp",
        "_matter._tcp", "_mqtt._tcp", "_pdl-datastream._tcp", "_printer._tcp", "_raop._tcp",
        "_rfb._tcp", "_sftp-ssh._tcp", "_smb._tcp", "_spotify-connect._tcp", "_ssh._tcp",
        "_workstation._tcp",
    ]

    private static let byType = Dictionary(uniqueKeysWithValues: all.map { ($0.type, $0) })

    private static let byShortName = Dictionary(
        all.flatMap { known in known.shortNames.map { ($0, known) } },
        uniquingKeysWith: { first, _ in first })

    /// All known types, by the bytes of their names.
    public static let all: [KnownServiceType] = [
        KnownServiceType("_adb-tls-connect._tcp", "Android wireless debugging"),
        KnownServiceType("_adb._tcp", "Android debugging"),
        KnownServiceType("_adisk._tcp", "Time Machine disks"),
        KnownServiceType("_afpovertcp._tcp", "Apple file sharing", ["afp"]),
        KnownServiceType("_airplay._tcp", "AirPlay"),
        KnownServiceType("_airport._tcp", "AirPort base station"),
        KnownServiceType("_amzn-wplay._tcp", "Amazon Fire TV"),
        KnownServiceType("_androidtvremote2._tcp", "Android TV remote", ["androidtv"]),
        KnownServiceType("_apple-midi._udp", "Network MIDI", ["midi"]),
        KnownServiceType("_apple-mobdev2._tcp", "iPhone and iPad over Wi-Fi"),
        KnownServiceType("_arduino._tcp", "Arduino board"),
        KnownServiceType("_axis-video._tcp", "Axis camera"),
        KnownServiceType("_bitcoin._tcp", "Bitcoin node"),
        KnownServiceType("_coap._udp", "Constrained application protocol"),
        KnownServiceType("_companion-link._tcp", "Apple companion devices"),
        KnownServiceType("_daap._tcp", "Music library"),
        KnownServiceType("_dacp._tcp", "Music remote control"),
        KnownServiceType("_device-info._tcp", "Device information"),
        KnownServiceType("_distcc._tcp", "Distributed compiler"),
        KnownServiceType("_domain._udp", "Name server", ["dns"]),
        KnownServiceType("_elg._tcp", "Elgato light"),
        KnownServiceType("_esphomelib._tcp", "ESPHome device", ["esphome"]),
        KnownServiceType("_ftp._tcp", "File transfer"),
        KnownServiceType("_git._tcp", "Git repository"),
        KnownServiceType("_googlecast._tcp", "Google Cast", ["chromecast", "cast"]),
        KnownServiceType("_hap._tcp", "HomeKit accessory", ["homekit"]),
        KnownServiceType("_home-assistant._tcp", "Home Assistant", ["homeassistant"]),
        KnownServiceType("_http._tcp", "Web site"),
        KnownServiceType("_https._tcp", "Secure web site"),
        KnownServiceType("_hue._tcp", "Philips Hue bridge"),
        KnownServiceType("_imap._tcp", "Mail"),
        KnownServiceType("_ipp._tcp", "Internet printing"),
        KnownServiceType("_ipps._tcp", "Secure internet printing"),
        KnownServiceType("_jenkins._tcp", "Jenkins"),
        KnownServiceType("_kdeconnect._udp", "KDE Connect"),
        KnownServiceType("_ldap._tcp", "Directory"),
        KnownServiceType("_matter._tcp", "Matter device"),
        KnownServiceType("_matterc._udp", "Matter device to be set up"),
        KnownServiceType("_meshcop._udp", "Thread border router", ["thread"]),
        KnownServiceType("_miio._udp", "Xiaomi device"),
        KnownServiceType("_mpd._tcp", "Music player daemon"),
        KnownServiceType("_mqtt._tcp", "Message broker"),
        KnownServiceType("_ndi._tcp", "Network video"),
        KnownServiceType("_nfs._tcp", "NFS file sharing"),
        KnownServiceType("_ntp._udp", "Time server"),
        KnownServiceType("_nut._tcp", "Power supply monitor", ["ups"]),
        KnownServiceType("_nvstream._tcp", "Game streaming", ["gamestream"]),
        KnownServiceType("_nvstream_dbd._tcp", "Game streaming, Nvidia Shield"),
        KnownServiceType("_octoprint._tcp", "OctoPrint"),
        KnownServiceType("_osc._udp", "Open Sound Control"),
        KnownServiceType("_pdl-datastream._tcp", "Raw printing", ["jetdirect"]),
        KnownServiceType("_peerlist._tcp", "peerlist"),
        KnownServiceType("_plexmediasvr._tcp", "Plex", ["plex"]),
        KnownServiceType("_postgresql._tcp", "PostgreSQL", ["postgres"]),
        KnownServiceType("_presence._tcp", "Local chat"),
        KnownServiceType("_printer._tcp", "Printing by LPR", ["lpr"]),
        KnownServiceType("_privet._tcp", "Cloud device nearby"),
        KnownServiceType("_ptp._tcp", "Camera pictures"),
        KnownServiceType("_pulse-server._tcp", "PulseAudio server"),
        KnownServiceType("_pulse-sink._tcp", "PulseAudio output"),
        KnownServiceType("_pulse-source._tcp", "PulseAudio input"),
        KnownServiceType("_raop._tcp", "AirPlay audio"),
        KnownServiceType("_rdlink._tcp", "Apple remote display link"),
        KnownServiceType("_rdp._tcp", "Remote desktop"),
        KnownServiceType("_rfb._tcp", "Screen sharing", ["vnc"]),
        KnownServiceType("_rtsp._tcp", "Streaming camera"),
        KnownServiceType("_scanner._tcp", "Scanner"),
        KnownServiceType("_sftp-ssh._tcp", "File transfer over SSH", ["sftp"]),
        KnownServiceType("_shelly._tcp", "Shelly device"),
        KnownServiceType("_sip._udp", "Telephony"),
        KnownServiceType("_sleep-proxy._udp", "Sleep proxy"),
        KnownServiceType("_smb._tcp", "Windows file sharing", ["samba", "cifs"]),
        KnownServiceType("_sonos._tcp", "Sonos speaker"),
        KnownServiceType("_soundtouch._tcp", "Bose speaker"),
        KnownServiceType("_spotify-connect._tcp", "Spotify", ["spotify"]),
        KnownServiceType("_ssh._tcp", "Secure shell"),
        KnownServiceType("_telnet._tcp", "Telnet"),
        KnownServiceType("_touch-able._tcp", "Apple TV remote"),
        KnownServiceType("_trel._udp", "Thread over this network"),
        KnownServiceType("_udisks-ssh._tcp", "Disks over SSH"),
        KnownServiceType("_uscan._tcp", "Scanning without driver", ["escl"]),
        KnownServiceType("_uscans._tcp", "Secure scanning without driver"),
        KnownServiceType("_webdav._tcp", "WebDAV file sharing"),
        KnownServiceType("_webdavs._tcp", "Secure WebDAV file sharing"),
        KnownServiceType("_workstation._tcp", "Workstation"),
        KnownServiceType("_xmpp-server._tcp", "Chat server", ["xmpp"]),
    ]
}
