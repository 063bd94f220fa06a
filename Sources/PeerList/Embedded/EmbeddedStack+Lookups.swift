// Lookups through the helper process, in the words of its protocol.
import StackProtocol

extension EmbeddedStack {
    func browseTypes(
        in domain: String?, path: LookupPath, receive: @escaping @Sendable (TypeEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        try open(.types(receive)) {
            .browseTypes($0, domain: domain ?? "", StackPath(path))
        }
    }

    func browseServices(
        ofType type: String, domain: String, path: LookupPath,
        receive: @escaping @Sendable (ServiceEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        try open(.services(receive)) {
            .browseServices($0, type: type, domain: domain, StackPath(path))
        }
    }

    func resolve(
        _ instance: ServiceInstance, path: LookupPath,
        receive: @escaping @Sendable (ResolveEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        try open(.resolve(receive)) { .resolve($0, StackInstance(instance), StackPath(path)) }
    }

    func browseRecords(
        _ type: RecordType, of name: String, path: LookupPath,
        receive: @escaping @Sendable (RecordEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        try open(.records(receive)) {
            .browseRecords($0, name: name, type: type.rawValue, StackPath(path))
        }
    }

    func publish(
        _ announcement: Announcement, path: LookupPath,
        receive: @escaping @Sendable (PublishEvent) -> Void
    ) throws(AvahiError) -> any Lookup {
        var txt: [UInt8] = []
        for string in announcement.txt {
            guard let length = UInt8(exactly: string.utf8.count) else { throw .invalidRecord }
            txt += [length] + string.utf8
        }
        let service = StackService(
            name: announcement.name, type: announcement.type,
            subtypes: announcement.subtypes, port: announcement.port, txt: txt)
        return try open(.publish(receive)) { .publish($0, service, StackPath(path)) }
    }
}

extension StackPath {
    fileprivate init(_ path: LookupPath) {
        let family: Int32 =
            switch path.family {
            case .ipv4: 0
            case .ipv6: 1
            case nil: -1
            }
        self.init(interface: path.interface ?? -1, family: family)
    }
}

extension StackInstance {
    fileprivate init(_ instance: ServiceInstance) {
        self.init(name: instance.name, type: instance.type, domain: instance.domain)
    }
}

extension ServiceInstance {
    /// A service as the helper names it.
    init(_ instance: StackInstance) {
        self.init(name: instance.name, type: instance.type, domain: instance.domain)
    }
}

extension LinkPath {
    /// A path as the helper numbers it; `nil` where it is not one path.
    init?(_ path: StackPath) {
        guard path.interface >= 0, path.family >= 0 else { return nil }
        self.init(interface: path.interface, family: path.family == 1 ? .ipv6 : .ipv4)
    }
}
