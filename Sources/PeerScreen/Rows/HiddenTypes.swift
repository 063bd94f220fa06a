// The service types that the user has switched off.
import PeerText

/// The service types that are not shown, also types that no service has yet: some types, or all but some.
struct HiddenTypes: Equatable, Sendable, ExpressibleByArrayLiteral {
    /// The types that are hidden, or shown if all others are hidden.
    private(set) var named: Set<String>
    private var hidesOthers = false

    init(arrayLiteral types: String...) { named = Set(types) }

    /// All types but one, so that a type that appears later is hidden too.
    init(allBut type: String) { (named, hidesOthers) = ([type], true) }

    var isEmpty: Bool { named.isEmpty && !hidesOthers }

    /// Such as `3 types off`, or `1 type on`.
    var summary: String { counted(named.count, "type") + (hidesOthers ? " on" : " off") }

    func contains(_ type: String) -> Bool { named.contains(type) != hidesOthers }

    /// Shows or hides types.
    mutating func set(_ types: some Sequence<String>, isShown: Bool) {
        if isShown == hidesOthers { named.formUnion(types) } else { named.subtract(types) }
    }
}
