// Tells characters that are invisible, or change how others are shown, from all others.

extension Unicode.Scalar {
    /// Whether the character is invisible or changes how other characters are shown: controls,
    /// directional marks, line ends, and default-ignorable characters of Unicode, such as fillers,
    /// variation selectors and tags.
    package var isHidden: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return properties.isDefaultIgnorableCodePoint
            || [.control, .format, .lineSeparator, .paragraphSeparator]
                .contains(properties.generalCategory)
    }
}
