// The values of fields that are objects: identities, vouchings, views of observers and TXT records.
import FoundationEssentials
import PeerModel

extension Identity: JSONObject {
    static let fields: [Field<Identity>] = [
        Field("source", { $0.source }, { $0.source = $1 }),
        Field(ifSet: "type", { $0.type }, { $0.type = $1 }),
        Field(ifSet: "key", { $0.key }, { $0.key = $1 }),
        Field("value", { $0.value }, { $0.value = $1 }),
    ]
    static let blank = Identity(source: .hostName, value: "")
    static let incompleteness: String? = "an identity has a source and a value"
}

extension Vouching: JSONObject {
    static let fields: [Field<Vouching>] = [
        Field("by", { $0.rule }, { $0.rule = $1 }),
        Field(ifSet: "sender", { $0.sender }, { $0.sender = $1 }),
        Field(ifSet: "name", { $0.name }, { $0.name = $1 }),
        Field(ifSet: "mac", { $0.mac }, { $0.mac = $1 }),
        Field(ifSet: "since", { $0.since }, { $0.since = $1 }),
    ]
    static let blank = Vouching(.unheard)
}

extension DeviceClaim: JSONObject {
    static let fields: [Field<DeviceClaim>] = [
        Field(ifSet: "name", { $0.name }, { $0.name = $1 }),
        Field(ifSet: "host", { $0.host }, { $0.host = $1 }),
        Field(ifSet: "kind", { $0.kind }, { $0.kind = $1 }),
    ]
    static let blank = DeviceClaim()
}

extension PeerView: JSONObject {
    static let fields: [Field<PeerView>] = [
        Field("observer", { $0.name.observer }, { $0.name.observer = $1 }),
        Field("host", { $0.host }, { $0.host = $1 }),
        Field("site", { $0.name.site }, { $0.name.site = $1 }),
        Field("presence", { $0.presence }, { $0.presence = $1 }),
        Field("since", { $0.since }, { $0.since = $1 }),
        Field("interfaces", isRequired: false, { $0.interfaces }, { $0.interfaces = $1 }),
        Field(ifSet: "vouchedBy", { $0.vouchedBy }, { $0.vouchedBy = $1 }),
        Field(ifSet: "claims", { $0.claim }, { $0.claim = $1 }),
    ]
    static let blank = PeerView(
        name: ObserverName(site: "", observer: ""), host: "", presence: .unknown,
        since: Timestamp(microseconds: 0))
}

/// The verdicts on addresses as an object, in the order of the addresses as texts.
extension [String: Reach]: JSONCodable {
    func write(to writer: inout JSONWriter) {
        writer.object { object in
            for (address, reach) in sorted(by: { $0.key < $1.key }) { object.write(address, reach) }
        }
    }

    static func read(_ reader: inout JSONReader) throws(LineError) -> [String: Reach] {
        var reach: [String: Reach] = [:]
        try reader.object { (reader, address) throws(LineError) in
            reach[address] = try Reach.read(&reader)
        }
        return reach
    }
}

/// A TXT record as an object of its attributes: text as a string, other bytes in base 64, a key without
/// a value as `null`.
extension TXTRecord: JSONCodable {
    func write(to writer: inout JSONWriter) {
        writer.object { object in
            forEachAttribute { key, kind, value in
                object.key(utf8: key)
                switch kind {
                case .none: object.append(plain: "null")
                case .text: object.string(utf8: value)
                case .bytes:
                    let data = unsafe value.withUnsafeBufferPointer { unsafe Data($0) }
                    object.object { $0.write("base64", data.base64EncodedString()) }
                }
                object.needsComma = true
            }
        }
    }

    static func read(_ reader: inout JSONReader) throws(LineError) -> TXTRecord {
        var pairs: [Pair] = []
        try reader.object { (reader, key) throws(LineError) in
            pairs.append(Pair(key: key, value: try readValue(&reader)))
        }
        return TXTRecord(pairs)
    }

    private static func readValue(_ reader: inout JSONReader) throws(LineError) -> Value {
        if try reader.null() { return .none }
        reader.skipSpace()
        guard reader.peek == "{" else { return .text(try reader.string()) }
        var bytes: Data?
        try reader.object { (reader, key) throws(LineError) in
            guard key == "base64" else { return try reader.skip() }
            bytes = Data(base64Encoded: try reader.string())
            guard bytes != nil else { throw reader.error("a value is not base 64") }
        }
        if let bytes { return .bytes(Array(bytes)) }
        throw reader.error("base64 is missing")
    }

    func isExactly(_ other: TXTRecord) -> Bool {
        if hasSameBytes(as: other) { return true }
        let (pairs, others) = (pairs, other.pairs)
        return pairs.count == others.count
            && pairs.allSatisfy { pair in others.contains { $0.isExactly(pair) } }
    }
}

extension TXTRecord.Pair {
    fileprivate func isExactly(_ other: TXTRecord.Pair) -> Bool {
        guard key.isExactly(other.key) else { return false }
        if case .text(let text) = value, case .text(let otherText) = other.value {
            return text.isExactly(otherText)
        }
        return value == other.value
    }
}
