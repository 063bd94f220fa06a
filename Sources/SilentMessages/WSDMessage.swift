// Reads what devices announce by WS-Discovery.

/// A message with which devices tell that they are there or leave (WS-Discovery 1.1, sections 4 to 6, and its draft of
/// April 2005, which most devices use).
///
/// The envelope is read within the bounds of ``XMLReader``. All values are printable, and at most 255 bytes long.
package struct WSDMessage: Sendable, Hashable {
    /// The maximum number of devices of a message; more are left out, as are other values beyond their limits.
    package static let matchLimit = 64
    /// The maximum number of types of a device.
    package static let typeLimit = 16
    /// The maximum number of scopes of a device.
    package static let scopeLimit = 32
    /// The maximum number of addresses of a device.
    package static let addressLimit = 8

    /// The occasion of a message, by the name of the element in its body.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The device is there.
        case hello = "Hello"
        /// The device leaves.
        case bye = "Bye"
        /// Devices answer a search.
        case probeMatches = "ProbeMatches"
        /// A device answers a question for its addresses.
        case resolveMatches = "ResolveMatches"
    }

    /// A device of a message.
    package struct Match: Sendable, Hashable {
        /// The address of the device's endpoint as the device writes it, as requests are to repeat it.
        package let endpoint: String
        /// The device's identifier: `uuid:…`, a UUID in lower case, or the endpoint's address if that is no UUID.
        package let id: String
        /// The types as users see them, such as `wsd:wsdp:Device`.
        package let types: [String]
        /// The URIs that tell where the device belongs, and of cameras more; see ``ONVIFScopes``.
        package let scopes: [String]
        /// The URLs at which the device can be asked for its metadata (`XAddrs`).
        package let urls: [String]
        /// The number that rises when the metadata change.
        package let metadataVersion: UInt32?
    }

    package let kind: Kind
    package let matches: [Match]

    private static let namespaces = [
        "http://schemas.xmlsoap.org/ws/2005/04/discovery",
        "http://docs.oasis-open.org/ws-dd/ns/discovery/2009/01",
    ]

    /// Reads a datagram; `nil` if it is no message of a device, such as a search, or none of its devices has an endpoint.
    package init?(_ bytes: [UInt8]) {
        guard let envelope = try? XMLReader.read(bytes), envelope.name.local == "Envelope",
            let content = envelope["Body"]?.children.first, let namespace = content.name.namespace,
            Self.namespaces.contains(namespace), let kind = Kind(rawValue: content.name.local)
        else { return nil }
        self.kind = kind
        let elements =
            switch kind {
            case .hello, .bye: [content]
            case .probeMatches: content.all("ProbeMatch")
            case .resolveMatches: content.all("ResolveMatch")
            }
        matches = elements.prefix(Self.matchLimit).compactMap(Match.init)
        guard !matches.isEmpty else { return nil }
    }
}

extension WSDMessage.Match {
    /// Reads a device; `nil` if it has no endpoint.
    fileprivate init?(_ element: XMLElement) {
        guard let endpoint = element["EndpointReference", "Address"]?.words.first?.token else {
            return nil
        }
        self.endpoint = endpoint
        id = DeviceID.canonical(endpoint) ?? endpoint
        types = WSDType.visible(element["Types"]?.types ?? [])
        scopes = Self.tokens(element["Scopes"], limit: WSDMessage.scopeLimit)
        urls = Self.tokens(element["XAddrs"], limit: WSDMessage.addressLimit)
        metadataVersion = element["MetadataVersion"]?.words.first.flatMap { UInt32(digits: $0) }
    }

    private static func tokens(_ element: XMLElement?, limit: Int) -> [String] {
        Array((element?.words ?? []).lazy.compactMap(\.token).prefix(limit))
    }
}

/// The types of WS-Discovery as users see them.
enum WSDType {
    /// The usual prefixes of the namespaces of device types.
    private static let prefixes = [
        "http://schemas.xmlsoap.org/ws/2006/02/devprof": "wsdp",
        "http://docs.oasis-open.org/ws-dd/ns/dpws/2009/01": "wsdp",
        "http://schemas.microsoft.com/windows/pub/2005/07": "pub",
        "http://schemas.microsoft.com/windows/2006/08/wdp/print": "wprt",
        "http://schemas.microsoft.com/windows/2006/08/wdp/scan": "wscn",
        "http://www.onvif.org/ver10/device/wsdl": "tds",
        "http://www.onvif.org/ver10/network/wsdl": "dn",
    ]

    /// Returns types such as `wsd:pub:Computer`, whatever prefix a message has for the namespace; a type of an unknown
    /// namespace has none.
    static func visible(_ names: [XMLName]) -> [String] {
        var types: [String] = []
        for name in names where types.count < WSDMessage.typeLimit {
            guard let local = name.local.token, local.utf8.count <= 64 else { continue }
            let prefix = name.namespace.flatMap { prefixes[$0] }.map { $0 + ":" } ?? ""
            let type = "wsd:" + prefix + local
            if !types.contains(type) { types.append(type) }
        }
        return types
    }
}
