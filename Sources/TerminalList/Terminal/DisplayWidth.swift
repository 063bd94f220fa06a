// How many columns a character takes, as the C library says it.
import CNcurses
import Glibc

/// The locale whose widths are used, whatever the process's own is: a text must not change its
/// width with the environment.
// nonisolated(unsafe): it is made once and never changed or freed.
private nonisolated(unsafe) let unicodeLocale = unsafe newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

/// How many columns a character takes: 0 for what is drawn over the one before, -1 for what must
/// not be sent to a terminal.
func displayWidth(of scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7f ? 1 : -1 }
    guard let locale = unsafe unicodeLocale else { return Int(curses_wcwidth(scalar.value)) }
    let before = unsafe uselocale(locale)
    defer { _ = unsafe uselocale(before) }
    return Int(curses_wcwidth(scalar.value))
}
