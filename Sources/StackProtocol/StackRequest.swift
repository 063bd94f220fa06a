// What the list asks of the stack in its helper process.

/// A request to the stack; what is opened bears a number until it is closed.
public enum StackRequest: StackMessage {
    /// The first message.
    case hello(version: UInt16, StackSettings)
    /// Browse for service types; an empty domain is the stack's own.
    case browseTypes(UInt32, domain: String, StackPath)
    /// Browse for the services of a type; an empty domain is the stack's own.
    case browseServices(UInt32, type: String, domain: String, StackPath)
    /// Look up where a service is.
    case resolve(UInt32, StackInstance, StackPath)
    /// Browse for the records of a type under a name: A, TXT, AAAA or SRV, by their numbers in DNS.
    case browseRecords(UInt32, name: String, type: UInt16, StackPath)
    /// Announce a service.
    case publish(UInt32, StackService, StackPath)
    /// Close what bears this number.
    case close(UInt32)

    /// The version that a hello says, or `nil` for any other message.
    public var helloVersion: UInt16? {
        if case .hello(let version, _) = self { version } else { nil }
    }

    /// Reads the fields of a request.
    public init(_ fields: inout FieldReader) throws(FrameError) {
        switch try fields.number(UInt8.self) {
        case 1: self = .hello(version: try fields.number(), try StackSettings(&fields))
        case 2:
            self = .browseTypes(
                try fields.number(), domain: try fields.text(), try StackPath(&fields))
        case 3:
            self = .browseServices(
                try fields.number(), type: try fields.text(), domain: try fields.text(),
                try StackPath(&fields))
        case 4:
            self = .resolve(
                try fields.number(), try StackInstance(&fields), try StackPath(&fields))
        case 5:
            let (id, name) = (try fields.number(UInt32.self), try fields.text())
            let type = try fields.number(UInt16.self)
            guard [1, 16, 28, 33].contains(type) else { throw .badValue }
            self = .browseRecords(id, name: name, type: type, try StackPath(&fields))
        case 6:
            self = .publish(
                try fields.number(), try StackService(&fields), try StackPath(&fields))
        case 7: self = .close(try fields.number())
        case let kind: throw .unknownKind(kind)
        }
    }

    /// Writes the fields of the request.
    public func write(_ fields: inout FieldWriter) throws(FrameError) {
        switch self {
        case .hello(let version, let settings):
            fields.begin(1, version)
            settings.write(&fields)
        case .browseTypes(let id, let domain, let path):
            fields.begin(2, id)
            try fields.put(domain)
            path.write(&fields)
        case .browseServices(let id, let type, let domain, let path):
            fields.begin(3, id)
            try fields.put(type)
            try fields.put(domain)
            path.write(&fields)
        case .resolve(let id, let instance, let path):
            fields.begin(4, id)
            try instance.write(&fields)
            path.write(&fields)
        case .browseRecords(let id, let name, let type, let path):
            fields.begin(5, id)
            try fields.put(name)
            fields.put(type)
            path.write(&fields)
        case .publish(let id, let service, let path):
            fields.begin(6, id)
            try service.write(&fields)
            path.write(&fields)
        case .close(let id):
            fields.begin(7, id)
        }
    }
}

extension FieldWriter {
    /// The kind of a message, and the number that all but one of them begin with.
    mutating func begin(_ kind: UInt8, _ number: some FixedWidthInteger) {
        put(kind)
        put(number)
    }
}
