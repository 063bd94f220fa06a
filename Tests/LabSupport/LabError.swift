// The error that the lab, or a program in it, did not behave as expected.

/// Something in the lab went wrong, or did not come in time.
package struct LabError: Error, CustomStringConvertible {
    /// The failure, with the actual output.
    package let description: String

    init(_ description: String) { self.description = description }
}
