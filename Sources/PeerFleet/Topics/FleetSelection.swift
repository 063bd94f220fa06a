// The sites and observers of a fleet that are read.

/// A choice among the observers of a fleet, which a broker keeps: it sends nothing about others.
package struct FleetSelection: Sendable, Hashable {
    /// The sites whose observers are all chosen.
    package var sites: [String] = []
    /// The chosen observers, as `OBSERVER` or `SITE/OBSERVER`; of chosen sites only these if there are both.
    package var observers: [String] = []

    package init() {}

    var isEmpty: Bool { sites.isEmpty && observers.isEmpty }

    /// The chosen sites and observers, each once; `nil` stands for all.
    var names: [(site: String?, observer: String?)] {
        guard !observers.isEmpty else { return sites.map { ($0, nil) } }
        return observers.flatMap { name -> [(site: String?, observer: String?)] in
            let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
            if parts.count == 2 { return [(parts[0], parts[1])] }
            return sites.isEmpty ? [(nil, name)] : sites.map { ($0, name) }
        }
    }

    /// Whether a text is the name of an observer, with or without its site.
    package static func isObserver(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy(FleetTopics.isName)
    }

    /// The error for a text that is none.
    package static let observerFault =
        "is not the name of an observer; write OBSERVER or SITE/OBSERVER"
}

extension FleetTopics {
    /// Returns the filters of the statuses of chosen observers, one for each name.
    package func statuses(of selection: FleetSelection) -> [String] {
        guard !selection.isEmpty else { return [allStatuses] }
        return selection.names.map { "\(prefix)/v1/\($0.site ?? "+")/\($0.observer ?? "+")/status" }
    }
}
