// A change of one item as a line of its own, for programs that handle one change after the other.
import FoundationEssentials
package import PeerModel

/// A change of one item of a list.
package struct ItemChange: Sendable {
    /// The kinds of changes. A change may have several.
    package enum Event: String, Sendable, Hashable, CaseIterable {
        case arrived, departed
        /// A device was never seen before.
        case new
        case changed
        /// An item stopped answering.
        case unanswered
        /// An item was not found again after an interface of this machine was back, or was found after all.
        case link
    }

    /// The way in which the item changed.
    package enum Content: Sendable {
        case arrived
        case departed(Departure)
        case changed(was: ListItem)
    }

    /// The kinds of the change, the most specific kind first.
    package let events: [Event]
    /// The time of the change.
    package let time: Timestamp
    /// The item after the change, or as last known.
    package let item: ListItem
    package let content: Content

    /// A change with all of its parts.
    package init(_ events: [Event], _ item: ListItem, _ content: Content, at time: Timestamp) {
        (self.events, self.item, self.content, self.time) = (events, item, content, time)
    }

    /// Returns the change as a line of JSON with its line feed.
    ///
    /// - Parameters:
    ///   - event: The kind of change that the reader asked for.
    ///   - droppedCount: The number of earlier changes that the reader did not get.
    /// - Returns: The line, as UTF-8.
    package func line(_ event: Event, droppedCount: Int = 0) -> [UInt8] {
        var text = JSONWriter(capacity: 1024)
        text.object { members in
            members.write("type", "change")
            members.write("version", LineHeader.version)
            members.write("time", time)
            members.write("event", event.rawValue)
            members.write("id", item.id)
            members.write(item.isService ? "service" : "peer", item)
            switch content {
            case .arrived: break
            case .departed(let reason): members.writeDeparture(reason)
            case .changed(let was):
                let (was, set) = item.changes(from: was)
                members.write("set", set)
                members.write("was", was)
            }
            if droppedCount > 0 { members.write("dropped", droppedCount) }
        }
        text.endLine()
        return text.bytes
    }
}
