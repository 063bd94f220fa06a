// Exports a recording, for `peerlist export`.
import PeerExport
import PeerModel
import PeerRecording
import PeerText

extension ExportOptions {
    /// The status without devices: Ansible takes an inventory script that fails for a broken one.
    var statusWithoutDevices: ExitStatus { query == nil ? .nothingFound : .done }

    /// Prints the devices of a recording.
    func print(
        _ list: ListOptions, of recording: RecordingOptions, showsProgress: Bool
    ) -> ExitStatus {
        let path = recording.path
        Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
        do throws(RecordingError) {
            let moment = try RecordedMoment(of: path, at: recording.time)
            let sections = moment.list.listSections
            guard
                list.kinds.isEmpty || moment.list.header?.grouping != .type
                    || sections.contains(where: { $0.items.contains { $0.peer.kind != nil } })
            else {
                throw RecordingError(
                    "\(path) is grouped by type and does not tell the kinds of devices; leave out "
                        + "--kind")
            }
            let domain = moment.list.header?.browsedDomain ?? BrowsedDomain()
            let export = Export(of: sections, in: domain, list, self, isLive: false)
            let printed = printOut(export.reported())
            guard printed == .done, moment.isWhole else { return .failure }
            guard sections.peers(list).isEmpty else { return .done }
            complain("\(path): the list has no such device at that time")
            return statusWithoutDevices
        } catch {
            complain(error.description)
            return .failure
        }
    }
}
