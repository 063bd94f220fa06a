// UUIDs on the fast path of the differences.
public import DiffCore
public import FoundationEssentials

/// A UUID is its sixteen bytes, and two are equal exactly when those are.
extension UUID: BitwiseIdentifier {}
