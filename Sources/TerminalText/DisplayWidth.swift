// The number of columns of a character, according to the C library.
import CTerminalText
import Glibc

/// The locale of the widths, independent of the process's own.
// nonisolated(unsafe): it is created once and never changed or freed.
private nonisolated(unsafe) let unicodeLocale = unsafe newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

/// Returns the number of columns of a character: 0 for a combining mark, -1 for a character that
/// must not be sent to a terminal.
package func displayWidth(of scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7f ? 1 : -1 }
    let before = unsafe uselocale(unicodeLocale)
    defer { _ = unsafe uselocale(before) }
    return Int(terminal_character_width(scalar.value))
}
