// Returns the states of a list from one moment to another, difference by difference.

extension ListObserver {
    /// Returns the states of the list from a moment on.
    ///
    /// A MAC address is learned when a device answers by unicast, which may happen at any time. That is no state of its
    /// own.
    ///
    /// - Parameter start: The number of differences before that moment.
    /// - Returns: The list as it was then, and after each difference since.
    /// - Throws: At a line that is inconsistent with the previous ones.
    func passage(since start: Int) async throws -> [FoldedList] {
        var (list, count) = (FoldedList(), 0)
        var lists: [FoldedList] = []
        for line in await lines {
            if count == start, lists.isEmpty { lists = [list] }
            try list.fold(line)
            guard line.contains(#""type":"diff""#) else { continue }
            count += 1
            guard count > start else { continue }
            if try JSON(line: line).isOfObserverAlone { lists.removeLast() }
            lists.append(list)
        }
        return lists.isEmpty ? [list] : lists
    }

    /// The number of differences so far.
    var differenceCount: Int {
        get async { await lines.count { $0.contains(#""type":"diff""#) } }
    }
}

extension JSON {
    /// Whether a difference tells the MAC addresses of peers, or which addresses can work, and nothing else.
    fileprivate var isOfObserverAlone: Bool {
        self["changes"].array.allSatisfy { change in
            change["op"].string == "update"
                && (change["set"]["macs"] != .null || change["set"]["reach"] != .null)
                && change["set"]["addresses"] == .null && change["set"]["services"] == .null
                && change["set"]["presence"] == .null && change["set"]["interfaces"] == .null
        }
    }
}

extension [FoldedList] {
    /// Returns the facts that were reported needlessly between the first list and the last.
    ///
    /// A fact of both lists must hold throughout, a fact of neither list never, and a fact
    /// that differs must change once.
    var detours: Set<String> {
        guard let first = first?.facts, let last = last?.facts else { return [] }
        var detours: Set<String> = []
        for (before, after) in zip(map(\.facts), dropFirst().map(\.facts)) {
            let (gone, come) = (before.subtracting(after), after.subtracting(before))
            detours.formUnion(gone.subtracting(first).union(gone.intersection(last)))
            detours.formUnion(come.subtracting(last).union(come.intersection(first)))
        }
        return detours
    }
}

extension FoldedList {
    /// Returns all facts about the peers of the list, each separately.
    ///
    /// Rows of services whose hosts are not known are left out: on a busy machine, a service that is announced
    /// anew may wait for its host for longer than the half second after which it is a row.
    fileprivate var facts: Set<String> {
        var facts: Set<String> = []
        for peer in items where peer["presence"].string != "resolving" {
            let id = peer["id"].string
            for key in ["name", "host", "self", "presence", "identity"] {
                facts.insert("\(id) \(key) \(peer[key])")
            }
            for key in ["addresses", "interfaces", "services"] {
                for value in peer[key].array { facts.insert("\(id) \(key) \(value)") }
            }
        }
        return facts
    }
}
