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
        type = device["deviceType"]?.text.tidied.flatMap(SSDPMessage.serviceType)
    }
}
