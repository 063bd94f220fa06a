// The known observers of a fleet, and what they see.
import PeerModel
import PeerText
import TerminalList

/// The observers of a fleet; in a recording, only observers that see, or saw, a listed device.
struct Observers {
    /// The maximum number of observers that a matrix has columns for.
    static let columnLimit = 9

    /// The number of devices that an observer has a view of.
    private struct Count {
        var all = 0
        /// The devices of unknown presence; all while the observer is away.
        var unknown = 0
    }

    /// The observers and whether they are online; empty in a recording.
    private var online: [ObserverName: Bool] = [:]
    /// The observers that were not there at the start, and have not been online yet.
    private var joining: Set<ObserverName> = []

    private var counts: [ObserverName: Count] = [:]
    /// The names in order.
    private(set) var names: [ObserverName] = []

    var isEmpty: Bool { names.isEmpty }

    /// Replaces the views of a device's former state by its later views.
    mutating func replace(_ old: [PeerView], by new: [PeerView]) {
        guard !old.isEmpty || !new.isEmpty, old != new else { return }
        let count = counts.count
        for view in new { add(1, view) }
        for view in old { add(-1, view) }
        let gone = old.map(\.name).filter { counts[$0]?.all == 0 }
        for name in gone { counts[name] = nil }
        if counts.count != count || !gone.isEmpty { updateNames() }
    }

    /// Sets which observers are online, at the start or later.
    mutating func set(_ online: [ObserverName: Bool], isStart: Bool) {
        for (name, isOnline) in online {
            if isOnline {
                joining.remove(name)
            } else if !isStart, self.online[name] == nil {
                joining.insert(name)
            }
        }
        joining = joining.filter { online[$0] != nil }
        self.online = online
        updateNames()
    }

    private mutating func updateNames() {
        names = Set(counts.keys).union(online.keys).sorted()
    }

    private mutating func add(_ number: Int, _ view: PeerView) {
        counts[view.name, default: Count()].all += number
        if view.presence == .unknown { counts[view.name, default: Count()].unknown += number }
    }

    /// Returns the number of an observer in the checklist, and above its column if that is narrow; `nil` beyond
    /// the columns of a matrix.
    func number(of name: ObserverName) -> String? {
        names.firstIndex(of: name).flatMap { $0 < Observers.columnLimit ? "\($0 + 1)" : nil }
    }

    /// Whether an observer is not online; in a recording, whether nothing that it sees is known for now.
    func isAway(_ name: ObserverName) -> Bool {
        if isJoining(name) { return false }
        if let isOnline = online[name] { return !isOnline }
        return counts[name].map { $0.all == $0.unknown } ?? true
    }

    /// Whether an observer has not been online yet, so that what it sees is not complete.
    func isJoining(_ name: ObserverName) -> Bool {
        joining.contains(name) || !online.isEmpty && online[name] == nil
    }

    /// The number of observers away.
    var awayCount: Int { names.count(where: isAway) }

    /// Returns the checklist of sites with several observers, and of observers.
    func entries(hidden: Set<ObserverName>) -> [Choices.Entry] {
        let sites = Dictionary(grouping: names, by: \.site)
        return names.flatMap { name in
            let others = sites[name.site] ?? []
            let site =
                others.first == name && others.count > 1 && sites.count > 1
                ? [
                    Choices.Entry(
                        name.site, "Site \(name.site)", detail: "\(others.count) observers",
                        isOn: !hidden.isSuperset(of: others))
                ] : []
            let count = counts[name]?.all ?? 0
            return site + [
                Choices.Entry(
                    name.title, "\(number(of: name) ?? " ") \(name.title)",
                    detail: isAway(name) ? "away" : "\(count)", isOn: !hidden.contains(name))
            ]
        }
    }

    /// Returns the observers of an entry.
    func names(of entry: String) -> [ObserverName] {
        names.filter { $0.title == entry || $0.site == entry }
    }
}

extension Peer {
    /// The views of the observers that are shown.
    func views(without hidden: Set<ObserverName>) -> [PeerView] {
        hidden.isEmpty ? views : views.filter { !hidden.contains($0.name) }
    }

    /// A sort key that puts devices of the same observers together, and devices of few observers first.
    var viewPattern: String {
        let seen = views.filter { [.present, .unanswered, .proxied].contains($0.presence) }
        let count = String(seen.count)
        return String(repeating: "0", count: max(0, 6 - count.count)) + count
            + seen.map { " " + $0.name.title }.joined()
    }
}

extension PeerView {
    /// The sign of a device of a presence in the column of an observer; without a presence, it is not seen.
    static func sign(_ presence: Presence?, isAway: Bool, _ charset: Charset) -> ListCell.Field {
        let isPlain = charset == .ascii
        if isAway { return .init(isPlain ? "." : "·", style: Style(tone: .muted)) }
        return switch presence {
        case .present: .init(isPlain ? "o" : "●", style: Style(tone: .good))
        case .resolving: .init(isPlain ? "," : "…", style: Style(tone: .muted))
        case .unanswered, .proxied, .unknown: .init("?", style: Style(tone: .caution))
        case nil: .init(isPlain ? "-" : "–", style: Style(tone: .muted))
        }
    }
}
