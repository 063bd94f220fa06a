// Makes a report of what two machines recorded, in which a stranger's text is text.
import LabSupport
import PeerModel
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct ReportTests {
    /// Prints the tags and attributes of a page, and the rows of its table of devices.
    private let parser = """
        import sys
        from html.parser import HTMLParser
        class Page(HTMLParser):
            section, cells, names = None, [], set()
            def handle_starttag(self, tag, attributes):
                self.names |= {tag} | {name for name, _ in attributes}
                if tag == 'section': self.section = dict(attributes).get('id')
                if tag == 'tr': self.cells = []
                if tag in ('th', 'td'): self.cells.append('')
            def handle_data(self, text):
                if self.cells: self.cells[-1] += text
            def handle_endtag(self, tag):
                if tag == 'tr' and self.section == 'devices': print('|'.join(self.cells))
                if tag == 'section': self.section, self.cells = None, []
        page = Page()
        page.feed(sys.stdin.read())
        print(' '.join(sorted(page.names)))
        """

    @Test
    func `the recordings of two machines make one page, which no announced text breaks out of`()
        async throws
    {
        try await Lab.with { lab in
            let place = lab.directory.path
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h2")
            var lists: [(program: RunningProcess, lines: RunningProcess)] = []
            for host in ["h1", "h2"] {
                let path = "\(place)/\(host).jsonl"
                let list = try lab.peerlist(on: host, ["--quiet", "--output", path])
                let lines = try RunningProcess([
                    "tail", "-n", "+1", "--follow=name", "--retry", path,
                ])
                lists.append((list, lines))
            }
            // What is found within ten seconds was there before.
            // A machine's daemon does not hear other responders on it, so each one hears the other's.
            for host in ["h1", "h2"] {
                try await lab.perform(
                    "spawn", host, "pulse", "python3",
                    BuiltProducts.package + "/Tests/Lab/load.py", "--services", "1", "--churn",
                    "1", "--away", "1", "--name", "pulse \(host)", "--host-name", "pulse-\(host)")
            }
            for list in lists {
                let begin = try await list.lines.line(within: .seconds(60))
                let start = try #require(Timestamp(try JSON(line: begin)["time"].string))
                try await list.lines.line(within: .seconds(60)) { line in
                    let time = (try? JSON(line: line)).flatMap { Timestamp($0["time"].string) }
                    return time.map { $0.microseconds > start.microseconds + 11_000_000 } ?? false
                }
            }
            let hostile = "</script><img src=x onerror=alert(1)>\"'"
            let publisher = try await lab.publish(
                hostile, "_googlecast._tcp", 8009, on: "h1", txt: "fn=\(hostile)",
                "md=\(hostile)")
            for list in lists {
                try await list.lines.line(within: .seconds(60)) { $0.contains("onerror=alert") }
                await list.lines.send(15)
                await list.program.send(2)
                #expect(try await list.program.end(within: .seconds(20)) == 130)
            }
            await publisher.send(15)

            try lab.directory.write(parser, to: "parser.py")
            let made = try await FinishedProcess([
                "sh", "-c",
                "cd \"$1\" && \"$0\" report -o page.html h1.jsonl h2.jsonl && python3 parser.py < page.html",
                BuiltProducts.peerlist, place,
            ])
            #expect(made.status == 0, "\(made.errors)")
            let rows = made.output.split(separator: "\n")
            func row(_ name: String) throws -> [Substring] {
                let row = rows.first { $0.hasPrefix(name) }
                return try #require(row, "\(made.output)")
                    .split(separator: "|", omittingEmptySubsequences: false)
            }
            let arrivals = try #require(try row("Device").firstIndex(of: "Arrivals"))
            #expect(try row("Shell")[arrivals] == "0")
            #expect(try row(hostile)[arrivals] == "1")
            let names = try #require(rows.last).split(separator: " ")
            #expect(!names.contains("img") && !names.contains { $0.hasPrefix("on") }, "\(names)")
            let page = try TextFile.read("\(place)/page.html")
            #expect(page.matches(of: /<script/).count == 2)
            #expect(page.contains("Seen from <bdi>h1.local</bdi>, <bdi>h2.local</bdi>"))
        }
    }

    /// Waits until the page of a server has a text in its table of devices, and prints the page.
    private let reader = """
        import re, sys, threading, time, urllib.request
        text, isWanted, end = sys.argv[1], sys.argv[2] == 'there', time.monotonic() + 90
        page = ''
        while time.monotonic() < end:
            try:
                page = urllib.request.urlopen('http://127.0.0.1:8080/', timeout=5).read().decode()
                table = re.search('<section id="now".*?</section>', page, re.DOTALL)
                if table and (text in table[0]) == isWanted: break
            except OSError: pass
            threading.Event().wait(0.2)
        else: sys.exit(1)
        print(page)
        """

    @Test(
        .enabled("busybox is not installed; 'make test' installs it") {
            try await FinishedProcess(["sh", "-c", "command -v busybox"]).status == 0
        })
    func `a server has the page for the wall, which follows the network`() async throws {
        try await Lab.with { lab in
            let place = lab.directory.path
            let recipe = try TextFile.blocks("sh", under: "## A page for the wall", of: "report.md")
            let commands = try #require(recipe.first).split(separator: "\n").map {
                "cd \(place); exec "
                    + $0.replacing(/\s&$/, with: "")
                    .replacing("peerlist report", with: "\(BuiltProducts.peerlist) report")
            }
            #expect(commands.count == 3)
            #expect(try await FinishedProcess(["sh", "-c", commands[0]]).status == 0)
            let server = try lab.start("h2", ["sh", "-c", commands[1]])
            let watch = try lab.start("h2", ["sh", "-c", commands[2]])
            try lab.directory.write(reader, to: "reader.py")
            let shell = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h1")
            func page(_ text: String, _ state: String) async throws -> String {
                let read = try await lab.run("h2", ["python3", "\(place)/reader.py", text, state])
                let errors = await watch.errors
                #expect(read.status == 0, "\(text) \(state): \(errors)")
                return read.output
            }
            _ = try await page("Shell", "there")
            let other = try await lab.publish("Other", "_http._tcp", 80, on: "h1")
            await shell.send(15)
            _ = try await page("SSH", "gone")
            let page = try await page("Other", "there")
            #expect(page.contains("<h1>Who is on the network</h1>"))
            #expect(page.contains("Seen from <bdi>h2.local</bdi>"))
            let file = "\(place)/wall/index.html"
            let mode = try await FinishedProcess(["stat", "-c", "%a", file])
            #expect(mode.output == "644")
            await watch.send(15)
            #expect(try await watch.end(within: .seconds(60)) == 0)
            await server.send(15)
            try await server.end(within: .seconds(60))
            #expect(try TextFile.read(file).contains("peerlist has ended"))
            let refused = try await lab.finishedPeerlist(
                on: "h2", "report", "--watch", "\(place)/reader.py")
            #expect(refused.status == 3 && refused.errors.contains("is not a report"))
            await other.send(15)
        }
    }

    @Test
    func
        `a page for the wall shows a fleet, what is not as expected, and which observers are away`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            let file = "\(lab.directory.path)/wall.html"
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h4")
            let expected = try lab.directory.write(
                "[device boiler]\nhost = boiler.local\nfor = 1s\n", to: "home.expect")
            let observer = try fleet.observer(on: "h4")
            let watch = try lab.peerlist(
                on: "h1",
                ["report", "--watch", file, "--expect", expected, "mqtts://fleet@10.99.0.1"]
                    + fleet.login(password: "fleet"))
            func wait(for text: String) async throws {
                let script = "until grep -q \"$1\" \"$2\" 2> /dev/null; do :; done"
                let found = try await FinishedProcess(
                    ["timeout", "90", "sh", "-c", script, "sh", text, file], within: .seconds(120))
                let errors = await watch.errors
                #expect(found.status == 0, "\(text): \(errors)")
            }
            try await wait(for: "<bdi>h4</bdi>.*present\\|<bdi>Web</bdi>.*present")
            try await wait(for: "Seen from <bdi>cellar/h4</bdi>")
            try await wait(for: "'boiler' is missing")
            #expect(try await observer.interrupt() == 130)
            try await wait(for: "The observer cellar/h4 is away")
            await watch.send(2)
            #expect(try await watch.end(within: .seconds(60)) == 0)
        }
    }
}
