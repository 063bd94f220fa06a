// What one packet tells of a device that need not speak multicast DNS.

/// The content of one packet, or of an entry of the neighbour table, about a device and some of its services.
package struct Statement: Sendable, Hashable {
    /// The protocols.
    package enum Speaker: UInt8, Sendable, Hashable, CaseIterable {
        case ssdp = 1, wsd
        /// The kernel's table of neighbours.
        case neighbours

        /// The port from which, or to which, its packets are sent; `nil` if there are none.
        package var port: UInt16? {
            switch self {
            case .ssdp: 1_900
            case .wsd: 3_702
            case .neighbours: nil
            }
        }
    }

    /// A property that the packet tells: `SERVER` of SSDP; `name`, `hardware` and `location` of ONVIF's scopes.
    package struct Text: Sendable, Hashable {
        package let key: String
        package let value: String

        package init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
    }

    package var speaker: Speaker
    /// The identifier of the device in the protocol: `uuid:` and usually a UUID.
    package var device: String
    /// Whether the device, or the services, leave.
    package var isGoodbye = false
    /// Whether the statement is of a whole device, and not of one of its services or of a device in it.
    package var isWhole: Bool
    /// The types of devices and services: `upnp:MediaRenderer:1`, `wsd:Computer`; none if only the device is named.
    package var types: [String] = []
    /// The URL of the description; empty if there is none.
    package var location = ""
    /// The seconds for which the statement holds; 0 if the protocol tells none.
    package var lifetime: UInt32 = 0
    package var texts: [Text] = []

    package init(_ speaker: Speaker, of device: String, isWhole: Bool) {
        (self.speaker, self.device, self.isWhole) = (speaker, device, isWhole)
    }
}

extension Statement {
    /// Reads the statements of a datagram.
    ///
    /// - Parameters:
    ///   - bytes: The datagram.
    ///   - speaker: The protocol.
    ///   - sender: The address of the sender, of 4 or 16 bytes: of several URLs, the one there counts.
    /// - Returns: The statements; none if the datagram is no message of a device.
    package static func all(
        of bytes: [UInt8], _ speaker: Speaker, from sender: [UInt8]
    ) -> [Statement] {
        switch speaker {
        case .ssdp: SSDPMessage(bytes).map { [Statement($0)] } ?? []
        case .wsd:
            WSDMessage(bytes).map { message in
                message.matches.map { Statement($0, isGoodbye: message.kind == .bye, from: sender) }
            } ?? []
        case .neighbours: []
        }
    }

    private init(_ message: SSDPMessage) {
        self.init(.ssdp, of: message.udn, isWhole: message.isOfRootDevice)
        isGoodbye = message.kind == .byebye
        types = [message.serviceType].compactMap(\.self)
        location = message.location ?? ""
        lifetime = UInt32(message.maxAge)
        texts = [message.server.map { Text("server", $0) }].compactMap(\.self)
    }

    private init(_ match: WSDMessage.Match, isGoodbye: Bool, from sender: [UInt8]) {
        self.init(.wsd, of: match.id, isWhole: true)
        self.isGoodbye = isGoodbye
        types = match.types
        let own = match.urls.first { (try? DescriptionAddress($0, from: sender)) != nil }
        location = own ?? match.urls.first ?? ""
        let camera = ONVIFScopes(match.scopes)
        texts = [
            ("name", camera.name), ("hardware", camera.hardware), ("location", camera.location),
        ]
        .compactMap { key, value in value.map { Text(key, $0) } }
    }
}
