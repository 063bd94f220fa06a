// How many services and devices there are of each type.
import FoundationEssentials
import PeerList
import PeerRecording

/// A service type that is announced here, and by how many.
struct TypeCount: Equatable {
    /// The type, `_ipp._tcp`.
    let type: String
    /// What people call it, or `nil`.
    let title: String?
    /// How many services of it there are.
    let services: Int
    /// How many devices offer them; a service whose device is not known counts as one.
    let devices: Int

    /// The types of a list that is grouped by type, those with the most services first.
    ///
    /// - Complexity: O(*n*) for *n* services, and O(*t* log *t*) for *t* types.
    static func all(in sections: [ListSection]) -> [TypeCount] {
        sections.compactMap { section -> TypeCount? in
            var (services, devices) = (0, Set<UUID>())
            for item in section.items where item.isService {
                services += 1
                devices.insert(item.peer.id)
            }
            guard services > 0 else { return nil }
            return TypeCount(
                type: section.id, title: KnownServiceType.of(section.id)?.title, services: services,
                devices: devices.count)
        }.sorted { ($1.services, $0.type) < ($0.services, $1.type) }
    }

    /// Returns the table with its last line feed; no types have none.
    static func table(_ counts: [TypeCount], _ style: TableStyle) -> String {
        guard !counts.isEmpty else { return "" }
        var table = TextTable(
            [.text("TYPE"), .text("NAME"), .number("SERVICES"), .number("DEVICES")], style: style)
        for count in counts {
            table.add([count.type, count.title ?? "-", "\(count.services)", "\(count.devices)"])
        }
        return table.lines.map { "\($0)\n" }.joined()
    }

    /// One line of JSON for each, with its line feed.
    static func json(_ counts: [TypeCount]) -> String {
        counts.map { count in
            var text = JSONWriter()
            text.object { line in
                line.member("type", count.type)
                line.member("title", count.title)
                line.member("services", count.services)
                line.member("devices", count.devices)
            }
            return String(decoding: text.bytes, as: UTF8.self) + "\n"
        }.joined()
    }
}
