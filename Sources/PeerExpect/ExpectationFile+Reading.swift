// Reads files of expectations.
import Glibc
import PeerSystem
import PeerText

extension ExpectationFile {
    /// Reads a file; errors are reported on standard error.
    package static func read(_ path: String) -> ExpectationFile? {
        let bytes: [UInt8]
        do throws(SmallFileError) {
            bytes = try readFile(path, limit: sizeLimit)
        } catch {
            let reason =
                switch error {
                case .system(let code): unsafe String(cString: strerror(code))
                case .notRegular: "it is not a regular file"
                case .tooLarge: "it has more than \(sizeLimit >> 10) KiB"
                }
            complain("\(path) cannot be read: \(reason)")
            return nil
        }
        let (file, errors) = parse(bytes)
        for error in errors { complain("\(path):\(error.line): \(error.message)") }
        if errors.count == errorLimit {
            complain("\(path): no more than \(errors.count) errors are shown")
        }
        return errors.isEmpty ? file : nil
    }

    /// Whether a file can be made; a reason why it cannot be is reported on standard error.
    package static func mayBeWritten(to path: String) -> Bool {
        guard path != "-" else { return true }
        do throws(FileRefusal) {
            guard try FileEntry(path).status == nil else {
                throw FileRefusal(
                    path, "exists, and is not replaced; write another name, or remove it")
            }
            return true
        } catch {
            complain(error.description)
            return false
        }
    }
}
