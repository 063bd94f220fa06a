// How much the stack in the helper process keeps, as both sides know it.

/// How much the stack in the helper process keeps.
public enum StackLimits {
    /// The records that are remembered for each interface and family.
    public static let cache = 20_000
}
