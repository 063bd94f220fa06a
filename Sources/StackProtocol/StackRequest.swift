// The requests of the list to the stack in the helper process.

/// A request to the stack; a lookup or an announcement has a number until it is closed.
package enum StackRequest: StackMessage {
    /// The first message.
    case hello(version: UInt16, StackSettings)
    /// Browse for service types; an empty domain is the stack's own.
    case browseTypes(UInt32, domain: String, StackPath)
    /// Browse for the services of a type; an empty domain is the stack's own.
    case browseServices(UInt32, type: String, domain: String, StackPath)
    /// Resolve a service.
    case resolve(UInt32, StackInstance, StackPath)
    /// Browse for the records of a type under a name: A, TXT, AAAA or SRV, by their DNS numbers.
    case browseRecords(UInt32, name: String, type: UInt16, StackPath)
    /// Announce a service.
    case publish(UInt32, StackService, StackPath)
    /// Close the lookup or announcement with this number.
    case close(UInt32)

    /// The version in a hello, or `nil` for other messages.
    package var helloVersion: UInt16? {
        if case .hello(let version, _) = self { version } else { nil }
    }

    package init(from fields: inout FieldReader) throws(FrameError) {
        switch try fields.read(UInt8.self) {
        case 1: self = .hello(version: try fields.read(), try fields.read())
        case 2:
            self = .browseTypes(try fields.read(), domain: try fields.read(), try fields.read())
        case 3:
            self = .browseServices(
                try fields.read(), type: try fields.read(), domain: try fields.read(),
                try fields.read())
        case 4: self = .resolve(try fields.read(), try fields.read(), try fields.read())
        case 5:
            let (id, name, type) = (
                try fields.read(UInt32.self), try fields.read(String.self),
                try fields.read(UInt16.self)
            )
            guard [1, 16, 28, 33].contains(type) else { throw .badValue }
            self = .browseRecords(id, name: name, type: type, try fields.read())
        case 6: self = .publish(try fields.read(), try fields.read(), try fields.read())
        case 7: self = .close(try fields.read())
        case let kind: throw .unknownKind(kind)
        }
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        switch self {
        case .hello(let version, let settings): try fields.write(UInt8(1), version, settings)
        case .browseTypes(let id, let domain, let path):
            try fields.write(UInt8(2), id, domain, path)
        case .browseServices(let id, let type, let domain, let path):
            try fields.write(UInt8(3), id, type, domain, path)
        case .resolve(let id, let instance, let path):
            try fields.write(UInt8(4), id, instance, path)
        case .browseRecords(let id, let name, let type, let path):
            try fields.write(UInt8(5), id, name, type, path)
        case .publish(let id, let service, let path): try fields.write(UInt8(6), id, service, path)
        case .close(let id): try fields.write(UInt8(7), id)
        }
    }
}
