// Fuzzes names: of services and hosts as they come over the network, and of types as users write them.
import DNSMessages
import FoundationEssentials

@testable import PeerList

/// Called by libFuzzer with each input: a name, as text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNames(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    // Libavahi hands over C strings.
    let text = String(decoding: input.prefix { $0 != 0 }, as: UTF8.self)
    checkCanonical(text)
    checkUnescaping(text)
    checkTypes(text)
    return 0
}

private func checkCanonical(_ text: String) {
    let canonical = Identity.canonical(text)
    precondition(canonical.utf8.count + 1 >= text.utf8.count, "more than the final dot is gone")
    let upper = String(
        decoding: text.utf8.map { 0x61...0x7a ~= $0 ? $0 & 0xdf : $0 }, as: UTF8.self)
    precondition(Identity.canonical(upper) == canonical, "ASCII letters are not folded")
    let key = ServiceKey(name: text, type: "_http._tcp", domain: "local")
    precondition(key.fullName == "\(text)._http._tcp.local")
    precondition(key == ServiceKey(name: text, type: "_HTTP._tcp", domain: "LOCAL"))
    if let name = ProbeMessage.name(of: key) {
        precondition(name.bytes.count <= 255, "no name in DNS is that long")
    }
    _ = SortKey(name: text, id: key.id) < SortKey(address: text, id: key.id)
}

/// Names that libavahi escaped give the label again; names that it never wrote are names all the same.
private func checkUnescaping(_ text: String) {
    _ = unescaped(text)
    let label = Array(text.utf8.prefix(63))
    guard !label.isEmpty, let whole = String(validating: label, as: UTF8.self) else { return }
    let name = label.map(escaped).joined()
    #if PLANTED
        if name.contains("\\.\\032") { fatalError("planted") }
    #endif
    let read = unescaped("\(name).local")
    // Libavahi takes no label with a noncharacter, which then stays as it is written.
    let isTaken = !whole.unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint)
    let expected = isTaken ? whole : name
    precondition(Array(read.utf8) == Array("\(expected).local".utf8), "\(whole) is read as \(read)")
}

/// A byte of a label as libavahi writes it: letters, digits, hyphens and underscores as they are.
private func escaped(_ byte: UInt8) -> String {
    switch byte {
    case 0x2e, 0x5c: return "\\" + String(UnicodeScalar(byte))
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: return String(UnicodeScalar(byte))
    default:
        let digits = String(byte)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}

private func checkTypes(_ text: String) {
    guard let types = try? ServiceType.list(text) else { return }
    precondition(Set(types).count == types.count, "a type that is there twice")
    for type in types {
        let again = try? ServiceType(type.description)
        precondition(again == type, "\(type) is another one when it is read again")
    }
}
