// A wireless network, and the invented ones of the example.

struct Network: Identifiable, Sendable {
    let id: String
    /// The strength of the signal, from 1 to 4.
    var signal: Int
    var isInRange: Bool

    static let all: [Network] = [
        "Attic", "Bakery", "Café guests", "Der Nachbar", "Fourth floor", "Garden house", "Harbour",
        "Library", "Printer setup", "Seaside", "Tram stop", "Under the stairs", "Villa", "Workshop",
    ].enumerated().map { number, name in
        Network(id: name, signal: number % 4 + 1, isInRange: number.isMultiple(of: 2))
    }
}
