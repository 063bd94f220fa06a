// A row of the list in the lines: a peer or a service, under the key that says which.
package import PeerList

extension ListItem {
    /// The item as a JSON object, the very one that the lines have.
    package var json: String {
        var text = JSONWriter()
        text.object { write(to: &$0) }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Writes every field.
    func write(to members: inout JSONObjectWriter) {
        switch self {
        case .peer(let peer): peer.write(to: &members)
        case .service(let listing): listing.write(to: &members)
        }
    }

    /// Writes the item whole as `peer` or `service`.
    func writeWhole(to members: inout JSONObjectWriter) {
        switch self {
        case .peer(let peer): members.object("peer") { peer.write(to: &$0) }
        case .service(let listing): members.object("service") { listing.write(to: &$0) }
        }
    }

    /// Writes `set` and `was`: the fields that differ from `old`.
    func writeChange(from old: ListItem, to members: inout JSONObjectWriter) {
        switch (old, self) {
        case (.peer(let was), .peer(let now)): now.writeChange(from: was, to: &members)
        case (.service(let was), .service(let now)): now.writeChange(from: was, to: &members)
        // A list is grouped in one way for as long as it lives.
        default: preconditionFailure("item \(id) was a peer and is a service, or the reverse")
        }
    }
}
