// Tests which services and hosts are made of the records that were heard.
import DNSMessages
import HeardRecords
import PeerModel
import Testing

@Suite struct RecordServicesTests {
    private static let eth0 = NetworkInterface(index: 1, name: "eth0")
    private static let eth1 = NetworkInterface(index: 2, name: "eth1")
    private let web = ServiceKey(name: "Web", type: "_http._tcp", domain: "local")

    @Test func `a service is described on the first path that has a record, by the latest there`() {
        var table = RecordServices()
        let (first, second) = (path(Self.eth0), path(Self.eth1))
        apply(location("h2.local", on: Self.eth1), to: &table)
        #expect(table.location(of: web.id, on: [first, second])?.path == second)
        apply(location("h1.local"), to: &table)
        apply(location("h3.local"), to: &table)
        #expect(table.location(of: web.id, on: [first, second])?.location.host.text == "h3.local")
        #expect(table.location(of: web.id, on: [second])?.location.host.text == "h2.local")
        apply(location("h3.local", .removed(.replaced)), to: &table)
        #expect(table.location(of: web.id, on: [first, second])?.location.host.text == "h1.local")
    }

    @Test func `how an announcement has ended is remembered for ten seconds`() {
        var table = RecordServices()
        let path = path(Self.eth0)
        #expect(table.announcement(of: web.id, on: path) == .unheard)
        #expect(apply(pointer(), to: &table) == .announced(web, path))
        #expect(table.announcement(of: web.id)?.path == path)
        #expect(apply(pointer(.ending(.withdrawn)), to: &table) == .ending(web, path))
        #expect(table.announcement(of: web.id)?.path == nil)
        let end = RecordServices.Change.ended(web, path, .withdrawn)
        #expect(apply(pointer(.removed(.withdrawn)), to: &table, at: .seconds(1)) == end)
        #expect(table.announcement(of: web.id, on: path) == .ended(.withdrawn))
        apply(address("h1.local", 1), to: &table, at: .seconds(10))
        #expect(table.announcement(of: web.id, on: path) == .ended(.withdrawn))
        apply(address("h1.local", 1), to: &table, at: .seconds(11))
        #expect(table.announcement(of: web.id, on: path) == .unheard)
    }

    @Test(arguments: [
        ("_services._dns-sd._udp.local", "_services._dns-sd._udp.local"),
        ("_http._tcp.local", "_http._tcp.local"), ("_http._tcp.local", "Web._ipp._tcp.local"),
        ("_sub._http._tcp.local", "Web._http._tcp.local"),
        ("_printer._sub._http._tcp.local", "Web._http._tcp.local"),
        ("_http._tcp.local", "_sub._http._tcp.local"),
        ("_http._tcp.local", "Web._http._tcp.example"), ("h1.local", "Web._http._tcp.local"),
    ])
    func `a pointer that announces no service of its name changes nothing`(
        name: String, target: String
    ) {
        var table = RecordServices()
        let record = record(name, DNSType.ptr, wire(target).bytes)
        #expect(apply(record, to: &table) == nil)
    }

    @Test func `a resolution waits for the address of its host, unless the name is one`() {
        var table = RecordServices()
        for record in [pointer(), location("h1.local"), text()] { apply(record, to: &table) }
        #expect(table.resolution(of: web.id, on: [path(Self.eth0)]) == nil)
        #expect(apply(address("H1.local", 7), to: &table) == .addressed(host: "h1.local", nil))
        #expect(table.popWaiting(for: "h1.local") == [web.id])
        let resolution = table.resolution(of: web.id, on: [path(Self.eth0)])
        #expect(resolution?.address?.description == "10.0.0.7")
        #expect(table.addresses(of: "10.0.0.9").map(\.description) == ["10.0.0.9"])
        #expect(table.addresses(of: "h9.local").isEmpty)
    }

    @Test func `a service waits for one host, and while it is there`() {
        var table = RecordServices()
        for record in [pointer(), location("h1.local"), text()] { apply(record, to: &table) }
        #expect(table.resolution(of: web.id, on: [path(Self.eth0)]) == nil)
        apply(location("h2.local"), to: &table)
        #expect(table.resolution(of: web.id, on: [path(Self.eth0)]) == nil)
        #expect(table.popWaiting(for: "h1.local").isEmpty)
        #expect(table.popWaiting(for: "h2.local") == [web.id])
        #expect(table.popWaiting(for: "h2.local").isEmpty)
        #expect(table.resolution(of: web.id, on: [path(Self.eth0)]) == nil)
        apply(pointer(.removed(.withdrawn)), to: &table)
        apply(text(.removed(.withdrawn)), to: &table)
        for host in ["h1.local", "h2.local"] {
            apply(location(host, .removed(.withdrawn)), to: &table)
        }
        apply(address("h9.local", 1), to: &table, at: .seconds(10))
        #expect(table.popWaiting(for: "h2.local").isEmpty)
    }

    @Test func `a location that cannot be read is none`() {
        var table = RecordServices()
        let name = "Web._http._tcp.local"
        apply(record(name, DNSType.srv, [0, 0, 0, 0, 0, 80, 9]), to: &table)
        apply(location("h2.local", on: Self.eth1), to: &table)
        let found = table.location(of: web.id, on: [path(Self.eth0), path(Self.eth1)])
        #expect(found?.location.host.text == "h2.local")
    }

    @Test func `what others can make grow is bounded`() {
        var limits = RecordServices.Limits()
        (limits.names, limits.addresses, limits.txtSize) = (2, 3, 2)
        var table = RecordServices(limits)
        for number in 0..<5 { apply(address("h1.local", UInt8(number)), to: &table) }
        #expect(table.addresses(of: "h1.local").count == 3)
        for number in 0..<5 { apply(address("h\(number).local", 1), to: &table) }
        #expect((0..<5).count { !table.addresses(of: "h\($0).local").isEmpty } == 2)
        apply(text(), to: &table)
        #expect(table.latestText(of: web.id) == nil)
        for number in 0..<100 { apply(location("h\(number).local"), to: &table) }
        for number in 36..<100 {
            let host = table.location(of: web.id, on: [path(Self.eth0)])?.location.host.text
            #expect(host == "h\(135 - number).local")
            apply(location("h\(135 - number).local", .removed(.expired)), to: &table)
        }
        #expect(table.location(of: web.id, on: [path(Self.eth0)]) == nil)
    }
}

extension RecordServicesTests {
    @discardableResult
    private func apply(
        _ record: HeardRecord, to table: inout RecordServices, at time: Duration = .zero
    ) -> RecordServices.Change? { table.apply(record, at: time) }

    private func path(_ interface: NetworkInterface) -> NetworkPath {
        NetworkPath(interface: interface, family: .ipv4)
    }

    private func record(
        _ name: String, _ type: UInt16, _ data: [UInt8],
        _ change: RecordCache.Change.Kind = .added(ttl: 120),
        on interface: NetworkInterface = eth0
    ) -> HeardRecord {
        HeardRecord(
            name: wire(name), type: type, data: data, change, from: [10, 0, 0, 1], on: interface)
    }

    private func pointer(_ change: RecordCache.Change.Kind = .added(ttl: 120)) -> HeardRecord {
        record("_http._tcp.local", DNSType.ptr, wire("Web._http._tcp.local").bytes, change)
    }

    private func location(
        _ host: String, _ change: RecordCache.Change.Kind = .added(ttl: 120),
        on interface: NetworkInterface = eth0
    ) -> HeardRecord {
        let data = [0, 0, 0, 0, 0, 80] + wire(host).bytes
        return record("Web._http._tcp.local", DNSType.srv, data, change, on: interface)
    }

    private func text(_ change: RecordCache.Change.Kind = .added(ttl: 120)) -> HeardRecord {
        record("web._http._tcp.local", DNSType.txt, [3] + Array("a=1".utf8), change)
    }

    private func address(_ host: String, _ number: UInt8) -> HeardRecord {
        record(host, DNSType.a, [10, 0, 0, number])
    }

    private func wire(_ name: String) -> DNSName {
        guard let name = DNSName(name) else { fatalError("a name that DNS cannot carry") }
        return name
    }
}
