// Counts the services and devices of each service type, for `peerlist types`.
import FoundationEssentials
package import PeerModel
import PeerRecording

/// A service type, and the number of its services and devices.
package struct TypeCount: Equatable {
    /// The type, `_ipp._tcp`.
    let type: String
    let title: String?
    let services: Int
    /// The number of devices that offer them; a service of an unknown device counts as one.
    let devices: Int

    /// Returns the types of a list grouped by type, in descending order of services.
    ///
    /// - Complexity: O(*n*) for *n* services, and O(*t* log *t*) for *t* types.
    package static func all(in sections: [ListSection]) -> [TypeCount] {
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

    /// Returns a table; without types, an empty text.
    package static func table(_ counts: [TypeCount], _ style: TableStyle) -> String {
        guard !counts.isEmpty else { return "" }
        return style.table(
            [
                .text("TYPE", minimum: 16, rank: 4), .text("NAME", rank: 1),
                .number("SERVICES", rank: 3), .number("DEVICES", rank: 2),
            ],
            counts.map { count in
                [
                    TableText(count.type), TableText(count.title ?? "-"),
                    TableText("\(count.services)"), TableText("\(count.devices)"),
                ]
            }
        )
    }

    /// Returns a JSON line for each type.
    package static func json(_ counts: [TypeCount]) -> String {
        counts.map { count in
            jsonLine { line in
                line.member("type", count.type)
                line.member("title", count.title)
                line.member("services", count.services)
                line.member("devices", count.devices)
            }
        }.joined()
    }
}
