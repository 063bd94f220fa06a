// Opens and closes what the list asks for.
import CAvahiCore
import StackProtocol

extension StackServer {
    /// Does what is asked for; what cannot be opened is told as failed.
    func take(_ request: StackRequest) {
        switch request {
        case .hello: break
        case .close(let id): objects.removeValue(forKey: id)?.close()
        case .browseTypes(let id, let domain, let path): browseTypes(id, domain, path)
        case .browseServices(let id, let type, let domain, let path):
            browseServices(id, type, domain, path)
        case .resolve(let id, let instance, let path): resolve(id, instance, path)
        case .browseRecords(let id, let name, let type, let path):
            browseRecords(id, name, type, path)
        case .publish(let id, let service, let path): publish(id, service, path)
        }
    }

    private func keep(_ id: UInt32, _ object: OpenObject?) {
        guard let object else {
            return pipe.send(.failed(id, code: unsafe avahi_server_errno(server)))
        }
        objects.updateValue(object, forKey: id)?.close()
    }

    private func browseTypes(_ id: UInt32, _ domain: String, _ path: StackPath) {
        keep(
            id,
            unsafe OpenObject(id, pipe, free: { unsafe avahi_s_service_type_browser_free($0) }) {
                unsafe avahi_s_service_type_browser_new(
                    server, path.interface, path.family, domain.isEmpty ? nil : domain,
                    AvahiLookupFlags(0), typeBrowsed, $0)
            })
    }

    private func browseServices(
        _ id: UInt32, _ type: String, _ domain: String, _ path: StackPath
    ) {
        keep(
            id,
            unsafe OpenObject(id, pipe, free: { unsafe avahi_s_service_browser_free($0) }) {
                unsafe avahi_s_service_browser_new(
                    server, path.interface, path.family, type, domain.isEmpty ? nil : domain,
                    AvahiLookupFlags(0), serviceBrowsed, $0)
            })
    }

    private func resolve(_ id: UInt32, _ instance: StackInstance, _ path: StackPath) {
        keep(
            id,
            unsafe OpenObject(id, pipe, free: { unsafe avahi_s_service_resolver_free($0) }) {
                unsafe avahi_s_service_resolver_new(
                    server, path.interface, path.family, instance.name, instance.type,
                    instance.domain, Int32(AVAHI_PROTO_UNSPEC), AvahiLookupFlags(0),
                    serviceResolved, $0)
            })
    }

    private func browseRecords(
        _ id: UInt32, _ name: String, _ type: UInt16, _ path: StackPath
    ) {
        guard let key = unsafe avahi_key_new(name, UInt16(AVAHI_DNS_CLASS_IN), type) else {
            return pipe.send(.failed(id, code: Int32(AVAHI_ERR_INVALID_DOMAIN_NAME)))
        }
        defer { unsafe avahi_key_unref(key) }
        keep(
            id,
            unsafe OpenObject(id, pipe, free: { unsafe avahi_s_record_browser_free($0) }) {
                unsafe avahi_s_record_browser_new(
                    server, path.interface, path.family, key, AvahiLookupFlags(0), recordBrowsed,
                    $0)
            })
    }
}
