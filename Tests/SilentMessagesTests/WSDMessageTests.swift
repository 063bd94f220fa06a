// Tests the reading of WS-Discovery: computers, printers, cameras, and what is refused.
import SilentMessages
import Testing

/// An envelope of SOAP around what it says, with the prefixes of the usual namespaces.
func envelope(header: String = "", _ body: String, discovery: String? = nil) -> [UInt8] {
    let discovery = discovery ?? "http://schemas.xmlsoap.org/ws/2005/04/discovery"
    return Array(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope" \
        xmlns:wsa="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:wsd="\(discovery)" \
        xmlns:wsdp="http://schemas.xmlsoap.org/ws/2006/02/devprof" \
        xmlns:pub="http://schemas.microsoft.com/windows/pub/2005/07">\
        <soap:Header>\(header)</soap:Header><soap:Body>\(body)</soap:Body></soap:Envelope>
        """.utf8)
}

/// The elements of a device's endpoint.
private func endpoint(_ address: String = "urn:uuid:0C5E8B16-3E2B-5C11-9B1A-001122334455") -> String
{
    "<wsa:EndpointReference><wsa:Address>\(address)</wsa:Address></wsa:EndpointReference>"
}

@Suite struct WSDMessageTests {
    @Test func `a Windows computer says hello`() throws {
        let message = try #require(
            WSDMessage(
                envelope(
                    header: """
                        <wsa:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</wsa:To>
                        <wsa:MessageID>urn:uuid:7c1a4f0e-0000-4000-8000-000000000001</wsa:MessageID>
                        <wsd:AppSequence InstanceId="1700000000" SequenceId="urn:uuid:a" MessageNumber="4"/>
                        """,
                    """
                    <wsd:Hello>\(endpoint())<wsd:Types>wsdp:Device pub:Computer</wsd:Types>
                    <wsd:XAddrs>http://192.168.1.7:5357/0c5e8b16-3e2b-5c11-9b1a-001122334455/</wsd:XAddrs>
                    <wsd:MetadataVersion>2</wsd:MetadataVersion></wsd:Hello>
                    """)))
        #expect(message.kind == .hello)
        let match = try #require(message.matches.first)
        #expect(message.matches.count == 1)
        #expect(match.endpoint == "urn:uuid:0C5E8B16-3E2B-5C11-9B1A-001122334455")
        #expect(match.id == "uuid:0c5e8b16-3e2b-5c11-9b1a-001122334455")
        #expect(match.types == ["wsd:wsdp:Device", "wsd:pub:Computer"])
        #expect(match.urls == ["http://192.168.1.7:5357/0c5e8b16-3e2b-5c11-9b1a-001122334455/"])
        #expect(match.scopes.isEmpty)
        #expect(match.metadataVersion == 2)
    }

    @Test func `a camera answers a probe, with prefixes of its own`() throws {
        let message = try #require(
            WSDMessage(
                envelope(
                    header: "<wsa:RelatesTo>urn:uuid:1</wsa:RelatesTo>",
                    """
                    <wsd:ProbeMatches xmlns:a="http://www.onvif.org/ver10/network/wsdl" \
                    xmlns:b="http://www.onvif.org/ver10/device/wsdl"><wsd:ProbeMatch>\(endpoint("uuid:CAM"))
                    <wsd:Types>a:NetworkVideoTransmitter b:Device</wsd:Types>
                    <wsd:Scopes>onvif://www.onvif.org/type/video_encoder
                     onvif://www.onvif.org/hardware/DS-2CD2143G0-I
                     onvif://www.onvif.org/name/Front%20door%20%C3%A9
                     onvif://www.onvif.org/location/country/china</wsd:Scopes>
                    <wsd:XAddrs>http://10.0.0.9/onvif/device_service http://[fe80::1]/o</wsd:XAddrs>
                    </wsd:ProbeMatch></wsd:ProbeMatches>
                    """)))
        #expect(message.kind == .probeMatches)
        let match = try #require(message.matches.first)
        #expect(match.id == "uuid:CAM" && match.endpoint == "uuid:CAM")
        #expect(match.types == ["wsd:dn:NetworkVideoTransmitter", "wsd:tds:Device"])
        #expect(match.urls == ["http://10.0.0.9/onvif/device_service", "http://[fe80::1]/o"])
        let scopes = ONVIFScopes(match.scopes)
        #expect(scopes.name == "Front door é")
        #expect(scopes.hardware == "DS-2CD2143G0-I")
        #expect(scopes.location == "country/china")
    }

    @Test func `types are named by their namespaces, unknown ones by their local name alone`()
        throws
    {
        let message = try #require(
            WSDMessage(
                envelope(
                    """
                    <wsd:Hello xmlns:p="http://schemas.microsoft.com/windows/2006/08/wdp/print" \
                    xmlns:s="http://schemas.microsoft.com/windows/2006/08/wdp/scan" \
                    xmlns:n="http://docs.oasis-open.org/ws-dd/ns/dpws/2009/01" xmlns:tds="urn:fake">\(endpoint())
                    <wsd:Types>p:PrintDeviceType s:ScanDeviceType n:Device wsdp:Device tds:Device x:Y Z \
                    p:\(String(repeating: "L", count: 65)) p:</wsd:Types></wsd:Hello>
                    """)))
        #expect(
            message.matches.first?.types == [
                "wsd:wprt:PrintDeviceType", "wsd:wscn:ScanDeviceType", "wsd:wsdp:Device",
                "wsd:Device", "wsd:Y", "wsd:Z",
            ])
    }

    @Test func `a bye, and the version of OASIS, are read`() throws {
        let bye = try #require(WSDMessage(envelope("<wsd:Bye>\(endpoint())</wsd:Bye>")))
        #expect(bye.kind == .bye && bye.matches.count == 1)
        let resolved = try #require(
            WSDMessage(
                envelope(
                    "<wsd:ResolveMatches><wsd:ResolveMatch>\(endpoint())</wsd:ResolveMatch></wsd:ResolveMatches>",
                    discovery: "http://docs.oasis-open.org/ws-dd/ns/discovery/2009/01")))
        #expect(resolved.kind == .resolveMatches)
        #expect(resolved.matches.first?.types == [])
    }

    @Test func `searches, and other documents, are no announcements`() {
        #expect(WSDRequest.probes { "1" }.allSatisfy { WSDMessage($0) == nil })
        #expect(WSDMessage(envelope("<wsd:Resolve>\(endpoint())</wsd:Resolve>")) == nil)
        #expect(WSDMessage(envelope("<wsd:Hello/>")) == nil)
        #expect(WSDMessage(envelope("<wsd:ProbeMatches/>")) == nil)
        #expect(WSDMessage(envelope("")) == nil)
        #expect(WSDMessage(envelope("<wsd:Hello>\(endpoint("a&#x9b;b"))</wsd:Hello>")) == nil)
        #expect(
            WSDMessage(envelope("<wsd:Hello>\(endpoint())</wsd:Hello>", discovery: "urn:x")) == nil)
        #expect(WSDMessage(Array("<a/>".utf8)) == nil)
        #expect(WSDMessage([]) == nil)
    }

    @Test func `numbers that do not fit are left out`() throws {
        let message = try #require(
            WSDMessage(
                envelope(
                    header: "<wsd:AppSequence InstanceId='4294967296' MessageNumber='1'/>",
                    "<wsd:Hello>\(endpoint())<wsd:MetadataVersion>-1</wsd:MetadataVersion></wsd:Hello>"
                )))
        #expect(message.matches.first?.metadataVersion == nil)
    }

    @Test func `lists end at their limits, and without values that are too long`() throws {
        let many = (0..<60).map { "u:\($0)" }.joined(separator: " ")
        let types = (0..<60).map { "T\($0)" }.joined(separator: " ")
        let long = "u:" + String(repeating: "x", count: 254)
        let full = """
            <wsd:ProbeMatch>\(endpoint())<wsd:Types>\(types)</wsd:Types>
            <wsd:Scopes>\(long) \(many)</wsd:Scopes><wsd:XAddrs>\(many)</wsd:XAddrs></wsd:ProbeMatch>
            """
        let others = String(
            repeating: "<wsd:ProbeMatch>\(endpoint())</wsd:ProbeMatch>", count: 70)
        let bytes = envelope("<wsd:ProbeMatches>\(full)\(others)</wsd:ProbeMatches>")
        let matches = try #require(WSDMessage(bytes)).matches
        #expect(matches.count == WSDMessage.matchLimit)
        #expect(matches[0].types.count == WSDMessage.typeLimit)
        #expect(matches[0].scopes == (0..<WSDMessage.scopeLimit).map { "u:\($0)" })
        #expect(matches[0].urls.count == WSDMessage.addressLimit)
    }

    @Test func `a scope that is cut is left out`() throws {
        let scopes = (0..<40).map { "u:\($0)" + String(repeating: "x", count: 150) }
        let message = try #require(
            WSDMessage(
                envelope(
                    "<wsd:Hello>\(endpoint())<wsd:Scopes>\(scopes.joined(separator: " "))</wsd:Scopes></wsd:Hello>"
                )))
        let read = try #require(message.matches.first?.scopes)
        #expect(read == Array(scopes.prefix(read.count)))
        #expect(read.count > 20)
    }
}

@Suite struct ONVIFScopesTests {
    @Test(arguments: [
        ("Front%20door", "Front door"), ("a%2Fb", "a/b"), ("IPC%c3%A9", "IPCé"), ("a/b", "a/b"),
        ("%1b%5B2J", nil), ("a%00b", nil), ("%ff", nil), ("%", nil), ("%2", nil), ("%zz", nil),
        ("%+1", nil), ("", nil), ("%20", nil), ("%C2%9B", nil),
    ])
    func `a name is decoded, and refused if it is not printable`(encoded: String, name: String?) {
        #expect(ONVIFScopes(["onvif://www.onvif.org/name/" + encoded]).name == name)
    }

    @Test func `the model is the hardware, or else a scope of its own`() {
        let model = "onvif://www.onvif.org/Model/631GA"
        #expect(ONVIFScopes([model]).hardware == "631GA")
        #expect(ONVIFScopes([model, "onvif://www.onvif.org/hardware/M1"]).hardware == "M1")
    }

    @Test func `the first valid scope of a category counts, and other scopes do not`() {
        let scopes = ONVIFScopes([
            "onvif://example.com/name/x", "http://www.onvif.org/name/x",
            "onvif://www.onvif.org/Profile/Streaming", "onvif://www.onvif.org/name/%00",
            "ONVIF://www.onvif.org/name/A", "onvif://www.onvif.org/name/B",
        ])
        #expect(scopes.name == "A")
        #expect(scopes.hardware == nil && scopes.location == nil)
    }
}

@Suite struct WSDRequestTests {
    @Test func `probes ask for all types, and for the type of all devices`() throws {
        let probes = try WSDRequest.probes { "0c5e8b16-3e2b-4c11-9b1a-001122334455" }
            .map(XMLReader.read)
        let probe = probes[0]
        #expect(
            probe["Header", "MessageID"]?.text == "urn:uuid:0c5e8b16-3e2b-4c11-9b1a-001122334455")
        #expect(
            probe["Header", "Action"]?.text
                == "http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe")
        let body = try #require(probe["Body", "Probe"])
        #expect(body.name.namespace == "http://schemas.xmlsoap.org/ws/2005/04/discovery")
        #expect(body.children.isEmpty)
        #expect(
            probes[1]["Body", "Probe", "Types"]?.types == [
                XMLName("Device", in: "http://schemas.xmlsoap.org/ws/2006/02/devprof")
            ])
    }

    @Test(arguments: ["urn:uuid:0C5E8B16-3E2B-5C11-9B1A-001122334455", "http://a/?b=1&c=<d>]]>"])
    func `a request for metadata names the endpoint as the device writes it`(endpoint: String)
        throws
    {
        let request = try XMLReader.read(WSDRequest.metadata(of: endpoint, uuid: "1"))
        #expect(request["Header", "To"]?.text == endpoint)
        #expect(request["Header", "MessageID"]?.text == "urn:uuid:1")
        #expect(
            request["Header", "Action"]?.text
                == "http://schemas.xmlsoap.org/ws/2004/09/transfer/Get")
        #expect(request["Body"]?.children.isEmpty == true)
    }
}
