// The options of `peerlist pick`.
package import TerminalList

/// The way in which devices are chosen and printed.
package struct PickOptions: Equatable, Sendable {
    /// A part of a row that can be printed.
    package enum Part: String, CaseIterable, Sendable { case host, address, target, url, id, json }

    /// `nil` for the host name, or an address where the name cannot be resolved.
    package var part: Part?
    package var query = ""
    package var isMulti = false
    /// Whether a single match is printed without asking.
    package var isOne = false
    /// Whether what is chosen is asked whether it answers.
    package var isReachable = false
    package var height = ScreenHeight.window

    package init(
        part: Part? = nil, query: String = "", isMulti: Bool = false, isOne: Bool = false
    ) {
        (self.part, self.query, self.isMulti, self.isOne) = (part, query, isMulti, isOne)
    }
}
