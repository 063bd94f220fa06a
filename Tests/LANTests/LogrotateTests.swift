// The recipe of docs/recording.md, run by logrotate(8) itself.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct LogrotateTests {
    @Test func `a day's log with logrotate`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let (place, file) = (lab.directory.path, lab.directory.path + "/peers.jsonl")
            let configuration = try recipe(file: file, pid: "\(place)/peerlist.pid")
            try lab.directory.write(configuration, to: "logrotate.conf")
            let list = try lab.start(
                "h2",
                [
                    "sh", "-c", #"echo $$ >"$1/peerlist.pid"; exec "$0" --plain --output "$2""#,
                    BuiltProducts.peerlist, place, file,
                ])
            try await list.line(within: .seconds(60)) { $0.contains("fd99::1") }
            for day in 1...3 {
                let rotated = try await FinishedProcess([
                    "/usr/sbin/logrotate", "--force", "--state", "\(place)/state",
                    "\(place)/logrotate.conf",
                ])
                #expect(rotated.status == 0, "\(rotated.errors)")
                let lines = try RunningProcess([
                    "tail", "-n", "+1", "--follow=name", "--retry", file,
                ])
                try await lines.line(within: .seconds(60)) { $0.contains(#""type":"begin""#) }
                await lines.send(15)
                let peer = try await lab.publish("Day \(day)", "_ssh._tcp", 22, on: "h1")
                try await list.line(within: .seconds(60)) { $0.contains("ssh") }
                await peer.send(15)
                try await list.line(within: .seconds(60)) { $0.contains("Service gone: ssh") }
            }
            await list.send(2)
            #expect(try await list.end(within: .seconds(60)) == 130)

            for name in ["", ".1", ".2.gz", ".3.gz"] {
                var folded = FoldedList()
                let read = try await FinishedProcess(["gzip", "-dcf", file + name])
                #expect(read.status == 0, "\(name): \(read.errors)")
                for line in read.output.split(separator: "\n") { try folded.fold(String(line)) }
                #expect(folded.peer(on: "h1.local") != nil, "\(name)")
                #expect(name.isEmpty || folded.notices == ["next-file"], "\(name)")
            }
            #expect(await list.errors == "")
        }
    }

    /// What the document has for logrotate, with other names of the files.
    private func recipe(file: String, pid: String) throws -> String {
        let text = try TextFile.read(BuiltProducts.package + "/docs/recording.md")
        let block = try #require(text.split(separator: "```").first { $0.hasPrefix("conf") })
        return String(block.dropFirst("conf".count))
            .replacing("/var/log/peerlist/peers.jsonl", with: file)
            .replacing("/run/peerlist.pid", with: pid)
    }
}
