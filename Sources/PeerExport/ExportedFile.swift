// Keeps the file of `peerlist export --watch` up to date.
import Glibc
import PeerHappenings
package import PeerModel
import PeerRecording
import PeerSystem
import PeerText

/// A file that holds the export of the present list.
///
/// The file is written when the initial fill is over, because a list that is not yet complete would
/// remove from it what is there; then at most once a second, and only if its content changes.
package final class ExportedFile: ListOutput {
    private static let sizeLimit = 128 << 20
    /// The maximum number of reported notices, because changing names could make ever more of them.
    private static let noticeLimit = 100

    private let path: String
    private let list: ListOptions
    private let export: ExportOptions
    private let interval: Duration
    private var domain = BrowsedDomain()
    private var content: [UInt8]?
    private var notices: [String] = []
    private var noticeCount = 0
    private var isFilled = false
    private var isStale = true
    private var lastTry: ContinuousClock.Instant?
    private var failure: LineFailure?

    /// Creates the output; writes nothing yet.
    package init(
        path: String, _ list: ListOptions, _ export: ExportOptions, interval: Duration = .seconds(1)
    ) {
        (self.path, self.list, self.export, self.interval) = (path, list, export, interval)
        content = try? readFile(path, limit: Self.sizeLimit)
    }

    /// Returns why the file cannot be written, if that is known before, and what to do.
    package static func obstacle(_ path: String) -> String? {
        do throws(FileRefusal) {
            try FileEntry(path).checkReplacement()
            return nil
        } catch {
            return error.description
        }
    }

    /// Also in the initial fill, whose end no event may follow for long.
    var isBehind: Bool { isStale }

    func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .began(let header), .handedOver(let header): domain = header.browsedDomain
        case .fill(let fill):
            isFilled = fill != .running
            isStale = true
        case .updated: isStale = true
        case .tick:
            let isDue = lastTry.map { ContinuousClock.now - $0 >= interval } ?? true
            if isFilled, isStale, isDue { write(list()) }
        case .ended:
            if !isFilled {
                complain("\(path) was not written: the list was not complete yet")
                failure = .system(code: ECANCELED)
            } else if isStale {
                write(list())
            }
        case .lost, .happened, .sighted, .sources, .noticed, .answered, .reopened: break
        }
    }

    func close(within limit: Duration) async -> LineFailure? { failure }

    /// Reports the notices that the last export did not have.
    private func report(_ now: [String]) {
        for notice in now where !notices.contains(notice) && noticeCount < Self.noticeLimit {
            complain(notice)
            noticeCount += 1
            if noticeCount == Self.noticeLimit { complain("more such notices are left out") }
        }
        notices = now
    }

    private func write(_ sections: [ListSection]) {
        lastTry = .now
        let export = Export(of: sections, in: domain, list, export)
        report(export.notices)
        let bytes = Array(export.text.utf8)
        guard bytes != content else {
            isStale = false
            return
        }
        let wasFailing = failure != nil
        do throws(FileRefusal) {
            try FileEntry(path).replace(by: bytes)
            (content, isStale, failure) = (bytes, false, nil)
            if wasFailing { complain("\(path) is written again") }
        } catch {
            failure = .notOpened(OutputFile.Refusal(error))
            if !wasFailing { complain("\(error); it is tried again every second") }
        }
    }
}
