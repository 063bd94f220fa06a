// The forms in which identifiers are compared and hashed.

/// An identifier in the form in which it is compared and hashed.
protocol Key: Equatable {
    /// Whether keys with different bytes are always different.
    static var isBitwise: Bool { get }

    /// A hash that nobody outside of this process can foretell.
    func hash(seeds: HashSeeds) -> Int
}

/// Two random numbers that all hashes of this process depend on.
///
/// Without them, a stranger who chooses identifiers could choose such as
/// collide, and so make every look-up slow.
struct HashSeeds: Sendable {
    let first: UInt64
    let second: UInt64

    /// The seeds of this process.
    static let ofProcess = HashSeeds(
        first: UInt64.random(in: .min ... .max), second: UInt64.random(in: .min ... .max) | 1)
}

/// An identifier of 8 bytes.
struct WordKey: Key {
    let word: UInt64

    static let isBitwise = true

    @inline(__always)
    func hash(seeds: HashSeeds) -> Int { fold(word ^ seeds.first, seeds.second) }
}

/// An identifier of 16 bytes.
struct TwoWordKey: Key {
    let first: UInt64
    let second: UInt64

    static let isBitwise = true

    @inline(__always)
    func hash(seeds: HashSeeds) -> Int { fold(first ^ seeds.first, second ^ seeds.second) }

    @inline(__always)
    static func == (left: TwoWordKey, right: TwoWordKey) -> Bool {
        (left.first ^ right.first) | (left.second ^ right.second) == 0
    }
}

/// An identifier that is compared and hashed as its type says.
///
/// The standard library's hash is seeded for each process already.
struct HashableKey<Identifier: Hashable>: Key {
    let identifier: Identifier

    static var isBitwise: Bool { false }

    func hash(seeds: HashSeeds) -> Int { identifier.hashValue }
}

/// Two numbers mixed so that each bit depends on all bits of both.
///
/// Once is not enough: the products of numbers at equal distances are at equal distances too, and
/// crowd for a few seeds in a thousand.
@inline(__always)
private func fold(_ left: UInt64, _ right: UInt64) -> Int {
    Int(truncatingIfNeeded: foldedProduct(foldedProduct(left, right), 0x9e37_79b9_7f4a_7c15))
}

/// The halves of the full product, laid over each other.
@inline(__always)
private func foldedProduct(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
}
