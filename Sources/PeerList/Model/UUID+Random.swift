// Random identifiers that are random in a container too.
public import FoundationEssentials

extension UUID {
    /// A random identifier, of version 4 (RFC 9562, section 5.4).
    ///
    /// Foundation's own reads /dev/urandom, and is the same all the time where there is none.
    ///
    /// - Returns: The identifier.
    public static func randomByKernel() -> UUID {
        var generator = SystemRandomNumberGenerator()
        return .random(using: &generator)
    }
}
