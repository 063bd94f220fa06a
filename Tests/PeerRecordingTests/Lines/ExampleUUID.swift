// UUIDs for tests.
import Foundation

extension UUID {
    /// The UUID that is written so; one that is not a UUID stops the test.
    static func example(_ text: String) -> UUID {
        guard let id = UUID(uuidString: text) else { fatalError("\(text) is not a UUID") }
        return id
    }
}
