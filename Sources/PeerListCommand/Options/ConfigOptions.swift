// What the user asks of `peerlist config`.

/// What is done with settings.
enum ConfigOptions: Equatable, Sendable {
    /// Print the default settings.
    case print
    /// Check a file of settings; `nil` stands for the usual one.
    case check(String?)

    /// Reads the words behind `peerlist config`; `nil` asks for the help.
    ///
    /// - Throws: ``UsageError`` for the first word that is wrong, then for options that contradict
    ///   each other.
    static func reading(_ words: [String]) throws(UsageError) -> ConfigOptions? {
        var scanner = OptionScanner(words, of: .config)
        var given: Set<OptionRow.Name> = []
        while let option = try scanner.next() {
            if option.row.name == .help { return nil }
            given.insert(option.row.name)
        }
        let file = scanner.operands.first
        switch (given.contains(.print), given.contains(.check)) {
        case (true, true):
            throw UsageError("'--print' and '--check' cannot be combined; leave one out")
        case (false, false):
            throw UsageError(
                "'peerlist config' needs '--print' or '--check'; write 'peerlist config --print' or "
                    + "'peerlist config --check'")
        case (true, false) where file != nil:
            throw UsageError(
                "'--print' reads no file; to check one, write 'peerlist config --check FILE'")
        case (true, false): return .print
        case (false, true): return .check(file)
        }
    }
}
