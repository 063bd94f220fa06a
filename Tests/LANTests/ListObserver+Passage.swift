// The way that a list took from one state to another, difference by difference.

extension ListObserver {
    /// The way of the list from one moment on.
    ///
    /// - Parameter start: How many differences there had been at that moment.
    /// - Returns: The list as it was then, and after each difference since.
    /// - Throws: At a line that does not fit.
    func passage(since start: Int) async throws -> [FoldedList] {
        var (list, count) = (FoldedList(), 0)
        var lists: [FoldedList] = []
        for line in await lines {
            if count == start, lists.isEmpty { lists = [list] }
            try list.fold(line)
            guard line.contains(#""type":"diff""#) else { continue }
            count += 1
            if count > start { lists.append(list) }
        }
        return lists.isEmpty ? [list] : lists
    }

    /// How many differences there have been.
    var differenceCount: Int {
        get async { await lines.count { $0.contains(#""type":"diff""#) } }
    }
}

extension [FoldedList] {
    /// What was told and did not belong on the way from the first list to the last.
    ///
    /// What is true in both must be so throughout, what is true in neither never,
    /// and what changes does so once.
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
    /// Everything that the list says of its peers, each thing by itself.
    fileprivate var facts: Set<String> {
        var facts: Set<String> = []
        for peer in items {
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
