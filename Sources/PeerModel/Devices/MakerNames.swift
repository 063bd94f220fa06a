// Makes one name of the names under which a maker is known, and tells makers of modules from makers of devices.

/// The names of makers, in records and in the registries of the IEEE.
package enum MakerNames {
    /// Returns the name of a maker without its legal form: `Apple` for `Apple, Inc.`
    package static func name(of text: String) -> String {
        var words = text.split(separator: " ").map(String.init)
        while words.count > 1, let last = words.last, legalForms.contains(plain(last)) {
            words.removeLast()
        }
        let name = words.joined(separator: " ")
        let trimmed = String(name.reversed().drop { $0 == "," }.reversed())
        return usualNames[trimmed.lowercased()] ?? trimmed
    }

    /// Whether a maker sells modules and chips that others build into their devices, so that a MAC address of theirs
    /// does not tell the maker of the device.
    package static func makesModules(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        return moduleMakers.contains { words.starts(with: $0) }
    }

    private static func plain(_ word: String) -> String {
        word.lowercased().filter { !".,/".contains($0) }
    }

    private static let legalForms: Set = [
        "ab", "ag", "as", "bv", "co", "coltd", "company", "corp", "corporation", "gmbh", "inc",
        "incorporated", "international", "intl", "kg", "limited", "llc", "ltd", "nv", "oy", "plc",
        "pte", "sa", "sarl", "sas", "spa", "srl", "&",
    ]

    /// The usual names of makers with several, by their names in lower case.
    private static let usualNames = [
        "hewlett packard": "HP", "hewlett-packard": "HP", "philips lighting": "Philips",
        "samsung electronics": "Samsung", "lg electronics": "LG", "seiko epson": "Epson",
        "brother industries": "Brother", "nest labs": "Google", "amazon technologies": "Amazon",
        "tp-link technologies": "TP-Link", "tp-link systems": "TP-Link", "qnap systems": "QNAP",
    ]

    private static let moduleMakers: [[Substring]] = [
        "ai-thinker", "ampak", "azurewave", "beken", "bouffalo", "broadcom", "chicony",
        "cypress", "espressif", "fn-link", "hon hai", "intel corporate",
        "liteon", "lite-on", "mediatek", "microchip", "murata", "nordic semiconductor",
        "qualcomm", "quectel", "raspberry pi", "realtek", "redpine", "shenzhen bilian",
        "silicon laboratories", "stmicroelectronics", "telink", "texas instruments", "tuya",
        "universal global scientific", "usi", "wisol", "wistron", "wiznet",
    ].map { $0.split { !$0.isLetter && !$0.isNumber } }
}
