// Folds JSON lines to the list, and checks their consistency.

/// The list folded from JSON lines.
///
/// Every line must be consistent with the previous ones: deleted items must be present and
/// equal, and updated ones must have the stated old values. The fold throws at the first
/// inconsistent line, so lines that fold to their end are checked.
struct FoldedList: Sendable {
    /// A section and its items in order: peers, or services if grouped by type.
    struct Section: Hashable, Sendable {
        let id: String
        var items: [JSON]
    }

    /// The error that a line is inconsistent with the previous ones.
    struct Misfit: Error, CustomStringConvertible {
        let description: String
    }

    /// The list.
    private(set) var sections: [Section] = []

    /// The first line.
    private(set) var begin = JSON.null

    /// The backend, as of the last line that names it.
    private(set) var backend = ""

    /// The codes of the notices, in order.
    private(set) var notices: [String] = []

    /// The messages of the notices, in order.
    private(set) var messages: [String] = []

    /// The names of the events, in order.
    private(set) var events: [String] = []

    /// The operations so far, with their causes: `departed delete`.
    private(set) var operations: [String] = []

    /// The number of operations so far that were departures.
    private(set) var departureCount = 0

    /// The time of the last difference.
    private(set) var lastChange = ""

    /// The reason of the `end` line, if it has arrived.
    private(set) var ending: String?

    private var next = 0

    /// All items, section after section.
    var items: [JSON] { sections.flatMap(\.items) }

    /// The fields of a peer that depend on the observer: on when it began, whom it talked to, what it remembers and which
    /// routes it has.
    static let observerFields = [
        "firstSeen", "lastSeen", "heard", "reach", "macs", "label", "known",
    ]

    /// The sections without those fields.
    var withoutObserver: [Section] {
        sections.map { section in
            Section(
                id: section.id,
                items: section.items.map { item in
                    var item = item
                    for key in Self.observerFields { item[key] = .null }
                    return item
                })
        }
    }

    /// Returns the only peer on a host, or nil.
    func peer(on host: String) -> JSON? { items.first { $0["host"].string == host } }

    /// Folds another line.
    mutating func fold(_ line: String) throws {
        let line = try JSON(line: line)
        if line["type"].string == "begin" { next = 0 }
        try require(line["seq"].integer == next, "seq \(line["seq"].integer), not \(next)")
        next += 1
        switch line["type"].string {
        case "begin": start(line)
        case "diff": try apply(line)
        case "notice":
            notices.append(line["code"].string)
            messages.append(line["message"].string)
            if line["backend"] != .null { backend = line["backend"].string }
        case "event": events.append(line["event"].string)
        case "end": ending = line["reason"].string
        default: throw Misfit(description: "what is a \(line["type"])?")
        }
    }

    private mutating func start(_ line: JSON) {
        begin = line
        backend = line["backend"].string
        sections = line["sections"].array.map {
            Section(id: $0["id"].string, items: $0["items"].array)
        }
    }

    private func require(_ holds: Bool, _ misfit: @autoclosure () -> String) throws {
        if !holds { throw Misfit(description: misfit()) }
    }
}

// One difference. Indices of deletes and of the start of moves refer to the list before it,
// others to the list after it.
extension FoldedList {
    private mutating func apply(_ line: JSON) throws {
        let changes = line["changes"].array
        try require(!changes.isEmpty, "a difference without a change")
        lastChange = line["time"].string
        let made = changes.map { "\(line["cause"].string) \($0["op"].string)" }
        operations += made
        departureCount += made.count { $0 == "departed delete" }
        let kinds = Dictionary(grouping: changes) { $0["op"].string }
        var moved: [String: JSON] = [:]
        try take(deletes: kinds["delete"] ?? [], moves: kinds["move"] ?? [], moved: &moved)
        try changeSections(kinds)
        try put(inserts: kinds["insert"] ?? [], moves: kinds["move"] ?? [], moved: moved)
        for change in kinds["update"] ?? [] { try update(change) }
    }

    private func place(_ change: JSON) throws -> (section: Int, at: Int) {
        let section = sections.firstIndex { $0.id == change["section"].string }
        guard let section else { throw Misfit(description: "no section for \(change)") }
        return (section, change["at"].integer)
    }

    private func item(_ id: JSON, at place: (section: Int, at: Int)) throws -> JSON {
        let items = sections[place.section].items
        try require(items.indices.contains(place.at), "nothing at \(place.at): \(id)")
        try require(
            items[place.at]["id"] == id, "\(id) is not at \(place.at), but \(items[place.at])")
        return items[place.at]
    }

    private mutating func take(
        deletes: [JSON], moves: [JSON], moved: inout [String: JSON]
    ) throws {
        var places: [(section: Int, at: Int)] = []
        for change in deletes {
            let place = try place(change)
            var (known, said) = (try item(change["id"], at: place), content(of: change))
            (known["lastSeen"], said["lastSeen"]) = (.null, .null)  // this alone is never a change
            try require(known == said, "deleted as \(said), known as \(known)")
            places.append(place)
        }
        for change in moves {
            let place = try place(change["from"])
            moved[change["id"].string] = try item(change["id"], at: place)
            places.append(place)
        }
        for place in places.sorted(by: { $0.at > $1.at }) {
            sections[place.section].items.remove(at: place.at)
        }
    }

    private mutating func changeSections(_ kinds: [String: [JSON]]) throws {
        let (deletes, moves) = (kinds["delete-section"] ?? [], kinds["move-section"] ?? [])
        var (kept, moved) = (sections, [String: Section]())
        for change in deletes + moves {
            let at = (change["op"].string == "move-section" ? change["from"] : change["at"]).integer
            let id = change["section"].string
            try require(sections.indices.contains(at) && sections[at].id == id, "no \(id) at \(at)")
            let isEmpty = sections[at].items.isEmpty
            try require(isEmpty || change["op"].string == "move-section", "\(id) is not empty")
            moved[id] = sections[at]
            kept.removeAll { $0.id == id }
        }
        let inserts = (kinds["insert-section"] ?? []).map {
            ($0["at"].integer, $0["section"].string)
        }
        let targets = moves.map { ($0["to"].integer, $0["section"].string) }
        for (at, id) in (inserts + targets).sorted(by: { $0.0 < $1.0 }) {
            try require((0...kept.count).contains(at), "section \(id) cannot come to \(at)")
            let isMove = targets.contains { $0.1 == id }
            kept.insert((isMove ? moved[id] : nil) ?? Section(id: id, items: []), at: at)
        }
        sections = kept
    }

    private mutating func put(inserts: [JSON], moves: [JSON], moved: [String: JSON]) throws {
        var arriving: [(place: (section: Int, at: Int), item: JSON)] = []
        for change in inserts {
            let item = content(of: change)
            try require(item["id"] == change["id"], "\(change["id"]) is inserted as \(item["id"])")
            arriving.append((try place(change), item))
        }
        for change in moves {
            arriving.append((try place(change["to"]), moved[change["id"].string] ?? .null))
        }
        for (place, item) in arriving.sorted(by: { $0.place.at < $1.place.at }) {
            let count = sections[place.section].items.count
            try require((0...count).contains(place.at), "\(item["id"]) cannot come to \(place.at)")
            sections[place.section].items.insert(item, at: place.at)
        }
    }

    private mutating func update(_ change: JSON) throws {
        let place = try place(change)
        var known = try item(change["id"], at: place)
        let (set, was) = (change["set"].members, change["was"].members)
        for key in Set(set.keys).union(was.keys) where !Self.identifiers.keys.contains(key) {
            let isSame = key == "lastSeen" || known[key] == was[key] ?? .null
            try require(isSame, "\(key) was \(known[key]), not \(was[key] ?? .null)")
            var members = known.members
            let isAbsent = set[key] == .null && !["host", "port"].contains(key)
            members[key] = isAbsent ? nil : set[key]
            known = .object(members)
        }
        for (key, identifier) in Self.identifiers where set[key] != nil || was[key] != nil {
            let elements = try elements(
                known[key].array, set: change["set"][key].array, was: change["was"][key].array,
                by: identifier)
            var members = known.members
            // As in a whole item: a peer without services has an empty list, one without views has none.
            members[key] = key == "views" && elements.isEmpty ? nil : .array(elements)
            known = .object(members)
        }
        sections[place.section].items[place.at] = known
    }

    /// The lists of which only new, removed and changed elements are included, and their identifiers.
    private static let identifiers: [String: @Sendable (JSON) -> String] = [
        "services": { $0["id"].string },
        "views": { $0["site"].string + "/" + $0["observer"].string },
    ]

    private func elements(
        _ known: [JSON], set: [JSON], was: [JSON], by identifier: (JSON) -> String
    ) throws -> [JSON] {
        for element in was {
            try require(known.contains(element), "there was no \(element)")
        }
        let gone = Set(was.map(identifier))
        let kept = known.filter { !gone.contains(identifier($0)) }
        for element in set {
            let isNew = !kept.contains { identifier($0) == identifier(element) }
            try require(isNew, "\(element) was there, and is not in `was`")
        }
        return (kept + set).sorted { identifier($0) < identifier($1) }
    }

    private func content(of change: JSON) -> JSON {
        var item = change["peer"] == .null ? change["service"] : change["peer"]
        let services = item["services"].array.sorted { $0["id"].string < $1["id"].string }
        if !services.isEmpty { item["services"] = .array(services) }
        return item
    }
}
