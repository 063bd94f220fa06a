// Reads the metadata of devices that speak WS-Discovery.

extension DeviceDescription {
    /// Reads the answer to a request for metadata (DPWS 1.1, section 4), within the bounds of ``XMLReader``.
    package init(metadata bytes: [UInt8]) throws(XMLReader.Refusal) {
        let envelope = try XMLReader.read(bytes)
        guard envelope.name.local == "Envelope", let metadata = envelope["Body", "Metadata"] else {
            throw .otherDocument
        }
        let sections = metadata.all("MetadataSection")
        let device = sections.lazy.compactMap { $0["ThisDevice"] }.first
        let model = sections.lazy.compactMap { $0["ThisModel"] }.first
        let hosts = sections.compactMap { $0["Relationship"] }.flatMap { $0.all("Host") }
        let computer = hosts.lazy.compactMap { $0["Computer"]?.text }.first.map(Self.computer)
        setFields { key in
            switch key {
            case .friendlyName: device?["FriendlyName"]?.text
            case .firmwareVersion: device?["FirmwareVersion"]?.text
            case .serialNumber: device?["SerialNumber"]?.text
            case .manufacturer: model?["Manufacturer"]?.text
            case .manufacturerURL: model?["ManufacturerUrl"]?.text
            case .modelName: model?["ModelName"]?.text
            case .modelNumber: model?["ModelNumber"]?.text
            case .modelDescription: nil
            case .presentationURL: model?["PresentationUrl"]?.text
            case .udn:
                hosts.first?["EndpointReference", "Address"]?.text.tidied.flatMap(
                    DeviceID.canonical)
            case .computerName, .workgroup, .domain: computer?[key]
            }
        }
        type = WSDType.visible(hosts.flatMap { $0["Types"]?.types ?? [] }).first
    }

    /// Divides what Windows and its likes tell of a computer: `NAME/Workgroup:WORKGROUP` or `NAME/Domain:DOMAIN`.
    private static func computer(_ text: String) -> [Key: String] {
        let parts = text.split(separator: "/", maxSplits: 1)
        var values: [Key: String] = [:]
        values[.computerName] = parts.first.map(String.init)
        let rest = parts.dropFirst().first
        values[.workgroup] = rest?.dropping(prefix: "workgroup:").map(String.init)
        values[.domain] = rest?.dropping(prefix: "domain:").map(String.init)
        return values
    }
}
