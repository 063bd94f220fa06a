// The options of `peerlist pick`.

/// The way in which devices are chosen and printed.
struct PickOptions: Equatable, Sendable {
    /// A part of a row that can be printed.
    enum Part: String, CaseIterable, Sendable { case host, address, target, url, id, json }

    /// `nil` for the host name, or an address where the name cannot be resolved.
    var part: Part?
    var query = ""
    var isMulti = false
    /// Whether a single match is printed without asking.
    var isOne = false
}
