// The words of the command line as the system handed them over.

/// The words of this process's command line.
enum ProcessArguments {
    /// The words behind the program's name.
    ///
    /// The standard library's own list replaces invalid bytes without a word,
    /// and would have a file written under another name than the one given.
    ///
    /// - Throws: ``UsageError`` if a word is not valid UTF-8.
    static func words() throws(UsageError) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
            guard let text = unsafe String(validatingCString: word) else {
                throw UsageError(
                    "\(quoted(unsafe String(cString: word))) is not valid UTF-8; write it in UTF-8")
            }
            words.append(text)
        }
        return words
    }
}
