// A difference in words.

extension SnapshotDifference: CustomStringConvertible {
    /// A line for each change: what happens, to what, and where, as `section.item`.
    public var description: String {
        var lines = deletedSections.map { "delete section \($0.section) at \($0.index)" }
        lines += insertedSections.map { "insert section \($0.section) at \($0.index)" }
        lines += movedSections.map { "move section \($0.section) from \($0.from) to \($0.to)" }
        lines += reloadedSections.map { "reload section \($0.section) at \($0.index)" }
        lines += deletedItems.map { "delete \($0.item) at \($0.position.indexPath)" }
        lines += insertedItems.map { "insert \($0.item) at \($0.position.indexPath)" }
        lines += movedItems.map {
            "move \($0.item) from \($0.from.indexPath) to \($0.to.indexPath)"
        }
        lines += reloadedItems.map { "reload \($0.item) at \($0.position.indexPath)" }
        lines += reconfiguredItems.map { "reconfigure \($0.item) at \($0.position.indexPath)" }
        return lines.isEmpty ? "no changes" : lines.joined(separator: "\n")
    }
}

extension IndexPath: CustomStringConvertible {
    /// The section's number and the item's, as `section.item`.
    public var description: String { "\(section).\(item)" }
}
