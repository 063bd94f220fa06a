// The members of the lines that say what happened.
import FoundationEssentials
import PeerHappenings
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
        case .changed:
            guard let was else { break }
            let (before, set) = item.changes(from: was)
            members.write("set", set)
            members.write("was", before)
        case .identified: if let was { members.write("was", was.id) }
        case .silent, .answers: if let since { members.write("silentSince", since) }
        }
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
