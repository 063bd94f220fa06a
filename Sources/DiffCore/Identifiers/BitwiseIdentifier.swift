// Identifiers that are what their bytes are, and so can be compared and hashed as such.

/// An identifier that equals another exactly when their bytes are the same.
///
/// Identifiers of 8 or 16 bytes that say so are compared and hashed as whole
/// words, which makes differences several times faster. The standard integers
/// of these sizes say so here; other types say so where they are used:
///
/// ```swift
/// extension UUID: @retroactive BitwiseIdentifier {}
///
/// struct PeerID: BitwiseIdentifier { let raw: UUID }
/// ```
///
/// A type may conform if all of its bytes count for `==`, none is padding, and
/// none is a reference. A type of another size may conform too, but gains nothing.
public protocol BitwiseIdentifier: Hashable, Sendable {}

extension Int: BitwiseIdentifier {}
extension UInt: BitwiseIdentifier {}
extension Int64: BitwiseIdentifier {}
extension UInt64: BitwiseIdentifier {}
extension Int128: BitwiseIdentifier {}
extension UInt128: BitwiseIdentifier {}

/// As what the identifiers of a type are compared and hashed.
@usableFromInline
enum KeyKind: Sendable {
    /// As one word of 64 bits.
    case word
    /// As two words.
    case twoWords
    /// As text, which has code of its own because it is so common.
    case text
    /// By their own `==` and `hash(into:)`.
    case hashable

    /// The kind of a type's identifiers.
    @inlinable
    init<Identifier: Hashable>(of type: Identifier.Type) {
        self = .hashable
        if type == String.self {
            self = .text
        } else if type is any BitwiseIdentifier.Type, _isPOD(type) {
            switch MemoryLayout<Identifier>.size {
            case 8: self = .word
            case 16 where MemoryLayout<Identifier>.alignment <= 16: self = .twoWords
            default: break
            }
        }
    }
}
