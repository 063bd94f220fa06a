// The requests of the list to the stack in the helper process, and the events that it sends.

/// A request to the stack; a lookup or an announcement has a number until it is closed.
package enum StackRequest: StackMessage {
    /// The first message.
    case hello(version: UInt16, StackSettings)
    /// Browse for service types; an empty domain is the stack's own.
    case browseTypes(UInt32, domain: String, StackPath)
    /// Browse for the services of a type; an empty domain is the stack's own.
    case browseServices(UInt32, type: String, domain: String, StackPath)
    /// Resolve a service.
    case resolve(UInt32, ServiceInstance, StackPath)
    /// Browse for the records of a type under a name: A, TXT, AAAA or SRV, by their DNS numbers.
    case browseRecords(UInt32, name: String, type: UInt16, StackPath)
    /// Announce a service.
    case publish(UInt32, StackService, StackPath)
    /// Close the lookup or announcement with this number.
    case close(UInt32)

    package init(from fields: inout FieldReader) throws(FrameError) {
        switch try fields.read(UInt8.self) {
        case 1: self = .hello(version: try fields.version(), try fields.read())
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

/// An event of the stack; most events have the number of a lookup or an announcement.
package enum StackEvent: StackMessage {
    /// The state of the stack; while it claims the host name, browsing works and publishing does not yet.
    package enum State: UInt8, Field {
        case registering, running, collision
    }

    /// The result of an announcement; in a collision, the instance name is taken.
    package enum Publication: UInt8, Field {
        case established, collision
    }

    /// The first message.
    case hello(version: UInt16)
    /// The state of the stack and the host name.
    case state(State, host: String)
    /// A lookup or announcement failed with an error code of libavahi, at once or later.
    case failed(UInt32, code: Int32)
    /// A service type was found.
    case type(UInt32, type: String, domain: String)
    /// A service was found on a path.
    case appeared(UInt32, ServiceInstance, StackPath)
    /// A service is no longer announced on a path.
    case disappeared(UInt32, ServiceInstance, StackPath)
    /// A browse has reported all services that are known for now.
    case settled(UInt32)
    /// A service was resolved on an interface, or its resolution changed; `isCached` tells whether part
    /// of it came from the cache.
    ///
    /// `host` is as libavahi writes it; `address` has 4 or 16 bytes in network order, or none if it is not known;
    /// `txt` is the TXT record's data, with its strings in the announced order.
    case resolved(
        UInt32, interface: Int32, host: String, port: UInt16, address: [UInt8], txt: [UInt8],
        isCached: Bool)
    /// A service did not respond in time.
    case timedOut(UInt32)
    /// A record was added to the cache on a path, or removed from it; `data` is the data of the record, or
    /// empty if it exceeds ``FrameLimits/record``.
    case record(UInt32, data: [UInt8], StackPath, isThere: Bool)
    /// All cached records have been reported.
    case cacheExhausted(UInt32)
    /// The result of an announcement.
    case published(UInt32, Publication)
    /// The parts of the confinement that the system refused; sent once, if there are any.
    case unconfined(Confinement)

    package init(from fields: inout FieldReader) throws(FrameError) {
        switch try fields.read(UInt8.self) {
        case 1: self = .hello(version: try fields.version())
        case 2: self = .state(try fields.read(), host: try fields.read())
        case 3: self = .failed(try fields.read(), code: try fields.read())
        case 4: self = .type(try fields.read(), type: try fields.read(), domain: try fields.read())
        case 5: self = .appeared(try fields.read(), try fields.read(), try fields.read())
        case 6: self = .disappeared(try fields.read(), try fields.read(), try fields.read())
        case 7: self = .settled(try fields.read())
        case 8:
            self = .resolved(
                try fields.read(), interface: try fields.read(), host: try fields.read(),
                port: try fields.read(), address: try fields.address(), txt: try fields.read(),
                isCached: try fields.read())
        case 9: self = .timedOut(try fields.read())
        case 10:
            self = .record(
                try fields.read(), data: try fields.record(), try fields.read(),
                isThere: try fields.read())
        case 11: self = .cacheExhausted(try fields.read())
        case 12: self = .published(try fields.read(), try fields.read())
        case 13: self = .unconfined(try fields.read())
        case let kind: throw .unknownKind(kind)
        }
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        switch self {
        case .hello(let version): try fields.write(UInt8(1), version)
        case .state(let state, let host): try fields.write(UInt8(2), state, host)
        case .failed(let id, let code): try fields.write(UInt8(3), id, code)
        case .type(let id, let type, let domain): try fields.write(UInt8(4), id, type, domain)
        case .appeared(let id, let instance, let path):
            try fields.write(UInt8(5), id, instance, path)
        case .disappeared(let id, let instance, let path):
            try fields.write(UInt8(6), id, instance, path)
        case .settled(let id): try fields.write(UInt8(7), id)
        case .resolved(let id, let index, let host, let port, let address, let txt, let isCached):
            try fields.write(UInt8(8), id, index, host, port, address, txt, isCached)
        case .timedOut(let id): try fields.write(UInt8(9), id)
        case .record(let id, let data, let path, let isThere):
            try fields.write(UInt8(10), id, data, path, isThere)
        case .cacheExhausted(let id): try fields.write(UInt8(11), id)
        case .published(let id, let result): try fields.write(UInt8(12), id, result)
        case .unconfined(let missing): try fields.write(UInt8(13), missing)
        }
    }
}

/// The parts of the helper's confinement; a system may refuse any of them.
package struct Confinement: OptionSet, Field {
    package let rawValue: UInt8

    /// Creates a set of the known parts in a raw value.
    package init(rawValue: UInt8) { self.rawValue = rawValue & 15 }

    /// The helper is not root, or has no capabilities.
    package static let user = Confinement(rawValue: 1)
    /// The helper cannot gain privileges by starting a program.
    package static let privileges = Confinement(rawValue: 2)
    /// The helper's files and processes are limited.
    package static let limits = Confinement(rawValue: 4)
    /// The helper's system calls are filtered.
    package static let systemCalls = Confinement(rawValue: 8)
}
