// The forms in which identifiers are compared and hashed.

/// An identifier in the form in which it is compared and hashed.
///
/// It is borrowed where it lies, and cannot be copied: counting its references would take as
/// long as comparing it.
protocol Key: ~Copyable {
    /// Whether keys with different bytes are always different.
    static var isBitwise: Bool { get }

    /// Whether both are the same identifier.
    func isSame(as other: borrowing Self) -> Bool

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
struct WordKey: Key, ~Copyable {
    let word: UInt64

    static let isBitwise = true

    @inline(__always)
    func isSame(as other: borrowing WordKey) -> Bool { word == other.word }

    @inline(__always)
    func hash(seeds: HashSeeds) -> Int { fold(word ^ seeds.first, seeds.second) }
}

/// An identifier of 16 bytes.
struct TwoWordKey: Key, ~Copyable {
    let first: UInt64
    let second: UInt64

    static let isBitwise = true

    @inline(__always)
    func hash(seeds: HashSeeds) -> Int { fold(first ^ seeds.first, second ^ seeds.second) }

    @inline(__always)
    func isSame(as other: borrowing TwoWordKey) -> Bool {
        (first ^ other.first) | (second ^ other.second) == 0
    }
}

/// An identifier that is compared and hashed as its type says.
///
/// The standard library's hash is seeded for each process already.
struct HashableKey<Identifier: Hashable>: Key, ~Copyable {
    let identifier: Identifier

    static var isBitwise: Bool { false }

    @inline(__always)
    func isSame(as other: borrowing HashableKey) -> Bool { identifier == other.identifier }

    @inline(__always)
    func hash(seeds: HashSeeds) -> Int { identifier.hashValue }
}

/// Two numbers mixed so that each bit depends on all bits of both.
///
/// Once is not enough: the products of numbers at equal distances are at equal distances too, and
/// crowd for a few seeds in a thousand.
@inline(__always)
private func fold(_ left: UInt64, _ right: UInt64) -> Int {
    mixed(foldedProduct(left, right))
}

/// A product that has been folded, once more.
@inline(__always)
func mixed(_ product: UInt64) -> Int {
    Int(truncatingIfNeeded: foldedProduct(product, 0x9e37_79b9_7f4a_7c15))
}

/// The halves of the full product, laid over each other.
@inline(__always)
func foldedProduct(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
}
