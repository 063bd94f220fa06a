// Makes a report of what two machines recorded, in which a stranger's text is text.
import LabSupport
import PeerList
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
}
