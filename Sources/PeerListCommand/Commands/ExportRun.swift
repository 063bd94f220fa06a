// Runs `peerlist export`: prints a live list or a recording, or keeps a file up to date.
import Glibc
import PeerExport
import PeerList
import PeerRecording
import PeerSystem
import PeerText

struct ExportRun {
    private let options: Options
    private let export: ExportOptions

    init(_ options: Options) {
        self.options = options
        export = options.export ?? ExportOptions()
    }

    @MainActor func run() async throws(UsageError) -> ExitStatus {
        if let path = export.recording { return print(recording: path) }
        if let path = export.watched, let obstacle = ExportedFile.obstacle(path) {
            complain("--watch: \(obstacle)")
            return .failure
        }
        let status = try await ListRun(options).run()
        return switch status {
        // The ordinary end.
        case .interrupted where export.watched != nil: .done
        case .nothingFound: nothingFound
        default: status
        }
    }

    /// The status without devices: Ansible takes an inventory script that fails for a broken one.
    private var nothingFound: ExitStatus { export.query == nil ? .nothingFound : .done }

    private func print(recording path: String) -> ExitStatus {
        do throws(RecordingError) {
            let moment = try RecordedMoment(of: path, at: export.time)
            let sections = moment.list.listSections
            guard
                options.list.kinds.isEmpty || moment.list.header?.grouping != .type
                    || sections.contains(where: { $0.items.contains { $0.peer.kind != nil } })
            else {
                throw RecordingError(
                    "\(path) is grouped by type and does not tell the kinds of devices; leave out "
                        + "--kind")
            }
            let domain = moment.list.header?.browsedDomain ?? BrowsedDomain()
            let export = Export(of: sections, in: domain, options.list, export)
            let printed = printOut(export.reported())
            guard printed == .done, moment.isWhole else { return .failure }
            guard sections.peers(options.list).isEmpty else { return .done }
            complain("\(path): the list has no such device at that time")
            return nothingFound
        } catch {
            complain(error.description)
            return .failure
        }
    }
}
