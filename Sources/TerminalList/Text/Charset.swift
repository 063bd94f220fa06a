// Which characters may be sent to whoever shows the text.
import Glibc

/// Which characters may be sent to whoever shows the text.
public enum Charset: Sendable {
    /// All of Unicode, as UTF-8.
    case unicode
    /// ASCII alone: all else is written as `\u{e9}`.
    case ascii

    /// Takes the locale's character set from the environment, for the whole process, and tells
    /// which it is.
    ///
    /// Where no locale is chosen (the C locale, and no `LC_ALL`), UTF-8 is assumed: it is what
    /// terminals have spoken for years, while a bare environment is common over ssh and in
    /// containers. `LC_ALL=C` is taken at its word.
    ///
    /// - Note: It calls `setlocale`, so call it at the start, before there are threads.
    public static func adoptFromEnvironment() -> Charset {
        _ = unsafe setlocale(LC_CTYPE, "")
        if codesetIsUTF8 { return .unicode }
        let chosen = unsafe getenv("LC_ALL").map { unsafe String(cString: $0) } ?? ""
        guard chosen.isEmpty, localeIsC else { return .ascii }
        guard unsafe setlocale(LC_CTYPE, "C.UTF-8") != nil else { return .ascii }
        return codesetIsUTF8 ? .unicode : .ascii
    }

    private static var codesetIsUTF8: Bool {
        guard let name = unsafe nl_langinfo(nl_item(CODESET)) else { return false }
        return unsafe String(cString: name) == "UTF-8"
    }

    private static var localeIsC: Bool {
        guard let name = unsafe setlocale(LC_CTYPE, nil) else { return true }
        return unsafe ["C", "POSIX"].contains(String(cString: name))
    }
}
