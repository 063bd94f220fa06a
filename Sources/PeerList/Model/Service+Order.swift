// The order of a peer's services.
import FoundationEssentials

extension [Service] {
    /// Where a service stands or would stand, in the order by type, then name, then id.
    ///
    /// - Complexity: O(log *n*).
    package func place(of service: Service) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range =
                self[middle].precedes(service)
                ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension Service {
    /// Whether it stands before another one: by type, then name, then id.
    func precedes(_ other: Service) -> Bool {
        // By their bytes: `==` takes two spellings of one character for the same text.
        for (left, right) in [(type.utf8, other.type.utf8), (name.utf8, other.name.utf8)] {
            if left.lexicographicallyPrecedes(right) { return true }
            if right.lexicographicallyPrecedes(left) { return false }
        }
        return id < other.id
    }
}
