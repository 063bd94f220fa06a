// Where the events of a lookup in the helper process go, as what the browser takes.
import StackProtocol

/// Who gets the events of something that is open in the helper.
enum EmbeddedReceiver {
    case types(@Sendable (TypeEvent) -> Void)
    case services(@Sendable (ServiceEvent) -> Void)
    case resolve(@Sendable (ResolveEvent) -> Void)
    case records(@Sendable (RecordEvent) -> Void)
    case publish(@Sendable (PublishEvent) -> Void)

    /// Hands an event on; one that does not belong here is passed over.
    func take(_ event: StackEvent) {
        switch self {
        case .types(let receive): TypeEvent(event).map(receive)
        case .services(let receive): ServiceEvent(event).map(receive)
        case .resolve(let receive): ResolveEvent(event).map(receive)
        case .records(let receive): RecordEvent(event).map(receive)
        case .publish(let receive): PublishEvent(event).map(receive)
        }
    }
}

extension StackEvent {
    /// The number of what it is about, or `nil` where it is about the stack.
    var id: UInt32? {
        switch self {
        case .hello, .state, .unconfined: nil
        case .failed(let id, _), .type(let id, _, _), .appeared(let id, _, _),
            .disappeared(let id, _, _), .settled(let id), .resolved(let id, _), .timedOut(let id),
            .record(let id, _, _, _), .cacheExhausted(let id), .published(let id, _):
            id
        }
    }
}

extension TypeEvent {
    fileprivate init?(_ event: StackEvent) {
        switch event {
        case .type(_, let type, let domain): self = .appeared(type: type, domain: domain)
        case .settled: self = .settled
        case .failed: self = .failed
        default: return nil
        }
    }
}

extension ServiceEvent {
    fileprivate init?(_ event: StackEvent) {
        switch event {
        case .appeared(_, let instance, let path):
            guard let path = LinkPath(path) else { return nil }
            self = .appeared(ServiceInstance(instance), path)
        case .disappeared(_, let instance, let path):
            guard let path = LinkPath(path) else { return nil }
            self = .disappeared(ServiceInstance(instance), path)
        case .settled: self = .settled
        case .failed: self = .failed
        default: return nil
        }
    }
}

extension ResolveEvent {
    fileprivate init?(_ event: StackEvent) {
        switch event {
        case .resolved(_, let found):
            let interface = NetworkInterface(index: found.interface)
            let resolution = Resolution(
                host: unescaped(found.host), port: found.port,
                txt: TXTRecord(data: found.txt),
                address: hostAddress(recordData: found.address, on: interface))
            self = .found(resolution, isCached: found.isCached)
        case .timedOut: self = .timedOut
        case .failed(_, let code): self = .failed(AvahiError(code: code))
        default: return nil
        }
    }
}

extension RecordEvent {
    fileprivate init?(_ event: StackEvent) {
        switch event {
        case .record(_, let data, let path, let isThere):
            guard let path = LinkPath(path) else { return nil }
            self = isThere ? .appeared(data: data, path) : .disappeared(data: data, path)
        case .cacheExhausted, .failed: self = .cacheExhausted
        default: return nil
        }
    }
}

extension PublishEvent {
    fileprivate init?(_ event: StackEvent) {
        switch event {
        case .published(_, .established): self = .established
        case .published(_, .collision): self = .collision
        case .failed(_, let code): self = .failed(AvahiError(code: code))
        default: return nil
        }
    }
}

extension TXTRecord {
    /// A record from its data: strings, each with its length in a byte before it.
    fileprivate init(data: [UInt8]) { self.init(strings: strings(ofTXTData: data)) }
}
