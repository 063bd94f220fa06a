// Which characters are shown as they are, which are made visible, and which are simplified.

extension SafeText {
    /// More signs than this on one base character are shown as escapes, not drawn over each other.
    private static let maximumMarks = 4

    /// Zero-width joiners have their place in the scripts that need them, Arabic to Mongolian, and
    /// hide something anywhere else.
    private static let joiners: ClosedRange<UInt32> = 0x200c...0x200d
    private static let joiningScripts: ClosedRange<UInt32> = 0x0600...0x18af

    /// Returns text for a log, where the width does not matter: safe as that of a ``SafeText``, but with
    /// emoji sequences whole.
    ///
    /// - Parameters:
    ///   - raw: Any text.
    ///   - charset: Which characters may be sent; all else is escaped.
    /// - Returns: The text as a log may have it.
    public static func logText(_ raw: String, charset: Charset = .unicode) -> String {
        guard charset == .unicode, !raw.utf8.allSatisfy({ $0 < 0x80 }) else {
            return SafeText(raw, charset: charset).text
        }
        return raw.map { character in
            let scalars = character.unicodeScalars
            guard scalars.count > 1, scalars.first.map(isEmoji) == true else {
                return SafeText(String(character)).text
            }
            return isEmojiSequence(Array(scalars))
                ? String(character) : scalars.map { SafeText(String($0)).text }.joined()
        }.joined()
    }

    /// The longest sequences recommended for interchange have 10 scalars.
    private static let longestEmojiSequence = 16

    /// Whether an emoji is followed by variation selectors, skin tones, and emoji that are joined to it, and
    /// by nothing else, which could hide there.
    private static func isEmojiSequence(_ scalars: [Unicode.Scalar]) -> Bool {
        guard scalars.count <= longestEmojiSequence else { return false }
        return scalars.indices.dropFirst().allSatisfy { index in
            switch scalars[index].value {
            case 0x200d: index + 1 < scalars.count && isEmoji(scalars[index + 1])
            case 0xfe0e, 0xfe0f: scalars[index - 1].value != 0x200d
            default: isEmoji(scalars[index])
            }
        }
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmoji && !scalar.isASCII
    }

    /// Appends a character as a reader sees it, which may be many scalars by a stranger's choice.
    mutating func append(_ character: Character, upTo columns: Int) {
        if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7f {
            append(Cell(text: String(character), width: 1, isEscape: false, startsCluster: true))
            return
        }
        var cluster = ClusterState()
        for scalar in character.unicodeScalars {
            if width > columns { return }
            append(scalar, in: &cluster)
        }
    }

    private struct ClusterState {
        var base: Unicode.Scalar?
        var marks = 0
        var isJoined = false
    }

    private mutating func append(_ scalar: Unicode.Scalar, in cluster: inout ClusterState) {
        if let base = cluster.base, isLeftOut(scalar, after: base, in: &cluster) { return }
        let columns = displayWidth(of: scalar)
        guard isShown(scalar, in: cluster), columns >= 0 else {
            appendEscape(notation(for: scalar))
            cluster.base = nil
            return
        }
        if columns > 0 {
            let text = String(Character(scalar))
            append(
                Cell(
                    text: text, width: columns, isEscape: false, startsCluster: cluster.base == nil)
            )
            cluster.base = scalar
            cluster.marks = 0
        } else if cluster.base != nil, cluster.marks < Self.maximumMarks {
            cells[cells.count - 1].text.unicodeScalars.append(scalar)
            cluster.marks += 1
        } else {
            appendEscape(notation(for: scalar))
            cluster.base = nil
        }
    }

    /// The signs that make an emoji wider, coloured, or one of several: terminals do not agree on
    /// what they do to the width, so the emoji is shown without them.
    private func isLeftOut(
        _ scalar: Unicode.Scalar, after base: Unicode.Scalar, in cluster: inout ClusterState
    ) -> Bool {
        guard charset == .unicode else { return false }
        if scalar.value == 0xfe0e || scalar.value == 0xfe0f { return base.properties.isEmoji }
        guard base.properties.isEmoji, !base.isASCII else { return false }
        if scalar.value == 0x200d { cluster.isJoined = true }
        return cluster.isJoined || scalar.properties.isEmojiModifier
    }

    /// Appends what stands for a character that may not be sent.
    mutating func appendEscape(_ notation: String) {
        for (index, character) in notation.enumerated() {
            append(
                Cell(
                    text: String(character), width: 1, isEscape: true, startsCluster: index == 0))
        }
    }

    private func isShown(_ scalar: Unicode.Scalar, in cluster: ClusterState) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7f }
        if charset == .ascii { return false }
        if Self.joiners.contains(scalar.value) {
            return cluster.marks <= 1
                && cluster.base.map { Self.joiningScripts.contains($0.value) } == true
        }
        if scalar.properties.isDefaultIgnorableCodePoint { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            return false
        default:
            return true
        }
    }

    private func notation(for scalar: Unicode.Scalar) -> String {
        switch (charset, scalar.value) {
        case (.unicode, 0..<0x20): String(UnicodeScalar(0x2400 + scalar.value) ?? "?")
        case (.unicode, 0x7f): "␡"
        case (.ascii, 0..<0x20), (.ascii, 0x7f):
            "^" + String(UnicodeScalar(scalar.value ^ 0x40) ?? "?")
        default: "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }
}
