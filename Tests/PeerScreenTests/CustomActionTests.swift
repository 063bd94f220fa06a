// Actions of the settings: their placeholders, the rows that they fit, and hostile values.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import Testing

@testable import PeerScreen
@testable import PeerText

@Suite struct CustomActionTests {
    private func template(_ text: String) throws(CommandWord.Fault) -> CommandTemplate {
        try CommandTemplate(CommandWord.split(text[...]))
    }

    /// Creates the command of an action that is not `unchecked`.
    @discardableResult
    private func checked(_ text: String) throws(CommandWord.Fault) -> CommandTemplate {
        let template = try template(text)
        try template.checkTexts(of: CommandWord.split(text[...]))
        return template
    }

    private func action(
        _ command: String, types: [String] = [], kinds: [DeviceKind] = []
    ) throws -> CustomAction {
        CustomAction(title: "Test", types: types, kinds: kinds, command: try template(command))
    }

    /// A NAS with a website, a second one, and a camera's stream.
    private var nas: Peer {
        var peer = device("nas", "http:Site", "http:Admin", "rtsp:Stream", address: "10.0.0.4")
        peer.macs = ["00:00:5e:00:53:01"]
        peer.kind = .nas
        for index in peer.services.indices {
            peer.services[index].port = UInt16(8000 + index)
            peer.services[index].txt = TXTRecord(strings: [Array("path=/\(index)".utf8)])
        }
        return peer
    }

    /// Returns the commands of an action for a device, or for one of its services.
    private func offer(_ action: CustomAction, _ peer: Peer, service: Int? = nil)
        -> CustomAction.Offer
    {
        let item = service.map { ListItem.service(peer.services[$0], of: peer) } ?? .peer(peer)
        return action.offer(for: item, of: peer, in: BrowsedDomain())
    }

    private func words(_ offer: CustomAction.Offer) -> [[String]] {
        offer.commands.map { if case .run(let words, _) = $0.request { words } else { [] } }
    }

    @Test func `values replace placeholders within their argument`() throws {
        let all = try action(
            "show {name} --at={address}:{port} {host} {id} {mac} {txt.path} {{name} {} { 'a{'")
        let offer = offer(all, nas)
        #expect(
            words(offer)
                == (0..<3).map { index in
                    [
                        "show", "nas", "--at=10.0.0.4:800\(index)", "nas.local",
                        nas.id.uuidString.lowercased(), "00:00:5e:00:53:01", "/\(index)", "{name}",
                        "{}", "{", "a{",
                    ]
                })
        #expect(offer.refusals.isEmpty)
        #expect(offer.commands.map(\.detail) == ["Test Site", "Test Admin", "Test Stream"])
        #expect(words(self.offer(all, nas, service: 1)).map { $0[2] } == ["--at=10.0.0.4:8001"])
    }

    @Test func `a command without values of services is offered once`() throws {
        let ping = try action("ping -c 3 {address}")
        #expect(words(offer(ping, nas)) == [["ping", "-c", "3", "10.0.0.4"]])
        #expect(words(offer(ping, nas, service: 2)) == [["ping", "-c", "3", "10.0.0.4"]])
        let web = try action("ping {address}", types: ["_http._tcp"])
        #expect(words(offer(web, nas)) == [["ping", "10.0.0.4"]])
        #expect(words(offer(web, nas, service: 2)) == [])
    }

    @Test func `an action is offered for its types and kinds only, and says so`() throws {
        let stream = try action("mpv -- rtsp://{host}:{port}/{txt.path}", types: ["_rtsp._tcp"])
        #expect(words(offer(stream, nas)) == [["mpv", "--", "rtsp://nas.local:8002//2"]])
        #expect(offer(stream, nas, service: 0).refusals == ["there is no service of _rtsp._tcp"])
        let camera = try action("a {host}", kinds: [.camera, .tv])
        #expect(offer(camera, nas).commands.isEmpty)
        #expect(offer(camera, nas).refusals == ["it is for camera and TV only"])
        var peer = nas
        peer.kind = .tv
        #expect(offer(camera, peer).commands.count == 1)
        peer.kind = nil
        #expect(offer(camera, peer).commands.isEmpty)
        peer.services = []
        #expect(offer(try action("a {port}"), peer).refusals == ["there is no service"])
    }

    @Test func `an unknown value is the reason why a command is left out`() throws {
        var peer = nas
        peer.services[1].port = nil
        peer.services[2].port = 0
        #expect(
            offer(try action("a {port}"), peer).refusals
                == ["the port is not known", "the port is not known"])
        (peer.addresses, peer.host, peer.macs) = ([], nil, [])
        for (value, title) in [
            ("address", "the address"), ("host", "the host name"), ("mac", "the MAC address"),
        ] {
            let offer = offer(try action("a {\(value)}"), peer)
            #expect(offer.commands.isEmpty)
            #expect(offer.refusals == ["\(title) is not known"])
        }
        for (host, reason) in [
            ("bad host", "not a usual one"),
            ("github.com", "outside of the domain that was browsed"),
        ] {
            peer.host = host
            #expect(
                offer(try action("a {host}"), peer).refusals == ["the host name is \(reason)"])
        }
        peer.services = [nas.services[0]]
        peer.services[0].txt = TXTRecord(strings: [[0x61, 0x3D, 0xFF], [0x62]])
        for (key, reason) in [
            ("a", "is not text"), ("b", "is not known"), ("c", "is not known"),
        ] {
            #expect(
                offer(try action("x {txt.\(key)}"), peer).refusals
                    == ["the TXT value '\(key)' \(reason)"])
        }
    }

    @Test func `an argument that begins with a value that begins with a hyphen is refused`() throws
    {
        var peer = nas
        peer.name = "-oProxyCommand=reboot"
        let refusal = ["the name begins with '-', like an option"]
        for command in ["a {name}", "a -- {name}", "a {name}x", "a ''{name}"] {
            let offer = offer(try action(command), peer)
            #expect(offer.commands.isEmpty && offer.refusals == refusal, "\(command)")
        }
        #expect(
            words(offer(try action("a --x={name} {host}"), peer))
                == [["a", "--x=-oProxyCommand=reboot", "nas.local"]])
        // A value before it may be empty.
        peer.services = [peer.services[0]]
        peer.services[0].txt = TXTRecord(strings: [Array("empty=".utf8)])
        #expect(offer(try action("a {txt.empty}{name}"), peer).refusals == refusal)
    }

    @Test(arguments: [
        "a\nb", "a\rb", "a\0b", "a\u{1b}]52;c;x\u{7}", "\u{9b}31m", "a\u{2028}b", "a\u{7f}",
    ])
    func `a value with control characters is refused`(text: String) throws {
        var peer = nas
        peer.name = text
        #expect(
            offer(try action("a x{name}"), peer).refusals == [
                "the name contains a control character"
            ])
        #expect(offer(try action("a {host}"), peer).commands.count == 1)
    }

    @Test func `a value beyond the limit is refused`() throws {
        var peer = nas
        peer.name = String(repeating: "é", count: CommandTemplate.valueLimit / 2)
        #expect(offer(try action("a {name}"), peer).commands.count == 1)
        peer.name += "a"
        #expect(
            offer(try action("a {name}"), peer).refusals == ["the name is longer than 4 KiB"])
    }

    /// Texts with a meaning for a shell, for options, for URLs and for placeholders.
    @Test(arguments: [
        "$(reboot)", "`reboot`", ";reboot", "a b", " a", "", "'", "\"", "\\", "#", "~", "*",
        "a'b\"c",
        "{host}", "{{", "}", "{txt.note}", "</script>", "%s", "!!", "\u{202e}txt", "a\u{200b}",
        "../..", "//evil.example", "file:///etc/passwd", "&x", "|x", ">x", "\u{ff0d}x",
    ])
    func `any other value stays one argument, exactly`(text: String) throws {
        var peer = nas
        peer.name = text
        peer.services = [peer.services[0]]
        peer.services[0].txt = TXTRecord(strings: [Array("note=\(text)".utf8)])
        let offer = offer(try action("a {name} --x={txt.note} {port}"), peer)
        #expect(words(offer) == [["a", text, "--x=\(text)", "8000"]])
        // What is shown splits into these arguments.
        let shown = try CommandWord.split(try #require(offer.commands.first?.label)[...])
        #expect(shown.map(\.text) == words(offer)[0])
    }

    @Test(arguments: [
        "-1.2.3.4", "10.0.0.4 -v", "fe80::1", "fe80::1%-oX", "10.0.0.4\n", "$(reboot)",
    ])
    func `an unsafe address is not a value`(address: String) throws {
        var peer = nas
        peer.addresses = [address]
        #expect(offer(try action("a {address}"), peer).refusals == ["the address is not known"])
        peer.addresses.append("fd00::4")
        #expect(words(offer(try action("a {address}"), peer)) == [["a", "fd00::4"]])
    }

    @Test(arguments: [
        ("{name} a", 0, "the program must not be"), ("x{host} a", 0, "the program must not be"),
        ("a {adress}", 2, "there is no value '{adress}'"), ("a {txt}", 2, "there is no value"),
        ("a {name.x}", 2, "there is no value"), ("sh -c {name}", 6, "the program must not be"),
        ("sh -c 'echo {name}'", 6, "give them to a script as arguments"),
        ("env A=b /bin/bash -euc 'x {txt.path}'", 23, "'env' might run them"),
        ("ssh {host} echo {name}", 16, "'ssh' might run them"),
        ("notify-send {port} {name}", 19, "write '--' before them"),
        ("mpv -- {txt.url}", 7, "the host of a URL before them"),
        ("/usr/bin/tee -a x {name}", 18, "'tee' might run them, or write to a file"),
        ("vim {name}", 4, "or write 'unchecked = yes'"),
        ("env A={port} {host} a", 13, "the program must not be"),
        ("a {mac_address}", 2, "there is no value '{mac_address}'"),
        ("a {ip4}", 2, "there is no value '{ip4}'"), ("a {port }", 2, "there is no value '{port'"),
        ("a '{port }' b", 2, "there is no value '{port }'"),
        ("a '{ port}' b", 2, "there is no value '{ port}'"),
    ])
    func `a mistake in a command has a position`(
        text: String, position: Int, message: String
    ) {
        let fault = #expect(throws: CommandWord.Fault.self) { try checked(text) }
        #expect(fault?.message.contains(message) == true, "\(fault?.message ?? "")")
        #expect(fault?.position == text.index(text.startIndex, offsetBy: position))
    }

    @Test(arguments: [
        // After an option, of programs known and unknown.
        "a -c {name}", "a -e {txt.path}", "a -x {name}", "a -c -- {name}", "a -v -ec -q {name}",
        "a eval {name}", "a eval --ext=ts {name}", "a eval --ext ts {name}", "a --eval {name}",
        "a --command {name}",
        "a --execute {name}", "a -exec {name}", "a --init-command {name}", "a --comm {name}",
        "su -c {name}", "su - me -lc 'x {name}'", "vim -c {name}", "nvim --cmd {name}",
        "vim --remote-expr {name}", "deno eval {name}", "nu -c {name}", "osh -c {name}",
        "elvish -c {name}", "script -qc {name}", "xterm -e {name}", "konsole --hold -e 'x {name}'",
        "gdb -ex {name}", "emacs --eval {name}", "erl -eval {name}", "psql -c {name}",
        "find . -exec {name} ';'", "find . -execdir sh -c {name} ';'", "rsync -e {name} a b",
        "xargs -n 1 sh -c {name}", "git -c core.pager={name} log",
        // In the same argument.
        "a -c{name}", "a -e{name}", "a -ec{name}", "a --eval={name}", "a --command=x{name}",
        "a --ev={name}", "a -oProxyCommand={name} b", "tar --checkpoint-action=exec={name} x",
        "tar '--checkpoint-action=exec=x {name}' x", "a -{name}", "a --{name}=b",
        "vim +{name} a", "ex '+x {name}'", "less '+!{name}' a",
        // Several options before the text, and options that are words.
        "sh -ce 'echo {name}'", "sh -c -- 'echo {name}'", "bash -c -e 'echo {name}'",
        "bash -c +x 'echo {name}'", "bash -o pipefail -c 'echo {name}'", "bash -euxc '{name}'",
        "bash -co pipefail 'echo {name}'", "bash -c -o pipefail 'echo {txt.path}'",
        "bash --norc -c '{name}'", "sudo -- busybox sh -c 'echo {name}'", "sh -c -- -{name}",
        "env -S 'sh -c {name}'", "env '--split-string=sh -c {name}'", "xterm -e dash -c '{name}'",
        "csh -fc '{name}'", "fish --command='echo {name}'", "fish -c true -c '{name}'",
        "fish -C '{name}' x", "pwsh -Command '{name}'", "python3 -c 'print(\"{name}\")'",
        "python3.12 -Ic '{name}'", "python -W ignore -c {name}", "python3 -c{name}",
        "perl -e '{name}'", "perl -ne 'x' -e '{name}'", "perl -E '{name}'", "perl -MA={name} x",
        "perl -I lib -pe 's/{name}/x/'", "perl -0777lane '{name}'", "node -e '{name}'",
        "node --eval={name}", "node -p '{name}'", "node --print={name}", "ruby -e '{name}'",
        "ruby -r json -e '{name}'", "php -r '{name}'", "lua5.4 -e '{name}'",
        // Any argument.
        "awk '/{name}/'", "gawk -v a=1 '/{name}/'", "sed 's/x/{name}/'", "ssh {host} {name}",
        "xterm -e ssh -p {port} {host} 'x {name}'", "ssh -l {name} {host}", "watch -n 5 'x {name}'",
        "watch {name}", "tmux rename-window {name}", "make A={name}", "sqlite3 a.db {name}",
        "parallel echo ::: {name}",
        // Programs that run, include or write what they are given.
        "systemd-run {name}", "screen {name}", "entr {name}", "kitty {name}", "foot {name}",
        "wezterm start {name}", "wezterm start -- {name}", "nmap --script {name} {host}",
        "nmap --script={name} {host}", "tar --checkpoint-action={name} -cf x y",
        "docker run {name}", "docker run -- {name}", "at -f {name} now",
        "curl -o {name} http://{host}/",
        "curl -O http://{host}/{txt.path}", "curl -O -- http://{host}/{txt.path}", "cp x {name}",
        "cp -- x {name}", "tee {name}", "tee -- {name}", "wget http://{host}/{txt.path}",
        "unknown {name}", "unknown -- {name}", "./show {name}", "env A={name} show",
        "find . -exec show {name} ';'", "xterm -title {name} -e ssh {host}",
        // Known programs, in other places than those known to be harmless.
        "notify-send {name}", "notify-send {name} --", "notify-send -{name} --",
        "notify-send --icon={name} -- x", "notify-send x--{name} -- x",
        "timeout 5 notify-send -- {name}",
        "grep -f {name} -- x", "mpv -- {name}", "mpv -- {txt.url}/x",
        "mpv --script={name} -- rtsp://x/",
        "mpv rtsp://{host}/{txt.path}", "mpv -- rtsp://{name}/x", "mpv -- rtsp://{host}{txt.path}",
        "mpv -- rtsp:///{txt.path}", "mpv -- '{name}rtsp://x/'", "mpv -- /media/{name}",
        "sh -c 'x' {name}", "sh -c -- x {name} {name}", "sh -c -- x sh {name}", "sh show.sh {name}",
        "sh -c +x 'echo {name}' sh", "sh -x show.sh sh {name}", "bash -ic 'x' sh {name}",
        "bash --rcfile {name} x y z", "sh -c {address}x{name} sh a", "sh show -c x {name}",
    ])
    func `a text that a device chooses is refused where no program is known to be harmless`(
        text: String
    ) {
        #expect(throws: CommandWord.Fault.self) { try checked(text) }
    }

    @Test(arguments: [
        "env {name}", "env -i A=b {name}", "sudo -H {name}", "sudo {host}", "nice -n 5 {name}",
        "timeout 5 {txt.path}", "timeout -k 1 5s nohup {name}", "xargs -n 1 {name}", "sh {name}",
        "bash -u {name} x", "python3.12 {name}", "sudo -- /usr/bin/env bash {name}", "sh -c {host}",
    ])
    func `a program or script that another program runs is not a value`(text: String) {
        let fault = #expect(throws: CommandWord.Fault.self) { try template(text) }
        #expect(fault?.message.hasPrefix("the program must not be a value") == true)
    }

    @Test(arguments: [
        (["10.0.0.4"], "http://10.0.0.4:8000/"), (["fd00::4"], "http://[fd00::4]:8000/"),
        (["fe80::1%eth0"], "http://[fe80::1%25eth0]:8000/"),
    ])
    func `an address is written as URLs have it after the scheme and the user`(
        addresses: [String], url: String
    ) throws {
        var peer = nas
        (peer.addresses, peer.services) = (addresses, [peer.services[0]])
        #expect(words(offer(try action("a http://{address}:{port}/"), peer)) == [["a", url]])
        let ofUser = url.replacing("http://", with: "ssh://me@")
        #expect(words(offer(try action("a ssh://me@{address}:{port}/"), peer)) == [["a", ofUser]])
        #expect(
            words(
                offer(
                    try action("a {address} --at={address} http://x/{address} http://[{address}]"),
                    peer))
                == [
                    [
                        "a", addresses[0], "--at=\(addresses[0])", "http://x/\(addresses[0])",
                        "http://[\(addresses[0])]",
                    ]
                ])
    }

    @Test(arguments: [
        #"sh -c 'echo "$1"' sh {name}"#, #"sh -ec 'echo "$1" {port}' -- {name} --x={txt.path}"#,
        #"/bin/bash -euxc 'echo "$1"' show x {name}"#, "notify-send -u low -t 5 -- {name}",
        "/usr/bin/notify-send -- 'Look at {name}' {txt.note}", "espeak-ng -- {name}",
        "printf -- '%s\\n' {name}", "grep -i -- {name} notes.txt",
        "mpv -- rtsp://{host}:{port}/{txt.path}", "mpv --title=x -- http://me@{address}/a?b={name}",
        "ffplay -v 8 -- https://camera.example/{txt.path}",
    ])
    func `a text that a device chooses is an argument of known programs`(text: String) throws {
        try checked(text)
    }

    @Test(arguments: [
        "sh -c 'ping {address}; echo {host} {port} {id} {mac}'", "a {{name}} {0} {a b}",
        "ping -c 3 {address}", "vim -c {port}", "a -c {address} --eval={id} +{port}",
        "ssh -p {port} -- {host} uptime", "ssh {host}", "watch ping {address}",
        "xdg-open http://{host}:{port}/",
        "avahi-resolve -n {host}", "curl -sI http://{address}:{port}/", "wakeonlan {mac}",
        "xterm -e ssh {host}", "systemd-run ping {address}", "tee {id}",
    ])
    func `a value that the list checks may be anywhere in a command`(text: String) throws {
        try checked(text)
    }
}
