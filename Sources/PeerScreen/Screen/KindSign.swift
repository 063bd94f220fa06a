// The sign of a device's kind in the list: a glyph or a letter, coloured by its category.
package import PeerModel
package import TerminalList

/// The signs that stand for the kinds of devices.
package enum KindSigns: String, Sendable, CaseIterable {
    case symbols, letters, none
}

extension DeviceKind {
    /// The kinds that share a colour, in the order of the help.
    package static let categories: [(tone: Style.Tone, kinds: [DeviceKind])] = [
        (.category1, [.printer, .scanner]), (.category2, [.tv, .speaker, .mediaPlayer]),
        (.category3, [.computer, .phone, .tablet]), (.category4, [.nas, .router, .bridge]),
        (.category5, [.light, .switch, .sensor, .thermostat, .cover, .appliance]),
        (.category6, [.camera, .lock, .car]),
    ]

    /// Returns the glyph of the kind, or its letter, in the colour of its category.
    func sign(_ signs: KindSigns) -> ListCell.Field {
        if signs == .none { return "" }
        let tone = Self.categories.first { $0.kinds.contains(self) }?.tone ?? .kind
        return .init(String(signs == .letters ? letter : glyph), style: Style(tone: tone))
    }

    /// Returns the signs of all kinds with their titles, for the help.
    static func legend(_ signs: KindSigns) -> [HelpSection.Entry] {
        categories.flatMap { category in
            stride(from: 0, to: category.kinds.count, by: 3).map { start in
                let kinds = category.kinds[start...].prefix(3)
                return .init(
                    kinds.map { $0.sign(signs).text }.joined(separator: " "),
                    kinds.map(\.title).joined(separator: ", "))
            }
        }
    }
}
