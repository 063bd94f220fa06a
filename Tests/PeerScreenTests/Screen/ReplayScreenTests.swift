// Tests of what the screen of a replay says of each step, and of jumps.
import Foundation
import PeerHappenings
import PeerListTestSupport
import PeerModel
import PeerRecording
import PeerSession
import PeerText
import TerminalList
import Testing

@testable import PeerScreen

@MainActor @Suite(.timeLimit(.minutes(10))) struct ReplayScreenTests {
    /// A replay of a recording of some lists on an imaginary screen.
    @MainActor private final class Replay {
        let driven = DrivenScreen(
            keys: ReplayCommand.keys(AsyncStream.makeStream().continuation), isRecorded: true)
        private let session: Session<ReplaySource>
        private let events: AsyncStream<ScreenEvent>.Continuation
        private let received: AsyncStream<ScreenEvent>
        private let folder = FileManager.default.temporaryDirectory
            .appending(path: "replay-\(UUID().uuidString)")

        /// The events of interfaces, backends, brokers and observers that the screen was told.
        private(set) var heard: [SourceHappening.Event] = []

        init(
            _ lists: [(seconds: Double, peers: [Peer])], _ happenings: [SourceHappening] = [],
            start: RecordingTime? = nil
        ) async throws {
            var (script, encoder) = (ListScript(), LineEncoder())
            var bytes = encoder.begin(House.header(.device), at: House.time(0))
            var rest = happenings[...]
            for (seconds, peers) in lists {
                while let next = rest.first, next.time < House.time(seconds) {
                    bytes += encoder.happening(.source(rest.removeFirst()), at: next.time)
                }
                let update = script.change(
                    .changed, at: House.time(seconds), to: peers.sections(.device))
                bytes += encoder.update(update) ?? []
            }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let path = folder.appending(path: "house.jsonl").path
            try Data(bytes).write(to: URL(filePath: path))
            let indexer = try RecordingIndexer(path: path)
            let (stream, entry) = AsyncStream<ScreenEvent>.makeStream()
            (events, received) = (entry, stream)
            let source = ReplaySource(
                try Playback(indexer), path: path, speed: 1, start: start, events: entry,
                entry: AsyncStream.makeStream().continuation)
            session = Session(source: source, outputs: [ScreenOutput(entry)])
            let (indices, latest) = AsyncStream.makeStream(of: RecordingIndex.self)
            #expect(
                indexer.start { index in
                    latest.yield(index)
                    if index.isComplete { latest.finish() }
                    return true
                })
            for await index in indices { await session.setIndex(index) }
            await show()
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// Performs commands and draws a frame.
        func perform(_ commands: ReplayCommand...) async {
            let (messages, entry) = AsyncStream.makeStream(of: ReplayMessage.self)
            for command in commands { entry.yield(.command(command)) }
            entry.yield(.ended(.finished))
            _ = await session.replay(messages)
            await show()
        }

        private func show() async {
            events.yield(.sighted)
            for await event in received {
                if case .sighted = event { break }
                if case .happened(let events) = event {
                    heard += events.compactMap {
                        guard case .source(let source) = $0, source.event != .filled else {
                            return nil
                        }
                        return source.event
                    }
                }
                driven.screen.handle(event)
            }
            _ = driven.frame
        }
    }

    private let kodi = device("kodi", "http", "raop", "smb", address: "10.0.0.8")
    private let nas = device("nas", "smb", address: "10.0.0.4")
    private let tv = device("tv", "googlecast", address: "10.0.0.30")

    /// A device leaves service by service, and is back later.
    private var lists: [(seconds: Double, peers: [Peer])] {
        func lessened(_ kodi: Peer, by count: Int) -> Peer {
            var less = kodi
            less.services.removeFirst(count)
            return less
        }
        var back = kodi
        back.firstSeen = House.time(300)
        return [
            (1, [nas]), (1.1, [nas, tv]), (1.2, [kodi, nas, tv]),
            (100, [lessened(kodi, by: 1), nas, tv]), (100.2, [lessened(kodi, by: 2), nas, tv]),
            (100.4, [nas, tv]), (300, [lessened(back, by: 2), nas, tv]),
            (300.1, [lessened(back, by: 1), nas, tv]), (300.3, [back, nas, tv]),
        ]
    }

    @Test func `what the list was heard through is said, but not of a time that is skipped`()
        async throws
    {
        let happenings: [SourceHappening] = [
            .init(.filled, "", count: 3, at: House.time(8)),
            .init(.linkLost, "eth0", count: 2, at: House.time(200)),
            .init(.linkBack, "eth0", count: 2, at: House.time(210)),
        ]
        let replay = try await Replay(lists, happenings)
        await replay.perform(.pause, .start, .forward, .forward, .forward)
        #expect(replay.heard == [])
        await replay.perform(.forward)
        #expect(replay.heard == [.linkLost, .linkBack])
        await replay.perform(.start)
        #expect(replay.heard == [.linkLost, .linkBack])
    }

    @Test func `a step is all that happened in a moment, and says and marks it`() async throws {
        let replay = try await Replay(lists)
        let driven = replay.driven
        await replay.perform(.pause, .start, .forward)
        // The begin of the recording.
        await replay.perform(.forward)
        #expect(driven.text.contains("3 peers, 5 services"))
        #expect(!driven.text.contains(" left"))
        driven.wait(.seconds(60))
        await replay.perform(.forward)
        #expect(driven.text.contains("2 peers, 2 services"))
        #expect(driven.text.contains("08:31 kodi left   d shows departed"))
        #expect(try driven.line(with: "- ▸ kodi").contains("http raop smb"))
        driven.press(.character("d"))
        #expect(!driven.text.contains("none has departed"))
        #expect(driven.text.contains("left 08:31"))
        driven.press(.character("d"), .character("/"))
        driven.type("kodi")
        #expect(driven.text.split(separator: "\n").count { $0.contains("  kodi  ") } == 1)
        driven.press(.escape)
        driven.wait(.seconds(60))
        await replay.perform(.forward)
        #expect(driven.text.contains("3 peers, 5 services"))
        #expect(driven.text.contains("08:35 kodi "))
        #expect(try driven.line(with: "+ ▸ kodi").contains("http raop smb"))
        #expect(driven.text.contains("9 of 9") || driven.text.contains("10 of 10"))
        await replay.perform(.back)
        #expect(driven.text.contains("2 peers, 2 services"))
        #expect(driven.text.contains("kodi left"))
        await replay.perform(.back)
        #expect(driven.text.contains("3 peers, 5 services"))
        #expect(!driven.text.contains("kodi left"))
        #expect(driven.text.contains("Space play"))
    }

    @Test func `a replay that starts at a time shows what left before it`() async throws {
        let start = try #require(RecordingTime("2026-11-21T08:33:20Z"))
        let driven = try await Replay(lists, start: start).driven
        #expect(driven.text.contains("2 peers, 2 services"))
        #expect(driven.text.contains("08:31 kodi left   d shows departed"))
        #expect(!driven.text.contains("- ▸ kodi"), "that was some time ago")
        driven.press(.character("/"))
        driven.type("kodi")
        #expect(driven.text.contains("left 08:31"))
    }

    @Test func `jumps say what happened before the time, and nothing that came after`() async throws
    {
        let replay = try await Replay(lists)
        await replay.perform(.end)
        #expect(replay.driven.text.contains("08:31 kodi left"))
        #expect(replay.driven.text.contains("08:35 kodi "))
        await replay.perform(.leap(-10))
        #expect(replay.driven.text.contains("08:31 kodi left"))
        #expect(!replay.driven.text.contains("08:35"))
        await replay.perform(.start)
        #expect(!replay.driven.text.contains("kodi left"))
    }
}
