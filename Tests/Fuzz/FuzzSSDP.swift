// Fuzzes what a device of SSDP sends: its announcement, the location in it, and the answer of its server.
import SilentMessages

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSSDP(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    checkAnswer(bytes)
    checkAddress(String(decoding: bytes.prefix(2_000), as: UTF8.self))
    guard let message = SSDPMessage(bytes) else { return 0 }
    precondition(bytes.count <= SSDPMessage.sizeLimit, "a message that is too long")
    precondition(1...86_400 ~= message.maxAge, "a time out of bounds")
    precondition(message.udn.hasPrefix("uuid:") && message.udn.utf8.count <= 260)
    precondition(!message.isOfRootDevice || message.serviceType == nil, "a device is no type")
    let texts = [message.udn, message.usn, message.target, message.location, message.server]
    for text in texts.compactMap(\.self) + [message.serviceType ?? "-"] {
        precondition(!text.isEmpty && text.utf8.count <= 1_024, "a text out of bounds")
        precondition(text.unicodeScalars.allSatisfy(\.isPrintable), "a text not printable")
    }
    precondition(SSDPMessage(written(message)) == message, "it is read otherwise")
    checkAddress(message.location ?? "")
    #if PLANTED
        if message.kind == .answer && message.maxAge != 1_800 { fatalError("planted") }
    #endif
    return 0
}

/// Returns a datagram with the values of a message.
private func written(_ message: SSDPMessage) -> [UInt8] {
    let isAnswer = message.kind == .answer
    var lines = [isAnswer ? "HTTP/1.1 200 OK" : "NOTIFY * HTTP/1.1"]
    if !isAnswer { lines.append("NTS:ssdp:\(message.kind)") }
    lines += ["USN:\(message.usn)", "\(isAnswer ? "ST" : "NT"):\(message.target)"]
    lines.append("CACHE-CONTROL:max-age=\(message.maxAge)")
    if let location = message.location { lines.append("LOCATION:\(location)") }
    if let server = message.server { lines.append("SERVER:\(server)") }
    return Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
}

/// Whatever the URL is, a request goes to the sender, and has one line for each header.
private func checkAddress(_ url: String) {
    for sender in [[10, 0, 0, 1], [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]] {
        guard let address = try? DescriptionAddress(url, from: sender) else { continue }
        precondition(address.address == sender && address.port > 0, "it goes elsewhere")
        precondition(address.path.hasPrefix("/"))
        precondition(address.path.utf8.count <= DescriptionAddress.pathLimit, "a long path")
        let lines = address.request().split(separator: UInt8(ascii: "\n"))
        precondition(lines.count == 6, "a URL has made a line of its own")
    }
}

private func checkAnswer(_ bytes: [UInt8]) {
    var whole = HTTPAnswer()
    whole.append(bytes)
    whole.finish()
    var divided = HTTPAnswer()
    for start in stride(from: 0, to: bytes.count, by: 3) {
        divided.append(bytes[start..<min(start + 3, bytes.count)])
    }
    divided.finish()
    precondition(whole.progress == divided.progress, "how it is cut makes a difference")
    precondition(whole.progress != .needsMore, "an answer that has ended needs more")
    if case .body(let body) = whole.progress {
        precondition(body.count <= min(bytes.count, HTTPAnswer.bodyLimit), "more than there is")
    }
}
