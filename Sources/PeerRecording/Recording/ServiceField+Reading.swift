// The fields of a service, read from a line.
import FoundationEssentials
import PeerList

extension ServiceField: RecordedField {
    static var blank: Service {
        Service(id: .blank, name: "", type: "", domain: "")
    }

    func read(_ reader: inout JSONReader, into service: inout Service) throws(JSONError) {
        switch self {
        case .id: service.id = try reader.uuid()
        case .name: service.name = try reader.string()
        case .type: service.type = try reader.string()
        case .subtypes: service.subtypes = try reader.strings()
        case .domain: service.domain = try reader.string()
        case .port: service.port = try reader.port()
        case .txt: service.txt = try reader.txtRecord()
        }
    }

    func copy(from source: Service, to service: inout Service) {
        switch self {
        case .id: service.id = source.id
        case .name: service.name = source.name
        case .type: service.type = source.type
        case .subtypes: service.subtypes = source.subtypes
        case .domain: service.domain = source.domain
        case .port: service.port = source.port
        case .txt: service.txt = source.txt
        }
    }
}

extension JSONReader {
    fileprivate mutating func port() throws(JSONError) -> UInt16? {
        if try null() { return nil }
        guard let port = UInt16(exactly: try integer()) else {
            throw error("a port is from 0 to 65535")
        }
        return port
    }

    fileprivate mutating func txtRecord() throws(JSONError) -> TXTRecord {
        var pairs: [TXTRecord.Pair] = []
        try object { (reader, key) throws(JSONError) in
            pairs.append(TXTRecord.Pair(key: key, value: try reader.txtValue()))
        }
        return TXTRecord(pairs)
    }

    private mutating func txtValue() throws(JSONError) -> TXTRecord.Value {
        if try null() { return .none }
        skipSpace()
        guard peek == "{" else { return .text(try string()) }
        var bytes: Data?
        try object { (reader, key) throws(JSONError) in
            guard key == "base64" else { return try reader.skip() }
            bytes = Data(base64Encoded: try reader.string())
            guard bytes != nil else { throw reader.error("a value is not base 64") }
        }
        guard let bytes else { throw error("base64 is missing") }
        return .bytes(Array(bytes))
    }
}
