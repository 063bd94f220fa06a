// Fuzzes the parser of DNS messages: any bytes are a message within bounds, or none.
import DNSMessages

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMessages(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    guard let message = DNSMessage(bytes) else { return 0 }
    precondition(bytes.count <= DNSMessage.sizeLimit, "a message that is too long")
    let records = message.answers + message.authorities + message.additionals
    precondition(records.count + message.questions.count <= bytes.count / 5, "more than there is")
    for name in message.questions.map(\.name) + records.map(\.name) + records.compactMap(\.target) {
        precondition(DNSName(wire: name.bytes) == name, "a name that is none")
        precondition(DNSName(name.labels)?.bytes == name.bytes, "labels that are another name")
        precondition(
            DNSName(wire: name.bytes.map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }) == name,
            "the case makes a difference")
        _ = (name.text, name.serviceParts)
    }
    for record in records {
        precondition(record.type != DNSType.srv || record.target != nil && record.port != nil)
        #if PLANTED
            if record.target == record.name { fatalError("planted") }
        #endif
    }
    return 0
}
