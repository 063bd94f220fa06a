// Tests the parsing of service types and the advice for invalid ones.
import PeerModel
import Testing

@Suite struct ServiceTypeTests {
    @Test(arguments: [
        ("ssh", "_ssh._tcp"), ("SSH", "_ssh._tcp"), ("_ssh._tcp", "_ssh._tcp"),
        ("_SSH._TCP.", "_ssh._tcp"), ("vnc", "_rfb._tcp"), ("sip", "_sip._udp"),
        ("homekit", "_hap._tcp"), ("hap", "_hap._tcp"), ("chromecast", "_googlecast._tcp"),
        ("_bogus._udp", "_bogus._udp"), ("_a1._tcp", "_a1._tcp"), ("_x-1-y._tcp", "_x-1-y._tcp"),
        ("_123456789abcdef._tcp", "_123456789abcdef._tcp"),
        ("_androidtvremote2._tcp", "_androidtvremote2._tcp"),
        ("_some_thing._tcp", "_some_thing._tcp"),
        ("_printer._sub._http._tcp", "_printer._sub._http._tcp"),
        ("_a b._sub._http._tcp", ""), ("_färbe._sub._ipp._tcp", "_färbe._sub._ipp._tcp"),
    ])
    func `a type is parsed from its full name or a short one`(text: String, expected: String) throws
    {
        let type = try? ServiceType(text)
        #expect(type?.description ?? "" == expected)
    }

    @Test func `a subtype is separated from its type`() throws {
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
    func `an invalid type is rejected with advice`(text: String) {
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
    func `the advice suggests the nearest valid type`(text: String, advice: String) {
        do {
            #expect(try ServiceType(text).description == "_ssh._tcp")
        } catch {
            #expect(error.reason.contains(advice), "\(error)")
        }
    }

    @Test func `a list is split at commas, and repeated types count once`() throws {
        #expect(
            try ServiceType.list("ssh, _ipp._tcp ,ssh").map(\.description) == [
                "_ssh._tcp", "_ipp._tcp",
            ])
        #expect(throws: InvalidServiceType.self) { try ServiceType.list("ssh,") }
        #expect(throws: InvalidServiceType.self) { try ServiceType.list("") }
    }

    @Test func `the table of known types is sorted, valid and without duplicate names`() throws {
        let types = KnownServiceType.all.map(\.type)
        #expect(types == types.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
        #expect(Set(types).count == types.count)
        #expect(types.count >= 200)
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

    @Test func `every type in the list that comes with Avahi has a title`() {
        let types = """
            _acrobatsrv._tcp _adisk._tcp _adobe-vc._tcp _afpovertcp._tcp _airplay._tcp \
            _airport._tcp _amzn-wplay._tcp _apt._tcp _bzr._tcp _daap._tcp _dacp._tcp \
            _device-info._tcp _distcc._tcp _domain._udp _dpap._tcp _ftp._tcp _h323._tcp \
            _home-sharing._tcp _http._tcp _https._tcp _iax._udp _imap._tcp _ipp._tcp _ipps._tcp \
            _ksysguard._tcp _ldap._tcp _libvirt._tcp _lobby._tcp _macosxdupsuppress._tcp \
            _mpd._tcp _mumble._tcp _net-assistant._udp _nfs._tcp _ntp._udp _odisk._tcp \
            _omni-bookmark._tcp _pdl-datastream._tcp _pgpkey-hkp._tcp _pop3._tcp \
            _postgresql._tcp _presence._tcp _presence_olpc._tcp _printer._tcp _pulse-server._tcp \
            _pulse-sink._tcp _pulse-source._tcp _qdiscover._tcp _raop._tcp _realplayfavs._tcp \
            _remote-jukebox._tcp _rfb._tcp _rss._tcp _rtp._udp _rtsp._tcp _see._tcp \
            _sftp-ssh._tcp _shifter._tcp _sip._udp _skype._tcp _smb._tcp _ssh._tcp _svn._tcp \
            _telnet._tcp _tftp._udp _timbuktu._tcp _touch-able._tcp _tp-http._tcp _tp-https._tcp \
            _tp._tcp _tps._tcp _udisks-ssh._tcp _vlc-http._tcp _webdav._tcp _webdavs._tcp \
            _workstation._tcp _xpra._tcp
            """
        for type in types.split(separator: " ").map(String.init) {
            #expect(KnownServiceType.of(type) != nil, "\(type)")
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
