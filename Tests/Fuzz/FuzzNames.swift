// Fuzzes names: of services and hosts as they come over the network, and of types as users write them.
import CAvahi
import FoundationEssentials
import Glibc

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
        precondition(name.utf8.count <= 4 * 255, "no name in DNS is that long, escapes and all")
    }
    _ = SortKey(name: text, id: key.id) < SortKey(address: text, id: key.id)
}

/// What libavahi escapes is the label again; what it never wrote is a name all the same.
private func checkUnescaping(_ text: String) {
    _ = unescaped(text)
    let label = Array(text.utf8.prefix(63))
    guard !label.isEmpty, let whole = String(validating: label, as: UTF8.self) else { return }
    var escaped = [CChar](repeating: 0, count: 63 * 4 + 1)
    let written = unsafe escaped.withUnsafeMutableBufferPointer { buffer in
        var place = buffer.baseAddress
        var room = buffer.count
        return unsafe label.withUnsafeBytes { bytes in
            unsafe avahi_escape_label(
                bytes.bindMemory(to: CChar.self).baseAddress, label.count, &place, &room) != nil
        }
    }
    precondition(written, "a label that cannot be escaped")
    let name = String(
        decoding: escaped.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #if PLANTED
        if name.contains("\\.\\032") { fatalError("planted") }
    #endif
    let read = unescaped("\(name).local")
    precondition(Array(read.utf8) == Array("\(whole).local".utf8), "\(whole) is read as \(read)")
}

private func checkTypes(_ text: String) {
    guard let types = try? ServiceType.list(text) else { return }
    precondition(Set(types).count == types.count, "a type that is there twice")
    for type in types {
        let again = try? ServiceType(type.description)
        precondition(again == type, "\(type) is another one when it is read again")
    }
}
