// Writes the requests of WS-Discovery and WS-Transfer.

/// Requests to devices that speak WS-Discovery, each a SOAP envelope with the addressing of August 2004, which devices of
/// both versions of WS-Discovery accept.
package enum WSDRequest {
    private static let discovery = "http://schemas.xmlsoap.org/ws/2005/04/discovery"
    private static let devices = "http://schemas.xmlsoap.org/ws/2006/02/devprof"
    private static let addressing = "http://schemas.xmlsoap.org/ws/2004/08/addressing"

    /// Returns the datagrams that search for all devices (WS-Discovery 1.1, section 5.2). A search without a type is for
    /// all, but some devices answer only to one for the type of all devices (DPWS 1.1, section 4.1).
    ///
    /// - Parameter uuid: Returns a new UUID, by which answers refer to the search.
    /// - Returns: The datagrams.
    package static func probes(uuid: () -> String) -> [[UInt8]] {
        let device = "<d:Types xmlns:wsdp=\"\(devices)\">wsdp:Device</d:Types>"
        return ["", device].map { types in
            envelope(
                action: discovery + "/Probe", to: "urn:schemas-xmlsoap-org:ws:2005:04:discovery",
                uuid: uuid(), body: "<d:Probe xmlns:d=\"\(discovery)\">\(types)</d:Probe>")
        }
    }

    /// Returns a datagram that asks for the addresses of a device (WS-Discovery 1.1, section 6.2).
    ///
    /// - Parameters:
    ///   - endpoint: The address of the device's endpoint, as the device writes it.
    ///   - uuid: A new UUID, by which the answer refers to the question.
    /// - Returns: The datagram.
    package static func resolve(_ endpoint: String, uuid: String) -> [UInt8] {
        envelope(
            action: discovery + "/Resolve", to: "urn:schemas-xmlsoap-org:ws:2005:04:discovery",
            uuid: uuid,
            body: """
                <d:Resolve xmlns:d="\(discovery)"><a:EndpointReference><a:Address>\(escaped(endpoint))\
                </a:Address></a:EndpointReference></d:Resolve>
                """)
    }

    /// Returns the body of a POST request for the metadata of a device (DPWS 1.1, section 5.3).
    ///
    /// - Parameters:
    ///   - endpoint: The address of the device's endpoint, as the device writes it.
    ///   - uuid: A new UUID.
    /// - Returns: The body.
    package static func metadata(of endpoint: String, uuid: String) -> [UInt8] {
        envelope(
            action: "http://schemas.xmlsoap.org/ws/2004/09/transfer/Get", to: endpoint, uuid: uuid,
            body: "")
    }

    private static func envelope(action: String, to: String, uuid: String, body: String) -> [UInt8]
    {
        Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="\(addressing)">\
            <s:Header><a:Action>\(action)</a:Action>\
            <a:MessageID>urn:uuid:\(escaped(uuid))</a:MessageID><a:To>\(escaped(to))</a:To>\
            <a:ReplyTo><a:Address>\(addressing)/role/anonymous</a:Address></a:ReplyTo></s:Header>\
            <s:Body>\(body)</s:Body></s:Envelope>
            """.utf8)
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(character)
            }
        }.joined()
    }
}
