// A disk that is full while files are put away: what is there is whole, and the lines go on.
import Foundation
import Glibc
import PeerList
import Testing

@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) struct FullDiskRotationTests {
    @Test(.enabled(if: SmallDisk.canMount, "mounting a file system needs root"))
    func `on a full disk files are still whole, and are put away when there is room`() async {
        await #expect(processExitsWith: .success) {
            // Only this thread sees the mount, so nothing here may wait for another one by `await`.
            let folder = SmallDisk.mount(size: "128k")
            // Three pages are left, which a file takes before it is put away.
            let (name, ballast) = (folder + "/lines", folder + "/ballast")
            #expect(
                FileManager.default.createFile(atPath: ballast, contents: Data(count: 29 * 4096)))
            var list = RandomList(seed: 3, grouping: .device)
            let (failed, recovered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let output = LineOutput(
                file: try OutputFile(path: name, keeping: Keeping(.size(12_000), count: 2)),
                retryInterval: .zero
            ) { event in
                switch event {
                case .failed: failed.signal()
                case .recovered: recovered.signal()
                case .keepingFailed: break
                }
            }
            output.begin(.example(.device), at: .now())
            func change() {
                let before = list.sections
                let update = list.change()
                output.tick(at: update.time, list: before)
                output.update(update, list: list.sections)
            }
            for _ in 0..<1000 { change() }
            #expect(failed.wait(timeout: .now() + 20) == .success)
            try FileManager.default.removeItem(atPath: ballast)
            // Little at a time, or the room would be used up before old files are compressed.
            for _ in 0..<10 {
                change()
                _ = recovered.wait(timeout: .now() + .milliseconds(300))
            }
            let closed = DispatchSemaphore(value: 0)
            Task {
                _ = await output.close(within: .seconds(20))
                closed.signal()
            }
            #expect(closed.wait(timeout: .now() + 30) == .success)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.contains { $0.hasSuffix("Z.gz") })
            var beginnings = 0
            for name in names {
                var fold = LineFold()
                let source = LineSource(try GzipBytes(path: folder + "/" + name))
                while let line = try source.next(), !line.isCutOff {
                    let value = try JSONValue(line: line.bytes)
                    let problem = fold.take(value)
                    #expect(problem == nil, "\(name)")
                    beginnings += value["type"].text == "begin" ? 1 : 0
                }
            }
            #expect(beginnings >= 2)
        }
    }
}
