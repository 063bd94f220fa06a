// What a test is told when the lab, or a program in it, did not do what was asked.

/// Something in the lab went wrong, or did not come in time.
package struct LabError: Error, CustomStringConvertible {
    /// What happened, with what was seen instead.
    package let description: String

    init(_ description: String) { self.description = description }
}
