// Tests the reading of descriptions: a renderer, a router, a computer, a printer, and what is refused.
import SilentMessages
import Testing

@Suite struct UPnPDescriptionTests {
    private func read(_ device: String) throws -> DeviceDescription {
        try DeviceDescription(
            upnp: Array(
                """
                <?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0">
                <specVersion><major>1</major><minor>0</minor></specVersion><device>\(device)</device></root>
                """.utf8))
    }

    @Test func `a renderer has its values and its type`() throws {
        let device = try read(
            """
            <deviceType>urn:schemas-upnp-org:device:MediaRenderer:1</deviceType>
            <friendlyName> Living
             room &amp; hall </friendlyName><manufacturer>Example</manufacturer>
            <manufacturerURL>http://example.com</manufacturerURL>
            <modelDescription>Renderer</modelDescription><modelName>R1</modelName>
            <modelNumber>1.2</modelNumber><serialNumber>0001</serialNumber>
            <UDN>uuid:5F9EC1B3-ED59-1900-4530-0005CD36B123</UDN><presentationURL>/</presentationURL>
            """)
        #expect(
            device.fields.map { "\($0.key.rawValue)=\($0.value)" } == [
                "friendlyName=Living room & hall", "manufacturer=Example",
                "manufacturerURL=http://example.com", "modelName=R1", "modelNumber=1.2",
                "modelDescription=Renderer", "serialNumber=0001",
                "UDN=uuid:5f9ec1b3-ed59-1900-4530-0005cd36b123", "presentationURL=/",
            ])
        #expect(device[.modelName] == "R1" && device[.workgroup] == nil)
        #expect(device.type == "upnp:MediaRenderer:1")
    }

    @Test func `a router has its own values, and not those of the devices in it`() throws {
        let router = try read(
            """
            <deviceType>urn:schemas-upnp-org:device:Gateway:1</deviceType><UDN>uuid:a</UDN>
            <deviceList><device><deviceType>urn:schemas-upnp-org:device:WAN:1</deviceType>
            <UDN>uuid:b</UDN><modelName>M</modelName></device></deviceList>
            """)
        #expect(router[.udn] == "uuid:a" && router[.modelName] == nil)
        #expect(router.type == "upnp:Gateway:1")
    }

    @Test func `values are cut to 255 bytes and made printable`()
        throws
    {
        let device = try read(
            """
            <friendlyName>\(String(repeating: "é", count: 300))</friendlyName>
            <modelName>a&#x9b;31m&#x2028;b</modelName><modelNumber>&#x85;</modelNumber>
            <UDN>2f402f80</UDN>
            """)
        #expect(device[.friendlyName] == String(repeating: "é", count: 127))
        #expect(device[.modelName] == "a 31m b")
        #expect(device[.modelNumber] == nil)
        #expect(device[.udn] == nil)
    }

    @Test(
        arguments: [
            ("<html><body/></html>", .otherDocument), ("<root/>", .otherDocument),
            ("<root><device>", .malformed),
            ("<!DOCTYPE root><root><device/></root>", .documentType),
        ] as [(String, XMLReader.Refusal)])
    func `another document is refused with its reason`(text: String, reason: XMLReader.Refusal) {
        #expect(throws: reason) { try DeviceDescription(upnp: Array(text.utf8)) }
    }
}

@Suite struct WSDMetadataTests {
    private func read(_ sections: String) throws -> DeviceDescription {
        try DeviceDescription(
            metadata: envelope(
                """
                <m:Metadata xmlns:m="http://schemas.xmlsoap.org/ws/2004/09/mex">\(sections)</m:Metadata>
                """))
    }

    private func relationship(_ content: String) -> String {
        "<m:MetadataSection><wsdp:Relationship>\(content)</wsdp:Relationship></m:MetadataSection>"
    }

    @Test func `a computer has its name and its workgroup`() throws {
        let computer = try read(
            """
            <m:MetadataSection><wsdp:ThisDevice><wsdp:FriendlyName>Microsoft Publication Service Device \
            Host</wsdp:FriendlyName><wsdp:FirmwareVersion>1.0</wsdp:FirmwareVersion>
            <wsdp:SerialNumber>20050718</wsdp:SerialNumber></wsdp:ThisDevice></m:MetadataSection>
            <m:MetadataSection><wsdp:ThisModel><wsdp:Manufacturer>Microsoft Corporation\
            </wsdp:Manufacturer><wsdp:ModelName>Computer</wsdp:ModelName><wsdp:ModelNumber>1\
            </wsdp:ModelNumber><wsdp:PresentationUrl>http://a/</wsdp:PresentationUrl></wsdp:ThisModel>
            </m:MetadataSection>
            """
                + relationship(
                    """
                    <wsdp:Host><wsa:EndpointReference><wsa:Address>urn:uuid:A</wsa:Address>\
                    </wsa:EndpointReference><wsdp:Types>pub:Computer</wsdp:Types>
                    <pub:Computer>DESKTOP-1/Workgroup:HOME</pub:Computer></wsdp:Host>
                    """))
        #expect(
            computer.fields.map { "\($0.key.rawValue)=\($0.value)" } == [
                "friendlyName=Microsoft Publication Service Device Host",
                "manufacturer=Microsoft Corporation", "modelName=Computer", "modelNumber=1",
                "serialNumber=20050718", "firmwareVersion=1.0", "UDN=uuid:A",
                "presentationURL=http://a/", "computerName=DESKTOP-1", "workgroup=HOME",
            ])
        #expect(computer.type == "wsd:pub:Computer")
    }

    @Test(arguments: [
        ("PC/Domain:example.local", "PC", nil, "example.local"), ("PC", "PC", nil, nil),
        ("PC/WORKGROUP:a/b", "PC", "a/b", nil), ("PC/Other:x", "PC", nil, nil), ("", nil, nil, nil),
    ])
    func `the text of a computer is divided`(
        text: String, name: String?, workgroup: String?, domain: String?
    ) throws {
        let computer = try read(
            relationship("<wsdp:Host><pub:Computer>\(text)</pub:Computer></wsdp:Host>"))
        #expect(computer[.computerName] == name)
        #expect(computer[.workgroup] == workgroup)
        #expect(computer[.domain] == domain)
    }

    @Test func `a printer has the types of its services`() throws {
        let printer = try read(
            relationship(
                """
                <wsdp:Host><wsdp:Types>wsdp:Device</wsdp:Types></wsdp:Host>
                <wsdp:Hosted xmlns:p="http://schemas.microsoft.com/windows/2006/08/wdp/print">
                <wsdp:Types>p:PrinterServiceType</wsdp:Types></wsdp:Hosted>
                """))
        #expect(printer.type == "wsd:wsdp:Device")
        #expect(printer.fields.isEmpty)
    }

    @Test func `a fault is no metadata`() {
        #expect(throws: XMLReader.Refusal.otherDocument) {
            try DeviceDescription(metadata: envelope("<soap:Fault/>"))
        }
    }
}
