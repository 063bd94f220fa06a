// Identifiers that can be compared and hashed as machine words.

/// A type whose values are equal exactly if their bytes are equal.
///
/// Identifiers of 8 or 16 bytes that conform are compared and hashed as whole
/// words. For a structure of two numbers, finding an index takes a quarter of the
/// time, the difference to a list of other items a third, and the difference to a
/// shuffled list six tenths; a single change takes the same. The standard integers
/// of these sizes conform, and Foundation's `UUID` is treated as if it did;
/// declare the conformance of other types where you use them:
///
/// ```swift
/// struct PeerID: BitwiseIdentifier { let raw: UUID }
/// ```
///
/// A type may conform if all of its bytes count for `==`, none is padding, and
/// none is a reference. Types of other sizes may conform but gain nothing.
public protocol BitwiseIdentifier: Hashable, Sendable {}

extension Int: BitwiseIdentifier {}
extension UInt: BitwiseIdentifier {}
extension Int64: BitwiseIdentifier {}
extension UInt64: BitwiseIdentifier {}
extension Int128: BitwiseIdentifier {}
extension UInt128: BitwiseIdentifier {}

/// Foundation's `UUID`, found by its mangled name because this module does not import Foundation;
/// `nil` in a program without Foundation.
private let foundationUUID =
    _typeByName("20FoundationEssentials4UUIDV") ?? _typeByName("10Foundation4UUIDV")

/// The form in which the identifiers of a type are compared and hashed.
enum KeyKind: Sendable {
    /// One word of 64 bits.
    case word
    /// Two words of 64 bits.
    case twoWords
    /// A string, the most common type without a bitwise form.
    case text
    /// Any other type, by its `==` and `hash(into:)`.
    case hashable

    /// Whether equal identifiers have equal bytes.
    var isBitwise: Bool { self == .word || self == .twoWords }

    /// The kind of a type's identifiers.
    init<Identifier: Hashable>(of type: Identifier.Type) {
        self = .hashable
        if type == String.self {
            self = .text
        } else if _isPOD(type), type == foundationUUID || type is any BitwiseIdentifier.Type {
            switch MemoryLayout<Identifier>.size {
            case 8: self = .word
            case 16 where MemoryLayout<Identifier>.alignment <= 16: self = .twoWords
            default: break
            }
        }
    }
}

// MARK: Keys

/// An identifier in the form in which it is compared and hashed.
///
/// Keys are borrowed from an array and cannot be copied, because reference counting would take as
/// long as the comparison.
protocol Key: ~Copyable {
    /// Whether both keys are the same identifier.
    func isSame(as other: borrowing Self) -> Bool

    /// Returns a hash that cannot be predicted outside of this process.
    func hash(seeds: HashSeeds) -> Int
}

/// Two random numbers that all hashes of this process depend on.
///
/// Without them, a stranger who chooses identifiers could choose colliding ones and make look-ups
/// slow.
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

    @inline(__always)
    func isSame(as other: borrowing WordKey) -> Bool { word == other.word }

    @inline(__always)
    func hash(seeds: HashSeeds) -> Int { mix(word ^ seeds.first, seeds.second) }
}

/// An identifier of 16 bytes.
struct TwoWordKey: Key, ~Copyable {
    let first: UInt64
    let second: UInt64

    @inline(__always)
    func isSame(as other: borrowing TwoWordKey) -> Bool {
        (first ^ other.first) | (second ^ other.second) == 0
    }

    @inline(__always)
    func hash(seeds: HashSeeds) -> Int { mix(first ^ seeds.first, second ^ seeds.second) }
}

/// An identifier that is compared and hashed by its own `==` and `hash(into:)`.
///
/// The standard library seeds these hashes for each process.
struct HashableKey<Identifier: Hashable>: Key, ~Copyable {
    let identifier: Identifier

    @inline(__always)
    func isSame(as other: borrowing HashableKey) -> Bool { identifier == other.identifier }

    @inline(__always)
    func hash(seeds: HashSeeds) -> Int { identifier.hashValue }
}

/// Mixes two numbers so that each bit of the result depends on all bits of both.
///
/// The product is folded twice. Folded once, numbers at equal distances have products at equal
/// distances, which collide for a few seeds in a thousand.
@inline(__always)
private func mix(_ left: UInt64, _ right: UInt64) -> Int {
    Int(truncatingIfNeeded: foldedProduct(foldedProduct(left, right), 0x9e37_79b9_7f4a_7c15))
}

/// Returns the exclusive or of the two halves of the full product.
@inline(__always)
private func foldedProduct(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
}
