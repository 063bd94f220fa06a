// Reads the device description of UPnP.

extension DeviceDescription {
    /// Reads the document at the location that a device announces (UPnP Device Architecture 2.0, section 2.3), within the
    /// bounds of ``XMLReader``.
    package init(upnp bytes: [UInt8]) throws(XMLReader.Refusal) {
        let document = try XMLReader.read(bytes)
        guard document.name.local == "root", let device = document["device"] else {
            throw .otherDocument
        }
        setFields { key in
            let text = device[key.rawValue]?.text
            return key == .udn ? text?.tidied.flatMap(DeviceID.canonical) : text
        }
        add(device)
    }

    /// Adds the types of a device and of the devices in it, which are as deep as elements can be.
    private mutating func add(_ device: XMLElement) {
        func type(_ element: XMLElement, _ name: String) -> String? {
            element[name]?.text.tidied.flatMap(SSDPMessage.serviceType)
        }
        if let type = type(device, "deviceType") {
            deviceTypes.appendNew(type, limit: Self.deviceLimit)
        }
        for service in device["serviceList"]?.all("service") ?? [] {
            guard let type = type(service, "serviceType") else { continue }
            serviceTypes.appendNew(type, limit: Self.serviceLimit)
        }
        for inner in device["deviceList"]?.all("device") ?? [] {
            if let id = inner["UDN"]?.text.tidied.flatMap(DeviceID.canonical) {
                embedded.appendNew(id, limit: Self.deviceLimit)
            }
            add(inner)
        }
    }
}
