// Fuzzes the file of expectations: any bytes are expectations, with which a list can be compared, or errors.
import FoundationEssentials
import PeerExpect
import PeerModel

/// Called by libFuzzer with each input: a file of expectations.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExpect(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let text = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    let (file, errors) = ExpectationFile.parse(text)
    precondition(file.expectations.count <= ExpectationFile.expectationLimit)
    precondition(errors.count <= ExpectationFile.errorLimit)
    let lines = errors.map(\.line)
    precondition(lines == lines.sorted() && lines.allSatisfy { $0 > 0 }, "no order of the lines")
    #if PLANTED
        if file.expectations.count > 1 { fatalError("planted") }
    #endif
    guard errors.isEmpty else { return 0 }
    precondition(file.expectations.allSatisfy { !$0.criteria.isEmpty && $0.time >= .zero })
    let result = ExpectationResult(file, of: devices, at: Timestamp(microseconds: 0))
    for format in ExpectationFormat.allCases {
        let text = result.text(format)
        precondition(text.hasSuffix("\n") && !text.contains("\u{1B}"), "\(format)")
    }
    return 0
}

private let devices = [
    ListSection(
        id: "local",
        items: (0..<4).map { number in
            let host = ["nas.local", "tv.local", "nas-2.local", "\u{1B}[2J|.local"][number]
            let id = Identity.uuid(forName: host)
            let time = Timestamp(microseconds: 0)
            let service = ServiceKey(name: "a", type: "_http._tcp", domain: "local")
            return .peer(
                Peer(
                    id: id, name: String(host.dropLast(6)), host: host, presence: .present,
                    identity: Identity(source: .hostName, value: host),
                    addresses: ["10.0.0.\(number)", "fd00::\(number)"],
                    services: [
                        Service(
                            id: service.id, name: "a", type: "_http._tcp", domain: "local", port: 80
                        )
                    ], firstSeen: time, lastSeen: time))
        })
]
