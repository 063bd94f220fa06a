// What the helper process could not give up, in words.
import StackProtocol

extension Confinement {
    /// What it means that these parts are missing, in a sentence without a final full stop; `nil`
    /// where none is.
    var warning: String? {
        let parts: [(Confinement, String)] = [
            (.user, "it runs as root"), (.privileges, "it may gain privileges"),
            (.limits, "its files and processes are not limited"),
            (.systemCalls, "its system calls are not filtered"),
        ]
        let missing = parts.filter { contains($0.0) }.map(\.1)
        guard !missing.isEmpty else { return nil }
        return """
            the embedded stack, which reads what strangers send, is not confined as it should be: \
            \(missing.joined(separator: ", ")); where that is not wanted, run avahi-daemon
            """
    }
}
