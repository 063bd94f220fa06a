// Determines the characters that the terminal's locale can show.
import Glibc

/// The characters that may be sent to a terminal or a file.
public enum Charset: Sendable {
    /// All of Unicode, as UTF-8.
    case unicode
    /// All of Unicode, as UTF-8, on the Linux console, whose fonts have some hundred characters: letters, lines
    /// and arrows, but neither bars of several heights nor a check mark.
    case console
    /// ASCII only: other characters are written as `\u{e9}`.
    case ascii

    /// Sets the process's character set from the environment, and returns it.
    ///
    /// Where no locale is set (the C locale without `LC_ALL`), UTF-8 is assumed: terminals use it,
    /// and sessions over ssh and containers often have no locale. `LC_ALL=C` means ASCII. A locale of
    /// UTF-8 that is not installed, such as ssh passes on, is UTF-8 all the same.
    ///
    /// - Note: It calls `setlocale`, so call it at the start, before there are threads.
    public static func adoptFromEnvironment() -> Charset {
        _ = unsafe setlocale(LC_CTYPE, "")
        if codesetIsUTF8 { return .unicode }
        let chosen = unsafe getenv("LC_ALL").map { unsafe String(cString: $0) } ?? ""
        let locale = unsafe setlocale(LC_CTYPE, nil).map { unsafe String(cString: $0) } ?? "C"
        guard chosen.isEmpty || isOfUTF8(chosen), ["C", "POSIX"].contains(locale) else {
            return .ascii
        }
        guard unsafe setlocale(LC_CTYPE, "C.UTF-8") != nil else { return .ascii }
        return codesetIsUTF8 ? .unicode : .ascii
    }

    /// Whether the name of a locale, such as `de_DE.UTF-8@euro`, is one of UTF-8.
    private static func isOfUTF8(_ locale: String) -> Bool {
        let codeset = locale.prefix { $0 != "@" }.drop { $0 != "." }
        return [".utf-8", ".utf8"].contains(codeset.lowercased())
    }

    private static var codesetIsUTF8: Bool {
        guard let name = unsafe nl_langinfo(nl_item(CODESET)) else { return false }
        return unsafe String(cString: name) == "UTF-8"
    }
}
