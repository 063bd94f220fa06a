// Which texts are service types, and what is said of the others.
import Testing

@testable import PeerList

@Suite struct ServiceTypeTests {
    @Test(arguments: [
        ("ssh", "_ssh._tcp"), ("SSH", "_ssh._tcp"), ("_ssh._tcp", "_ssh._tcp"),
        ("_SSH._TCP.", "_ssh._tcp"), ("vnc", "_rfb._tcp"), ("sip", "_sip._udp"),
        ("_bogus._udp", "_bogus._udp"), ("_a1._tcp", "_a1._tcp"), ("_x-1-y._tcp", "_x-1-y._tcp"),
        ("_123456789abcdef._tcp", "_123456789abcdef._tcp"),
        ("_androidtvremote2._tcp", "_androidtvremote2._tcp"),
        ("_some_thing._tcp", "_some_thing._tcp"),
        ("_printer._sub._http._tcp", "_printer._sub._http._tcp"),
        ("_a b._sub._http._tcp", ""), ("_färbe._sub._ipp._tcp", "_färbe._sub._ipp._tcp"),
    ])
    func `a type is read from its full name or a short one`(text: String, expected: String) throws {
        let type = try? ServiceType(text)
        #expect(type?.description ?? "" == expected)
    }

    @Test func `a subtype is kept apart from its type`() throws {
        let type = try ServiceType("_printer._sub._http._tcp")
        #expect(type.name == "_http._tcp")
        #expect(type.subtype == "_printer")
        #expect(try ServiceType("_http._tcp").subtype == nil)
    }

    @Test(arguments: [
        "", ".", "..", "bogus", "_", "_._tcp", "_a._tcp", "_ssh", "_ssh._tcp.local", "ssh._tcp",
        "_tcp",
        "_ssh_tcp", "_ssh._tcp._tcp", "_-a._tcp", "_a-._tcp", "_a--b._tcp", "_123._tcp",
        "_a b._tcp",
        "_ä._tcp", "_1234567890abcdef._tcp", "_sub._http._tcp", "._sub._http._tcp",
        "_x._y._http._tcp",
        "printer._sub._http._tcp", "_p._sub._http._tcp", "_a\\b._sub._http._tcp",
        "_a\u{7}._sub._http._tcp", "_ssh._tcp ",
        "_x._sub._y._sub._http._tcp",
    ])
    func `what is no type is refused, and it is said what to do`(text: String) {
        let error = #expect(throws: InvalidServiceType.self) { try ServiceType(text) }
        #expect(error?.text == text)
        #expect((error?.reason.count ?? 0) > 20)
    }

    @Test(arguments: [
        ("htpp", "'http'"), ("_ssh", "'_ssh._tcp'"), ("ssh.tcp", "'_ssh._tcp'"),
        ("ssh._tcp", "'_ssh._tcp'"),
        ("_http._tcp.local", "'_http._tcp'"), ("_http._tcp.local", "'--domain local'"),
        ("printer._sub._http._tcp", "'_printer._sub._http._tcp'"),
        ("frobnicate", "'_frobnicate._tcp'"),
        ("ssh", ""),
    ])
    func `the advice names what was probably meant`(text: String, advice: String) {
        do {
            #expect(try ServiceType(text).description == "_ssh._tcp")
        } catch {
            #expect(error.reason.contains(advice), "\(error)")
        }
    }

    @Test func `a list is read at its commas, and what stands twice counts once`() throws {
        #expect(
            try ServiceType.list("ssh, _ipp._tcp ,ssh").map(\.description) == [
                "_ssh._tcp", "_ipp._tcp",
            ])
        #expect(throws: InvalidServiceType.self) { try ServiceType.list("ssh,") }
        #expect(throws: InvalidServiceType.self) { try ServiceType.list("") }
    }

    @Test func `the table of known types is sorted, valid and without double names`() throws {
        let types = KnownServiceType.all.map(\.type)
        #expect(types == types.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
        #expect(Set(types).count == types.count)
        #expect(types.count >= 80)
        let names = KnownServiceType.all.flatMap(\.shortNames)
        #expect(Set(names).count == names.count)
        for known in KnownServiceType.all {
            #expect(try ServiceType(known.type).description == known.type)
            for name in known.shortNames {
                #expect(try ServiceType(name).description == known.type)
            }
            #expect(!known.title.isEmpty)
            #expect(KnownServiceType.of(known.type) == known)
        }
    }

    @Test func `the nearest name is the one that lacks or adds the fewest letters`() {
        let names = ["json", "plain", "sort", "http", "https", "ftp"]
        #expect(nearestName(to: "jsno", among: names) == "json")
        #expect(nearestName(to: "pl", among: names) == nil)
        #expect(nearestName(to: "pla", among: names) == "plain")
        #expect(nearestName(to: "htp", among: names) == "http")
        #expect(nearestName(to: "zzzz", among: names) == nil)
        #expect(nearestName(to: "", among: names) == nil)
        #expect(nearestName(to: String(repeating: "x", count: 10_000), among: names) == nil)
    }
}
