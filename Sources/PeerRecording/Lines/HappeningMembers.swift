// The members of the lines that say what happened, and the lines for programs that handle one change after the other.
import FoundationEssentials
package import PeerHappenings
import PeerModel

extension Happening {
    func writeMembers(to members: inout JSONWriter) {
        switch self {
        case .item(let event): event.writeMembers(to: &members)
        case .source(let event): event.writeMembers(to: &members)
        }
    }
}

extension ItemHappening {
    /// Whether an item that arrived was ever seen before: `new`, `known` or `back`; `nil` if nothing is known.
    private var encounter: String? {
        if item.peer.isNew { return "new" }
        if since != nil { return "back" }
        return item.peer.firstEverSeen == nil ? nil : "known"
    }

    fileprivate func writeMembers(to members: inout JSONWriter) {
        members.write("event", event.rawValue)
        members.write("id", item.id)
        members.write("at", time)
        members.write(item.isService ? "service" : "peer", item)
        switch event {
        case .there: break
        case .arrived:
            if let encounter { members.write("encounter", encounter) }
            if let since { members.write("awaySince", since) }
        case .left: members.member("departure", reason?.rawValue)
        case .changed: writeChanges(to: &members)
        case .identified: if let was { members.write("was", was.id) }
        case .silent, .answers: if let since { members.write("silentSince", since) }
        }
    }

    private func writeChanges(to members: inout JSONWriter) {
        guard let was else { return }
        let (before, set) = item.changes(from: was)
        members.write("set", set)
        members.write("was", before)
    }

    /// Returns the change of the item as a line of JSON with its line feed.
    ///
    /// - Parameters:
    ///   - event: The kind of change that the reader asked for.
    ///   - droppedCount: The number of earlier changes that the reader did not get.
    /// - Returns: The line, as UTF-8.
    package func changeLine(_ event: String, droppedCount: Int = 0) -> [UInt8] {
        var text = JSONWriter(capacity: 1024)
        text.object { members in
            members.write("type", "change")
            members.write("version", LineHeader.version)
            members.write("time", time)
            members.write("event", event)
            members.write("id", item.id)
            members.write(item.isService ? "service" : "peer", item)
            if self.event == .left {
                members.writeDeparture(reason?.departure ?? .removed)
            } else {
                writeChanges(to: &members)
            }
            if droppedCount > 0 { members.write("dropped", droppedCount) }
        }
        text.endLine()
        return text.bytes
    }
}

extension SourceHappening {
    fileprivate func writeMembers(to members: inout JSONWriter) {
        members.write("event", event.rawValue)
        members.write("at", time)
        if !name.isEmpty { members.write("source", name) }
        members.write("count", count)
    }
}
