// Tests of marked search matches.
import DiffCore
import TerminalList
import Testing

@Suite struct HighlightTests {
    private static let mark: Style.Attributes = [.bold, .underline]

    /// A list that marks every occurrence of a text.
    private func list(_ items: [String], marking needle: String) -> ListFixture {
        let list = ListFixture()
        list.view.highlight = { text in
            var (ranges, start): ([Range<String.Index>], _) = ([], text.startIndex)
            while start < text.endIndex {
                let end = text.index(start, offsetBy: needle.count, limitedBy: text.endIndex)
                guard let end else { break }
                if text[start..<end] == needle { ranges.append(start..<end) }
                start = text.index(after: start)
            }
            return ranges
        }
        list.show(items, animating: false)
        return list
    }

    /// The text of the first row, with dots for characters that are not marked.
    private func marked(_ frame: Frame, columns: Int = 30) -> String {
        let line = Array(frame.text.split(separator: "\n")[2])
        return String(
            (3..<columns).map { column in
                let isMarked = frame.style(row: 2, column: column).attributes
                    .isSuperset(of: Self.mark)
                return isMarked && column < line.count ? line[column] : "."
            }
        )
    }

    @Test func `every match in a field is marked, and only those`() {
        let frame = list(["printer on print"], marking: "print").draw()
        #expect(marked(frame, columns: 20) == "print......print.")
        #expect(frame.style(row: 2, column: 8).attributes.isDisjoint(with: Self.mark))
    }

    @Test func `matches are marked in all fields of a row`() {
        let frame = list(["nas"], marking: "ssh").draw()
        #expect((50..<80).contains { frame.style(row: 2, column: $0).attributes == Self.mark })
    }

    @Test func `selected rows and arrivals show their matches`() {
        let list = list(["printer", "nas"], marking: "int")
        list.press(.down)
        let frame = list.draw()
        let style = frame.style(row: 2, column: 5)
        #expect(style.attributes == [.bold, .underline, .reverse])
        #expect(frame.style(row: 2, column: 4).attributes == [.reverse])
        list.show(["arrival int", "printer"])
        #expect(marked(list.draw(), columns: 16) == "........int..")
    }

    @Test func `a field is cut at its start if all its matches would be cut off`() {
        let frame = list(["a long name that ends with needle"], marking: "needle").draw(40, 8)
        let line = frame.text.split(separator: "\n")[2]
        #expect(line.dropFirst(3).hasPrefix("…"), "\(line)")
        #expect(line.contains("nds with needle"), "as much as fits, \(line)")
        #expect(marked(frame, columns: 22).filter { $0 != "." } == "needle", "\(line)")
        let other = list(["a needle in a name that is cut"], marking: "needle").draw(40, 8)
        #expect(marked(other, columns: 22).hasPrefix("..needle."))
    }

    @Test func `a match in a hidden column or background text is shown in the last column`() {
        let view = TerminalListView<Int, Int>(columns: [
            ListColumn("Name", minimum: 14, ideal: 14, rank: 2),
            ListColumn("Address", minimum: 15, ideal: 15, rank: 1),
            ListColumn("Services", minimum: 12, ideal: 12),
        ])
        let source = DiffableDataSource(view: view) { _, _, number in
            var cell = ListCell(["name", "10.0.0.1", "ssh needle"])
            cell.background = ["key=value", number == 0 ? "note=haystack" : ""]
            return cell
        }
        var snapshot = DiffableDataSourceSnapshot<Int, Int>()
        snapshot.appendSections([0])
        snapshot.appendItems([0, 1])
        source.apply(snapshot, animatingDifferences: false)
        func lines(marking text: String) -> [String] {
            view.highlight = { $0.firstRange(of: text).map { [$0] } ?? [] }
            let frame = view.frame(size: FrameSize(columns: 40, rows: 10), now: .now)
            let lines = frame.text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines[2...3].map(String.init)
        }
        #expect(lines(marking: "none")[0].hasSuffix("10.0.0.1"))
        #expect(lines(marking: "needle").allSatisfy { $0.hasSuffix("ssh needle") })
        #expect(lines(marking: "haystack")[0].hasSuffix("note=haystack"))
        #expect(lines(marking: "haystack")[1].hasSuffix("10.0.0.1"))
        #expect(lines(marking: "0.0.1")[0].hasSuffix("10.0.0.1"))
    }

    @Test func `a match in an escape marks the whole escape`() {
        let frame = list(["a\u{202e}b"], marking: "\u{202e}").draw()
        #expect(marked(frame, columns: 14) == ".\\u{202e}..")
    }

    @Test func `a match of part of a character marks the whole character`() {
        let list = ListFixture()
        list.show(["e\u{301}x"], animating: false)
        list.view.highlight = { text in
            let scalars = text.unicodeScalars
            return [scalars.startIndex..<scalars.index(after: scalars.startIndex)]
        }
        let frame = list.draw()
        #expect(frame.style(row: 2, column: 3).attributes == Self.mark)
        #expect(frame.style(row: 2, column: 4).attributes == [])
    }

    @Test func `marks disappear when the search ends`() {
        let list = list(["printer"], marking: "print")
        list.draw()
        list.view.highlight = nil
        #expect(list.view.needsDisplay)
        #expect(marked(list.draw(), columns: 14) == "...........")
    }

    @Test func `matches are marked in section titles`() {
        let list = ListFixture { $0 }
        list.view.highlight = { [$0.startIndex..<$0.endIndex] }
        list.show(["Printers": ["x"]], animating: false)
        #expect(list.draw().style(row: 2, column: 0).attributes == Self.mark)
    }
}
