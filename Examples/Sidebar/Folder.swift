// A mail folder, and the folders of the example.

struct Folder: Hashable, Identifiable, Sendable {
    let id: String
    var unread = 0
    /// The enclosing folder, if any.
    var parent: ID?

    static let all = [
        Folder(id: "Home", unread: 3), Folder(id: "Family", unread: 2, parent: "Home"),
        Folder(id: "Travel", parent: "Home"), Folder(id: "Norway", unread: 1, parent: "Travel"),
        Folder(id: "Tickets", parent: "Travel"), Folder(id: "Work", unread: 8),
        Folder(id: "Invoices", unread: 5, parent: "Work"), Folder(id: "Team", parent: "Work"),
    ]
}
