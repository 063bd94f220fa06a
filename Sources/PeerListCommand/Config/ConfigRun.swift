// One run of `peerlist config`.
import Glibc

/// One run of `peerlist config`.
struct ConfigRun {
    private let options: ConfigOptions

    init(_ options: ConfigOptions) { self.options = options }

    /// Prints the settings, or says what is wrong with a file of them.
    ///
    /// - Returns: The status to exit with; what is wrong has been said on standard error.
    func run() -> ExitStatus {
        switch options {
        case .print: return printOut(ConfigText.text)
        case .check(let path):
            do throws(UsageError) {
                return printOut(try Self.check(path, environment: environmentVariable) + "\n")
            } catch {
                complain(error.description)
                return .usage
            }
        }
    }

    /// What there is to say of a file in which nothing is wrong.
    ///
    /// - Parameters:
    ///   - path: The file, or `nil` for the usual one.
    ///   - variable: The value of a variable of the environment.
    /// - Returns: A sentence.
    /// - Throws: ``UsageError`` that says what is wrong.
    static func check(
        _ path: String?, environment variable: (String) -> String?
    ) throws(UsageError) -> String {
        guard let file = path.map(ConfigFile.init(path:)) ?? ConfigFile(environment: variable)
        else {
            throw UsageError(
                "there is no directory for settings, because HOME is not set; name the file")
        }
        let config = try Config(file, .usual)
        if try file.bytes() == nil {
            guard path == nil else {
                throw UsageError("there is no file \(quoted(file.shownPath)); check the name")
            }
            return
                "There is no \(file.shownPath); 'peerlist config --print' shows the settings in use."
        }
        let parts = [
            config.theme.map { "the theme \($0)" },
            counted(config.colors.count, "tone"), counted(config.keymap.count, "action"),
        ].compactMap { $0 }
        let said = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        return "\(file.shownPath) has no errors; it sets \(said)."
    }

    private static func counted(_ count: Int, _ noun: String) -> String? {
        count == 0 ? nil : "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}

/// The value of a variable of the environment, or `nil`.
func environmentVariable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
