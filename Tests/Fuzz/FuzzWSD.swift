// Fuzzes the XML of devices: messages of WS-Discovery, metadata, and descriptions of UPnP.
import SilentMessages

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWSD(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    guard let root = try? XMLReader.read(bytes) else {
        precondition(WSDMessage(bytes) == nil, "a message that is not XML")
        return 0
    }
    precondition(check(root, depth: 1) <= XMLReader.elementLimit, "too many elements")
    for description in [
        try? DeviceDescription(upnp: bytes), try? DeviceDescription(metadata: bytes),
    ] {
        guard let description else { continue }
        precondition(Set(description.fields.map(\.key)).count == description.fields.count)
        check(description.fields.map(\.value), limit: DeviceDescription.Key.allCases.count)
        check([description.type].compactMap(\.self), limit: 1)
    }
    if let message = WSDMessage(bytes) { check(message) }
    return 0
}

/// Checks an element and the elements in it; returns their number.
private func check(_ element: XMLElement, depth: Int) -> Int {
    precondition(depth <= XMLReader.depthLimit, "too deep")
    precondition(element.text.utf8.count <= XMLReader.textLimit, "a long text")
    precondition(element.name.local.utf8.count <= XMLReader.nameLimit, "a long name")
    return element.children.reduce(1) { $0 + check($1, depth: depth + 1) }
}

/// Checks that texts are printable and within bounds; a type or an identifier has a prefix before its 255 bytes.
private func check(_ texts: [String], limit: Int) {
    precondition(texts.count <= limit, "too many values")
    for text in texts {
        precondition(1...String.valueLimit + 10 ~= text.utf8.count, "a text out of bounds")
        precondition(text.unicodeScalars.allSatisfy(\.isPrintable), "a text not printable")
    }
}

private func check(_ message: WSDMessage) {
    precondition(1...WSDMessage.matchLimit ~= message.matches.count)
    for match in message.matches {
        check([match.endpoint, match.id], limit: 2)
        check(match.types, limit: WSDMessage.typeLimit)
        check(match.scopes, limit: WSDMessage.scopeLimit)
        check(match.urls, limit: WSDMessage.addressLimit)
        let camera = ONVIFScopes(match.scopes)
        check([camera.name, camera.hardware, camera.location].compactMap(\.self), limit: 3)
        let request = try? XMLReader.read(WSDRequest.metadata(of: match.endpoint, uuid: "1"))
        precondition(request?["Header", "To"]?.text == match.endpoint, "it is asked otherwise")
        #if PLANTED
            if match.metadataVersion ?? 1 != 1 { fatalError("planted") }
        #endif
    }
}
