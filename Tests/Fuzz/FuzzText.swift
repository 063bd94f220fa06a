// Fuzzes TXT records: any strings are attributes, which are written and read back as they are.
import FoundationEssentials
import PeerModel
import PeerRecording

/// Called by libFuzzer with each input: strings, each behind a byte with its length.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzText(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    var strings: [[UInt8]] = []
    var rest = input[...]
    while let length = rest.popFirst() {
        strings.append(Array(rest.prefix(Int(length))))
        rest = rest.dropFirst(Int(length))
    }
    let record = TXTRecord(strings: strings)
    check(record, of: strings)
    checkOrder(record, of: strings)
    checkLine(record)
    return 0
}

private func check(_ record: TXTRecord, of strings: [[UInt8]]) {
    precondition(record.pairs.count <= strings.count, "more attributes than strings")
    var keys: Set<String> = []
    for pair in record.pairs {
        precondition(!pair.key.isEmpty, "an attribute without a key")
        precondition(keys.insert(pair.key.lowercased()).inserted, "a key that is there twice")
        precondition(record[pair.key] == pair.value, "another one has the key")
        precondition(record[pair.key.uppercased().lowercased()] == pair.value || !isASCII(pair.key))
        if case .bytes(let bytes) = pair.value {
            precondition(String(validating: bytes, as: UTF8.self) == nil, "bytes that are a text")
        }
    }
    #if PLANTED
        if case .bytes? = record["A"], record.pairs.count > 2 { fatalError("planted") }
    #endif
}

/// Old daemons turn the strings round, which is no change unless a key is there twice.
private func checkOrder(_ record: TXTRecord, of strings: [[UInt8]]) {
    let isEachKeyThereOnce = record.pairs.count == strings.count { !$0.isEmpty && $0[0] != 0x3d }
    let turned = TXTRecord(strings: strings.reversed())
    precondition(!isEachKeyThereOnce || turned == record, "the order counts")
    precondition(turned != record || turned.hashValue == record.hashValue, "unlike hashes")
}

private func checkLine(_ record: TXTRecord) {
    let service = Service(
        id: Identity.uuid(forName: "s"), name: "s", type: "_http._tcp", domain: "local", port: 1,
        txt: record)
    let time = Timestamp(microseconds: 0)
    let peer = Peer(
        id: Identity.uuid(forName: "h"), name: "h", host: "h.local", presence: .present,
        identity: Identity(source: .hostName, value: "h.local"), services: [service],
        firstSeen: time, lastSeen: time)
    let sections = [ListSection(id: "local", items: [.peer(peer)])]
    var list = RecordedList()
    do {
        try list.apply(RecordedLine(beginning(with: sections, .device), grouping: .device))
    } catch {
        fatalError("what was written is not read: \(error)")
    }
    guard let txt = list.items[peer.id]?.peer.services.first?.txt else {
        fatalError("what was written is not there")
    }
    precondition(txt.pairs == record.pairs, "\(record.pairs) is read as \(txt.pairs)")
}

private func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
