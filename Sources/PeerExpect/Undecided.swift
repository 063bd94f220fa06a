// An expectation that is neither met nor a fault at the end of what is known.
package import PeerModel

/// An expectation that is neither met nor broken, or a device that may not be expected.
package struct Undecided: Equatable, Sendable {
    package enum Reason: String, Sendable, CaseIterable {
        /// It is broken, but has not been for the time that the file states.
        case pending
        /// Too little can be heard to know.
        case unknown
    }

    package let reason: Reason
    /// The name of the expectation; `nil` for devices that no expectation is about.
    package let expectation: String?
    /// The time since which a pending one is broken.
    package let since: Timestamp?
    /// A clause that says what is wrong, or why nothing is known.
    package let text: String

    /// An expectation that is broken, but has not been for its time.
    init(_ text: String, of expectation: String?, since: Timestamp) {
        (reason, self.expectation, self.since, self.text) = (.pending, expectation, since, text)
    }

    /// An expectation of which too little is known.
    init(_ text: String, of expectation: String? = nil) {
        (reason, self.expectation, since, self.text) = (.unknown, expectation, nil, text)
    }
}
